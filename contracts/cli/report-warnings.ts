import { type ApiDocument, describeWarnings } from '../description/document.ts';

/** Says on standard error what of a document a command cannot use. */
export function reportWarnings(command: string, { file, written }: ApiDocument): void {
  const warnings = describeWarnings(file, written.warnings, advice);
  if (warnings !== undefined) process.stderr.write(`petstore-twin ${command}: ${warnings}\n`);
}

const advice = '--strict-spec refuses such a document.';
