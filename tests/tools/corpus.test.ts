import { expect, it } from 'vitest';
import { findDocuments } from '../../tools/corpus/find-documents.ts';
import { toPage } from '../../tools/corpus/to-table.ts';
import { tryDocument } from '../../tools/corpus/try-document.ts';

const documents = findDocuments();

it('knows documents of all versions', () => {
  expect(documents.length).toBeGreaterThan(60);
  const versions = documents.map(({ name }) => /\/([23]\.\d)\//.exec(name)?.[1]);
  expect(new Set(versions)).toEqual(new Set(['2.0', '3.0', '3.1', undefined]));
});

it.each(documents)(
  'starts $name, and answers each of its operations without failing',
  async ({ file }) => {
    const { operations, statuses, failed } = await tryDocument(file);
    expect(failed).toEqual([]);
    const calls = statuses.values().reduce((sum, times) => sum + times, 0);
    expect(calls).toBe(operations);
  },
);

it('writes down what came of each', () => {
  const trial = {
    version: '3.0.3',
    operations: 3,
    withState: 1,
    warnings: 2,
    statuses: new Map([
      [200, 2],
      [0, 1],
    ]),
    failed: [],
  };
  const page = toPage([
    { name: 'a.json', trial },
    { name: 'b.json', trial: { problem: 'It is none.' } },
  ]);
  expect(page).toContain('1 of 2 documents start, with 3 operations.');
  expect(page).toContain('| a.json | 3.0.3 | 3 | 1 | 2 | no call: 1, 200: 2 |');
  expect(page).toContain('| b.json |  |  |  |  | does not start: It is none. |');
});
