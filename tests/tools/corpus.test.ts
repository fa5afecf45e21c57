import { expect, it } from 'vitest';
import type { Operation } from '../../openapi/index.ts';
import type { Contender } from '../../tools/bench/server-process.ts';
import { compareDocument } from '../../tools/corpus/compare-document.ts';
import { findCrudShaped } from '../../tools/corpus/count-state.ts';
import { findDocuments } from '../../tools/corpus/find-documents.ts';
import { readBackDocument } from '../../tools/corpus/read-back.ts';
import { documentOf } from '../support/document-of.ts';
import { writeJson } from '../support/write-json.ts';

const file =
  findDocuments().find(({ name }) => name.endsWith('3.0/json/petstore-expanded.json'))?.file ?? '';

/** A server that runs this for each request. */
function mock(name: string, answer: string): Contender {
  const script = `
    const pet = '{"id":7,"name":"First corpus item"}';
    const json = { 'Content-Type': 'application/json' };
    require('node:http').createServer((request, response) => {
      request.resume().on('end', () => { ${answer} });
    }).listen(Number(process.argv[1]), '127.0.0.1');`;
  return { name, basePath: '', args: (port) => ['-e', script, String(port)] };
}

it('sends other mocks the same calls, and judges them alike', async () => {
  const { answerable, roundTrips, outcomes } = await compareDocument(file, [
    mock(
      'static',
      "const text = request.method + request.url === 'GET/pets' ? '[' + pet + ']' : pet;" +
        'response.writeHead(200, json).end(text);',
    ),
    mock('broken', 'response.writeHead(200, json).end("{")'),
    mock('ends', 'if (request.method === "POST") process.exit(); response.writeHead(404).end()'),
    { name: 'no server', basePath: '', args: () => ['-e', ''] },
  ]);
  expect([answerable, roundTrips]).toEqual([4, 1]);
  expect(outcomes['petstore-twin']).toMatchObject({ starts: true, right: 4, withState: 1 });
  // It answers a delete with 200, and a read of the second item with the first.
  expect(outcomes.static).toMatchObject({ starts: true, right: 3, withState: 0, restarts: 0 });
  expect(outcomes.broken?.wrong).toContain('findPets: is not JSON');
  expect(outcomes.ends).toMatchObject({ starts: true, right: 0, withState: 0, restarts: 3 });
  expect(outcomes.ends?.wrong).toContain('addPet: no answer');
  expect(outcomes.ends?.wrong).toContain('deletePet: answers 404');
  expect(outcomes['no server']).toMatchObject({ starts: false, right: 0, withState: 0 });
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
  const toDocument = (read: object) => {
    const document = documentOf(
      `
      GET /books -> [Book]
      POST /books { title } -> Book
      GET /books/{id:text} -> Book
      DELETE /books/{id:text} -> any
      `,
      { Book: '{ id, title }' },
      { operations: { 'GET /books/{id}': read } },
    );
    document.paths['/books/{id}']?.parameters.forEach((one: object) => {
      Object.assign(one, { example: 'emma' });
    });
    return writeJson(document);
  };
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
