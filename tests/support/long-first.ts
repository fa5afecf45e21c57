import { readFileSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Starts the files that run long before the others, so that none of them is left when the other
 * workers have nothing more to do. Vitest's own order is by size, as long as it has seen no run.
 */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const ranks = new Map(files.map((file) => [file, rankOf(file)]));
    const rank = (file: TestSpecification) => ranks.get(file) ?? 0;
    return (await super.sort(files)).toSorted((left, right) => rank(left) - rank(right));
  }
}

/** Files with modules of their own come first, as Vitest has it: they share no process. */
function rankOf({ moduleId, project }: TestSpecification): number {
  if (project.config.isolate) return 0;
  // `npm test` takes a sample of such tests, and pages are slow.
  return /support\/(sample|open-page)\.ts'/.test(readFileSync(moduleId, 'utf8')) ? 1 : 2;
}
