import { expect, it } from 'vitest';
import { documentOf, schemaOf } from '../../support/document-of.ts';
import { type Page, type PagedForm, startNotes, writeNotes } from '../../support/paged-notes.ts';
import { startServer } from '../../support/start-server.ts';
import { keptBy, resultOf, verify, verifyWrites } from '../../support/verify-writes.ts';
import { writeJson } from '../../support/write-json.ts';

const styles = ['page', 'offset', 'after', 'next', 'link'] as const;
type Style = (typeof styles)[number];

/** Describes what a deployment does wrong with pages. */
type Fault = 'ignored' | 'overlap' | 'gap';

const described: Record<Style, Omit<PagedForm, 'toPage'>> = {
  page: { parameters: { page: 'integer' } },
  offset: { parameters: { offset: 'integer' } },
  after: { parameters: { cursor: 'string' }, nextIn: 'next_cursor' },
  next: { parameters: {}, nextIn: 'next' },
  link: { parameters: {}, header: 'Link' },
};

/** Notes whose list has pages in a style, with a fault from the second page on. */
function toPaged(style: Style, fault?: Fault): PagedForm {
  const toPage: PagedForm['toPage'] = (notes, query, size): Page => {
    const number = Number(query.get(style === 'after' ? 'cursor' : style) ?? 0);
    const start = style === 'page' ? (Math.max(1, number) - 1) * size : number;
    const shift = { ignored: -start, overlap: -1, gap: 1, none: 0 }[fault ?? 'none'];
    const from = start + (start === 0 ? 0 : shift);
    const shown = notes.slice(from, from + size);
    const next = start + size < notes.length ? start + size : null;
    const address = `/notes?per_page=${size}&${style}=${next}`;
    if (style === 'next') return { shown, next: next === null ? null : address };
    if (style === 'after') return { shown, next: next === null ? null : String(next) };
    const isLinked = style === 'link' && next !== null;
    return { shown, ...(isLinked && { headers: { Link: `<${address}>; rel="next"` } }) };
  };
  return { ...described[style], toPage };
}

async function verifyNotes(style: Style, fault?: Fault) {
  const paged = toPaged(style, fault);
  const { url } = await startNotes(paged);
  return verifyWrites(url, await writeNotes(paged), { only: ['pages'] });
}

it.each(styles)('goes through pages in the style "%s", and finds each item once', async (style) => {
  const report = await verifyNotes(style);
  expect(report.findings).toEqual([]);
  expect(resultOf(report, 'pages')).toMatchObject({ verdict: 'kept', held: 2 });
});

it.each([
  ['ignored', 'page', /^list shows the same items on several pages$/],
  ['overlap', 'link', /^list shows an item on more than one page$/],
  ['gap', 'after', /^list shows some items that were created on no page$/],
] as const)('finds the fault "%s" of pages in the style "%s"', async (fault, style, text) => {
  const { findings } = await verifyNotes(style, fault);
  expect(findings.map(({ check, verdict }) => [check, verdict])).toEqual([['pages', 'drift']]);
  expect(findings[0]?.message).toMatch(text);
});

type WrappedFault = 'few in all' | 'long pages';

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

function startBooks(fault?: WrappedFault): Promise<string> {
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

it.each([
  ['sends no listed value that breaks what a body asks for inside of it', { type: 'string' }],
  [
    'judges no guess at a list whose items have a pattern',
    { type: 'string', pattern: '^prd_[0-9a-z]{8}$' },
  ],
])('%s', async (_, product) => {
  const document = documentOf(
    `
    Order: { id!: int, lines!: [object] }
    list: GET /orders -> [Order]
    place: POST /orders { lines!: Lines }! -> 201 Order, 422
    `,
    {
      Lines: {
        type: 'array',
        minItems: 1,
        items: schemaOf('{ product!: Product, quantity!: One }'),
      },
      Product: product,
      One: { type: 'integer', minimum: 1 },
    },
  );
  const { findings, operations } = await verify({ spec: await writeJson(document) });
  expect(findings).toEqual([]);
  expect(operations.find(({ id }) => id === 'place')?.results.twin?.calls).toBeGreaterThan(0);
});
