import { expect, it } from 'vitest';
import { documentOf } from '../../support/document-of.ts';
import { startServer } from '../../support/start-server.ts';
import { keptBy, verifyWrites } from '../../support/verify-writes.ts';

type Fault = 'few in all' | 'long pages';

const books = documentOf(
  `
  Book: { readonly id: int, title!, shelf!: "blue" | "red" }
  list: GET /books?limit:Limit&shelf:Shelf -> { data: [Book], total: Total }
  add: POST /books Book! -> 201 Book
  read: GET /books/{id} -> Book
  remove: DELETE /books/{id} -> 204
  `,
  {
    Limit: { type: 'integer', minimum: 1, maximum: 50, default: 2 },
    Shelf: { enum: ['blue', 'red'] },
    Total: { type: 'integer', description: 'The number of books on all pages.' },
  },
  {
    'x-clauses': ['page-size', 'filter', 'read-back', 'listed-when-created', 'unique-ids'].map(
      (id) => ({ id, source: '§1', text: 'It is so.' }),
    ),
  },
);

type Book = { id: number; title: string; shelf: string };

function startBooks(fault?: Fault): Promise<string> {
  const stored = new Map<number, Book>(
    [1, 2, 3].map((id) => [id, { id, title: `Book ${id}`, shelf: id === 2 ? 'blue' : 'red' }]),
  );
  const removed = new Set<number>();
  let last = stored.size;
  return startServer(({ method, segments, query, sent }) => {
    const id = Number(segments[1]);
    if (method === 'POST') {
      const { title, shelf } = sent ?? {};
      if (typeof title !== 'string' || (shelf !== 'blue' && shelf !== 'red'))
        return { status: 400 };
      last += 1;
      const body = { id: last, title, shelf };
      stored.set(last, body);
      return { status: 201, body };
    }
    const known = removed.has(id) ? undefined : stored.get(id);
    if (segments.length > 1 && !known) return { status: 404 };
    if (known && method === 'DELETE') {
      removed.add(id);
      return { status: 204 };
    }
    if (known) return { status: 200, body: known };
    const limit = fault === 'long pages' ? 50 : Math.min(50, Number(query.get('limit') ?? 2));
    const shelf = query.get('shelf');
    const shown = [...stored.values()].filter(
      (one) => (shelf === null || one.shelf === shelf) && !removed.has(one.id),
    );
    const total = fault === 'few in all' ? 1 : shown.length;
    return { status: 200, body: { data: shown.toReversed().slice(0, limit), total } };
  });
}

it('finds nothing wrong with lists in an object that keep what is stated', async () => {
  const report = await verifyWrites(await startBooks(), books);
  expect(report.findings).toEqual([]);
  const ids = ['filter', 'read-back', 'listed-when-created', 'unique-ids'];
  expect(keptBy(report)).toEqual(expect.arrayContaining([...ids, 'deleted', 'true-counts']));
});

it.each([
  ['few in all', 'true-counts', 'drift', /^list says "total": 1, and lists \d+ items$/],
  ['long pages', 'page-size', 'drift', /list lists more items than the (default|limit)/],
] as const)('finds the fault "%s" of lists in an object', async (fault, check, verdict, text) => {
  const { findings } = await verifyWrites(await startBooks(fault), books);
  const found = findings.find((one) => one.check === check);
  expect([found?.verdict, found?.message]).toEqual([verdict, expect.stringMatching(text)]);
});
