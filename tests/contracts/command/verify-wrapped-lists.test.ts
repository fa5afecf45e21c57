import { expect, it } from 'vitest';
import { jsonOf, toDocument } from '../../support/serve-document.ts';
import { startServer } from '../../support/start-server.ts';
import { verifyWrites } from '../../support/verify-writes.ts';
import { writeJson } from '../../support/write-json.ts';

type Fault = 'few in all' | 'long pages';

function writeBooks() {
  const shelf = { enum: ['blue', 'red'] };
  const book = {
    type: 'object',
    required: ['title', 'shelf'],
    properties: { id: { type: 'integer', readOnly: true }, title: { type: 'string' }, shelf },
  };
  const total = { type: 'integer', description: 'The number of books on all pages.' };
  const list = { type: 'object', properties: { data: { type: 'array', items: book }, total } };
  const limit = { type: 'integer', minimum: 1, maximum: 50, default: 2 };
  const ids = ['page-size', 'filter', 'read-back', 'listed-when-created', 'unique-ids'];
  const parameters = Object.entries({ limit, shelf }).map(([name, schema]) => ({
    ...{ name, in: 'query', schema },
  }));
  const paths = {
    '/books': {
      get: { operationId: 'list', parameters, responses: { 200: jsonOf(list) } },
      post: {
        operationId: 'add',
        requestBody: { required: true, ...jsonOf(book) },
        responses: { 201: jsonOf(book) },
      },
    },
    '/books/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      get: { operationId: 'read', responses: { 200: jsonOf(book) } },
      delete: { operationId: 'remove', responses: { 204: { description: 'gone' } } },
    },
  };
  const clauses = ids.map((id) => ({ id, source: '§1', text: 'It is so.' }));
  return writeJson(toDocument(paths, { 'x-clauses': clauses }));
}

type Book = { id: number; title: string; shelf: string };

function startBooks(fault?: Fault): Promise<string> {
  const books = new Map<number, Book>(
    [1, 2, 3].map((id) => [id, { id, title: `Book ${id}`, shelf: id === 2 ? 'blue' : 'red' }]),
  );
  const removed = new Set<number>();
  let last = books.size;
  return startServer(({ method, segments, query, sent }) => {
    const id = Number(segments[1]);
    if (method === 'POST') {
      const { title, shelf } = sent ?? {};
      if (typeof title !== 'string' || (shelf !== 'blue' && shelf !== 'red'))
        return { status: 400 };
      last += 1;
      const body = { id: last, title, shelf };
      books.set(last, body);
      return { status: 201, body };
    }
    const known = removed.has(id) ? undefined : books.get(id);
    if (segments.length > 1 && !known) return { status: 404 };
    if (known && method === 'DELETE') {
      removed.add(id);
      return { status: 204 };
    }
    if (known) return { status: 200, body: known };
    const limit = fault === 'long pages' ? 50 : Math.min(50, Number(query.get('limit') ?? 2));
    const shelf = query.get('shelf');
    const shown = [...books.values()].filter(
      (one) => (shelf === null || one.shelf === shelf) && !removed.has(one.id),
    );
    const total = fault === 'few in all' ? 1 : shown.length;
    return { status: 200, body: { data: shown.toReversed().slice(0, limit), total } };
  });
}

it('finds nothing wrong with lists in an object that keep what is stated', async () => {
  const report = await verifyWrites(await startBooks(), await writeBooks());
  expect(report.findings).toEqual([]);
  const kept = report.clauses.filter(({ results }) => results.target?.verdict === 'kept');
  const ids = ['filter', 'read-back', 'listed-when-created', 'unique-ids'];
  expect(kept.map(({ id }) => id)).toEqual(
    expect.arrayContaining([...ids, 'deleted', 'true-counts']),
  );
});

it.each([
  ['few in all', 'true-counts', 'drift', /^list says "total": 1, and lists \d+ items$/],
  ['long pages', 'page-size', 'drift', /list lists more items than the (default|limit)/],
] as const)('finds the fault "%s" of lists in an object', async (fault, check, verdict, text) => {
  const { findings } = await verifyWrites(await startBooks(fault), await writeBooks());
  const found = findings.find((one) => one.check === check);
  expect([found?.verdict, found?.message]).toEqual([verdict, expect.stringMatching(text)]);
});
