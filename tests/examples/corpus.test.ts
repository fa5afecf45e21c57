import { expect, it } from 'vitest';
import { findDocuments } from '../../tools/corpus/find-documents.ts';
import { tryDocument } from '../../tools/corpus/try-document.ts';
import { verifyDocument } from '../../tools/corpus/verify-document.ts';
import { everyNth } from '../support/sample.ts';

const documents = findDocuments();

it('knows documents of all versions', () => {
  expect(documents.length).toBeGreaterThan(60);
  const versions = documents.map(({ name }) => /\/([23]\.\d)\//.exec(name)?.[1]);
  expect(new Set(versions)).toEqual(new Set(['2.0', '3.0', '3.1', undefined]));
});

it.each(everyNth(8, documents))(
  'starts $name, and answers each of its operations without failing',
  async ({ file }) => {
    const { operations, statuses, failed } = await tryDocument(file);
    expect(failed).toEqual([]);
    const calls = statuses.values().reduce((sum, times) => sum + times, 0);
    expect(calls).toBe(operations);
  },
);

/** One of each kind: the rest is in docs/corpus.md. */
const verified = [
  '2.0/json/petstore-expanded.json',
  '2.0/json/petstore.json',
  '3.0/json/callbacks.json',
  '3.0/json/circular-request-bodies.json',
  '3.0/json/discriminators.json',
  '3.0/json/file-uploads.json',
  '3.0/json/http-status-codes.json',
  '3.0/json/link-example.json',
  '3.0/json/parameters-style.json',
  '3.0/json/petstore-simple.json',
  '3.0/json/readme-legacy.json',
  '3.0/json/schema-circular.json',
  '3.0/json/security-multiple.json',
  '3.0/json/security.json',
  '3.0/json/star-trek.json',
  '3.0/json/uspto.json',
  '3.1/json/petstore.json',
  '3.1/json/schema-types.json',
  '3.1/json/train-travel.json',
  'galaxy/dist/latest.json',
];

it.each(everyNth(5, verified))('finds nothing wrong with the twin of %s', async (path) => {
  const file = documents.find(({ name }) => name.endsWith(path))?.file ?? path;
  const { findings, defects, incomplete, targets } = await verifyDocument(file);
  expect(findings).toEqual([]);
  expect(incomplete).toEqual([]);
  expect(defects).toEqual([]);
  expect(targets[0]?.requests).toBeGreaterThan(0);
});
