import { createServer } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { listenOn } from '../../support/listen-on.ts';
import { verify } from '../../support/verify-writes.ts';
import { writeJson } from '../../support/write-json.ts';

type Fault = 'few in all' | 'long pages' | 'other values' | 'unlisted' | 'still listed';

function writeBooks() {
  const book = {
    type: 'object',
    required: ['title', 'shelf'],
    properties: {
      id: { type: 'integer', readOnly: true },
      title: { type: 'string' },
      shelf: { enum: ['blue', 'red'] },
    },
  };
  const json = (schema: unknown) => ({ 'application/json': { schema } });
  const total = { type: 'integer', description: 'The number of books on all pages.' };
  const list = { type: 'object', properties: { data: { type: 'array', items: book }, total } };
  const limit = { type: 'integer', minimum: 1, maximum: 50, default: 2 };
  const ids = ['page-size', 'filter', 'read-back', 'listed-when-created', 'unique-ids'];
  return writeJson({
    openapi: '3.1.0',
    info: { title: 'Books', version: '1' },
    'x-clauses': ids.map((id) => ({ id, source: '§1', text: 'It is so.' })),
    paths: {
      '/books': {
        get: {
          operationId: 'list',
          parameters: [
            { name: 'limit', in: 'query', schema: limit },
            { name: 'shelf', in: 'query', schema: book.properties.shelf },
          ],
          responses: { 200: { description: 'ok', content: json(list) } },
        },
        post: {
          operationId: 'add',
          requestBody: { required: true, content: json(book) },
          responses: { 201: { description: 'ok', content: json(book) } },
        },
      },
      '/books/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        get: {
          operationId: 'read',
          responses: { 200: { description: 'ok', content: json(book) } },
        },
        delete: { operationId: 'remove', responses: { 204: { description: 'gone' } } },
      },
    },
  });
}

type Book = { id: number; title: string; shelf: string };

async function startBooks(fault?: Fault): Promise<string> {
  const books = new Map<number, Book>(
    [1, 2, 3].map((id) => [id, { id, title: `Book ${id}`, shelf: id === 2 ? 'blue' : 'red' }]),
  );
  const removed = new Set<number>();
  let last = books.size;
  const server = createServer(async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString();
    const send = (status: number, body?: unknown) =>
      response
        .writeHead(status, body === undefined ? {} : { 'Content-Type': 'application/json' })
        .end(body === undefined ? undefined : JSON.stringify(body));
    const url = new URL(request.url ?? '', 'http://localhost');
    const segment = url.pathname.split('/')[2];
    const id = Number(segment);
    if (request.method === 'POST') {
      const sent = readBook(text);
      if (!sent) return send(400);
      last += 1;
      const added = { id: last, title: sent.title, shelf: sent.shelf };
      books.set(last, added);
      return send(201, added);
    }
    const known = removed.has(id) ? undefined : books.get(id);
    if (segment !== undefined && !known) return send(404);
    if (known && request.method === 'DELETE') {
      removed.add(id);
      return send(204);
    }
    if (known) return send(200, known);
    const limit =
      fault === 'long pages' ? 50 : Math.min(50, Number(url.searchParams.get('limit') ?? 2));
    const shelf = fault === 'other values' ? null : url.searchParams.get('shelf');
    const shown = [...books.values()].filter(
      (one) =>
        (shelf === null || one.shelf === shelf) &&
        (fault === 'still listed' || !removed.has(one.id)) &&
        (fault !== 'unlisted' || one.id <= 3 || one.id % 4 !== 0),
    );
    const total = fault === 'few in all' ? 1 : shown.length;
    return send(200, { data: shown.toReversed().slice(0, limit), total });
  });
  onTestFinished(() => void server.close());
  return listenOn(server);
}

function readBook(text: string): Omit<Book, 'id'> | undefined {
  try {
    const { title, shelf } = JSON.parse(text);
    return typeof title === 'string' && ['blue', 'red'].includes(shelf)
      ? { title, shelf }
      : undefined;
  } catch {
    return undefined;
  }
}

it('finds nothing wrong with lists in an object that keep what is stated', async () => {
  const target = { url: await startBooks(), keys: [] };
  const report = await verify({ allowWrites: true, target, twin: false, spec: await writeBooks() });
  expect(report.findings).toEqual([]);
  const kept = report.clauses.filter(({ results }) => results.target?.verdict === 'kept');
  expect(kept.map(({ id }) => id)).toEqual(
    expect.arrayContaining([
      'filter',
      'read-back',
      'listed-when-created',
      'unique-ids',
      'deleted',
      'true-counts',
    ]),
  );
});

it.each([
  ['few in all', 'true-counts', 'drift', /^list says "total": 1, and lists \d+ items$/],
  ['long pages', 'page-size', 'drift', /list lists more items than the (default|limit)/],
  ['other values', 'filter', 'drift', /lists items that its filter excludes/],
  ['unlisted', 'listed-when-created', 'drift', /list/],
  ['still listed', 'deleted', 'standard', /list lists an item that remove deleted/],
] as const)('finds the fault "%s" of lists in an object', async (fault, check, verdict, text) => {
  const target = { url: await startBooks(fault), keys: [] };
  const { findings } = await verify({
    allowWrites: true,
    target,
    twin: false,
    spec: await writeBooks(),
  });
  const found = findings.find((one) => one.check === check);
  expect([found?.verdict, found?.message]).toEqual([verdict, expect.stringMatching(text)]);
});
