import { expect, it } from 'vitest';
import type { Operation } from '../../openapi/index.ts';
import { findCrudShaped } from '../../tools/corpus/count-state.ts';
import { findDocuments } from '../../tools/corpus/find-documents.ts';
import { readBackDocument } from '../../tools/corpus/read-back.ts';
import { tryDocument } from '../../tools/corpus/try-document.ts';
import { verifyDocument } from '../../tools/corpus/verify-document.ts';
import { everyNth } from '../support/sample.ts';
import { writeJson } from '../support/write-json.ts';

const answer = (schema: object) => ({
  responses: { 200: { description: 'Done.', content: { 'application/json': { schema } } } },
});

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

it('knows the operations that look like those of a collection', () => {
  const operations = [
    ...['get /users', 'post /users', 'delete /users'],
    ...['get /users/{id}', 'patch /users/{id}', 'head /users/{id}'],
    ...['get /users/{id}/photo', 'get /status', 'get /tags/{tag}'],
  ].map((words) => {
    const [method = '', path = ''] = words.split(' ');
    return { method, path } as Operation;
  });
  expect(findCrudShaped(operations).map(({ method, path }) => `${method} ${path}`)).toEqual([
    ...['get /users', 'post /users', 'get /users/{id}', 'patch /users/{id}'],
  ]);
});

it('reads back what a document shows, and what lists and creates answer with', async () => {
  const string = { type: 'string' };
  const book = { type: 'object', properties: { id: string, title: string } };
  const parameters = [{ name: 'id', in: 'path', required: true, schema: string, example: 'emma' }];
  const toDocument = (read: object) =>
    writeJson({
      openapi: '3.1.0',
      info: { title: 'Books', version: '1' },
      paths: {
        '/books': {
          get: answer({ type: 'array', items: book }),
          post: {
            requestBody: {
              content: { 'application/json': { schema: { properties: { title: string } } } },
            },
            ...answer(book),
          },
        },
        '/books/{id}': { parameters, get: { ...answer(book), ...read }, delete: answer({}) },
      },
    });
  const kept = await readBackDocument(await toDocument({}));
  expect(kept.shares).toEqual({
    documented: { of: 1, are: 1 },
    'in lists': { of: 3, are: 3 },
    created: { of: 1, are: 1 },
    listed: { of: 1, are: 1 },
    deleted: { of: 1, are: 1 },
    sent: { of: 2, are: 2 },
  });
  expect(kept.lost).toEqual([]);
  const lost = await readBackDocument(await toDocument({ 'x-twin': { kind: 'none' } }));
  const { of, are } = lost.shares['in lists'];
  expect(of).toBe(3);
  expect(are).toBeLessThan(of);
  expect(lost.lost.length).toBeGreaterThan(0);
});
