import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { projectFile } from '../support/twin.ts';

/** The first match of a pattern in a file of which each run of white space is one space. */
function find(file: string, pattern: RegExp): string[] {
  const text = readFileSync(projectFile(file), 'utf8').replace(/\s+/g, ' ');
  return pattern.exec(text)?.slice(1) ?? [];
}

it('README.md has the figures of docs/clients.md', () => {
  const measured = find('docs/clients.md', /\*\*(\d+ of \d+) steps\*\*/);
  expect(measured).toHaveLength(1);
  expect(find('README.md', /: (\d+ of \d+) steps with eight SDKs pass/)).toEqual(measured);
});

it('docs/comparison.md has the figures of docs/corpus-comparison.md', () => {
  const [twin, scalar, prism] = ['petstore-twin', 'Scalar', 'Prism'].map((mock) => {
    const row = `\\| ${mock} [\\d.]+ \\| [^|]+ \\| (\\d+) of (\\d+) [^|]+ \\| (\\d+) of (\\d+) \\|`;
    const [right, answers, kept, collections] = find('docs/corpus-comparison.md', RegExp(row));
    return { right, answers, kept, collections };
  });
  expect(twin?.kept).toBeDefined();
  expect([twin?.kept, scalar?.kept, prism?.kept]).toEqual([twin?.collections, '0', '0']);
  const quote =
    /of (\d+) described answers, the mock gives (\d+) right, Scalar (\d+) and Prism (\d+); of (\d+) coll/;
  expect(find('docs/comparison.md', quote)).toEqual([
    ...[twin?.answers, twin?.right, scalar?.right, prism?.right],
    twin?.collections,
  ]);
});
