import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import type { Operation } from '../../contracts/description/document.ts';
import type { Report } from '../../contracts/report/events.ts';
import { findCrudShaped } from '../../tools/corpus/count-state.ts';
import { findDocuments } from '../../tools/corpus/find-documents.ts';
import { send } from '../../tools/corpus/send.ts';
import { toPage } from '../../tools/corpus/to-table.ts';
import { tryDocument } from '../../tools/corpus/try-document.ts';
import { describeReport, verifyDocument } from '../../tools/corpus/verify-document.ts';
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

it.each(['DELETE', 'GET', 'POST'])('sends the body of a %s', async (method) => {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    bodies.push(await text(request));
    response.end('done');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const call = { method, target: '/', headers: {}, body: 'ö=1' };
  const answer = await send(`http://127.0.0.1:${port}`, call).finally(() => server.close());
  expect(answer.text).toBe('done');
  expect(bodies).toEqual(['ö=1']);
});

it('describes what a run found', () => {
  const finding = { check: 'body-schema' } as Report['findings'][number];
  const report = (findings: Report['findings'], incomplete: string[] = []) =>
    describeReport({ findings, incomplete } as unknown as Report);
  expect(report([finding, finding])).toBe('2 (body-schema)');
  expect(report([], ['short'])).toBe('incomplete');
  expect(report([])).toBe('clean');
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

it('writes down what came of each', () => {
  const trial = {
    version: '3.0.3',
    operations: 3,
    withState: 1,
    undescribed: 1,
    crudShaped: 2,
    crudWithState: 1,
    warnings: 2,
    statuses: new Map([
      [200, 2],
      [0, 1],
    ]),
    failed: [],
    answerable: 2,
    wrong: ['getThing: answers 404'],
  };
  const page = toPage([
    { name: 'a.json', trial, verified: 'clean' },
    { name: 'b.json', trial: { problem: 'It is none.' }, verified: '' },
  ]);
  expect(page).toContain(
    '1 of 2 documents start, with 3 operations; of 2 the document says how they answer,\nand 1 (50.0 %) first answers are right. Of 2 operations that look like those of a collection,\n1 (50.0 %) have state.',
  );
  expect(page).toContain(
    '| a.json | 3.0.3 | 3 | 1 | 1 | 1 | 1 of 2 | 2 | 1 of 2 | no call: 1, 200: 2 | clean |',
  );
  expect(page).toContain('| b.json |  |  |  |  |  |  |  |  | does not start: It is none. |  |');
});
