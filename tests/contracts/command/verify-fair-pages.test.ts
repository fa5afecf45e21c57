import { expect, it } from 'vitest';
import { type PagedForm, startNotes, writeNotes } from '../../support/paged-notes.ts';
import { verifyWrites } from '../../support/verify-writes.ts';

/** Its documents do not list every status. */
const skip = ['described-status'];

async function verifyNotes(paged: PagedForm) {
  const { url, asked } = await startNotes(paged);
  const spec = await writeNotes(paged);
  const report = await verifyWrites(url, spec, { skip });
  return { report, asked };
}

const numberOf = (query: URLSearchParams, name: string, byDefault: number) =>
  Number(query.get(name) ?? byDefault);

/** A deployment that shows a page from where `startOf` says, by the number in a parameter. */
const from = (
  name: string,
  first: number,
  startOf: (number: number, size: number) => number,
): PagedForm => ({
  parameters: { [name]: 'integer' },
  toPage: (notes, query, size) => {
    const start = startOf(numberOf(query, name, first), size);
    return { shown: notes.slice(start, start + size) };
  },
});

const fair: Record<string, PagedForm> = {
  'counts pages from 0': from('page', 0, (page, size) => page * size),
  'counts items from 1': from('startIndex', 1, (index) => index - 1),
  'counts pages in its offset': from('page_offset', 0, (page, size) => page * size),
  'shows fewer items than were asked for': {
    parameters: { offset: 'integer' },
    toPage: (notes, query, size) => {
      const start = numberOf(query, 'offset', 0);
      return { shown: notes.slice(start, start + Math.max(1, size - 1)) };
    },
  },
  'shows its last page for all after it': {
    parameters: { page: 'integer' },
    toPage: (notes, query, size) => {
      const last = Math.ceil(notes.length / size);
      const start = (Math.min(last, numberOf(query, 'page', 1)) - 1) * size;
      return { shown: notes.slice(start, start + size) };
    },
  },
  'has no page after the last': {
    parameters: { page: 'integer' },
    toPage: (notes, query, size) => {
      const start = (numberOf(query, 'page', 1) - 1) * size;
      return { shown: start < notes.length ? notes.slice(start, start + size) : undefined };
    },
  },
  'gives cursors in a header': {
    parameters: { cursor: 'string' },
    header: 'X-Next-Cursor',
    toPage: (notes, query, size) => {
      const start = numberOf(query, 'cursor', 0);
      const end = start + size;
      const headers: Record<string, string> =
        end < notes.length ? { 'X-Next-Cursor': String(end) } : {};
      return { shown: notes.slice(start, end), headers };
    },
  },
  'sends no Link, which it need not': {
    parameters: { page: 'integer' },
    header: 'Link',
    toPage: (notes, query, size) => {
      const start = (numberOf(query, 'page', 1) - 1) * size;
      return { shown: notes.slice(start, start + size) };
    },
  },
  'gives links a title that looks like a relation': {
    parameters: {},
    header: 'Link',
    toPage: (notes, query, size) => {
      const number = numberOf(query, 'page', 1);
      const end = number * size;
      const to = (other: number) => `<http://notes.test/notes?per_page=${size}&page=${other}>`;
      const links = [
        ...(number > 1 ? [`${to(number - 1)}; title="rel=next"; rel="prev"`] : []),
        ...(end < notes.length ? [`${to(number + 1)}; rel="next"`] : []),
      ];
      return { shown: notes.slice(end - size, end), headers: { Link: links.join(', ') } };
    },
  },
  'has pages of other paths': {
    parameters: {},
    nextIn: 'next',
    toPage: (notes, _query, size, path) => {
      const start = (Number(/^\/notes\/page\/(\d+)$/.exec(path)?.[1] ?? 1) - 1) * size;
      const isLast = start + size >= notes.length;
      const next = isLast
        ? null
        : `http://notes.test/notes/page/${start / size + 2}?per_page=${size}`;
      return { shown: notes.slice(start, start + size), next };
    },
  },
  'lists the newest first, and those since an id': {
    parameters: { since_id: 'integer' },
    toPage: (notes, query, size) => {
      const since = numberOf(query, 'since_id', 0);
      return {
        shown: notes
          .filter(({ id }) => id > since)
          .toReversed()
          .slice(0, size),
      };
    },
  },
  'gives a cursor that no address can hold': {
    parameters: {},
    nextIn: 'next',
    toPage: (notes) => ({
      shown: notes.slice(0, 1),
      next: `http://notes.test/notes?cursor=${'x'.repeat(9000)}`,
    }),
  },
};

it.each(Object.entries(fair))('blames no deployment that %s', async (_name, paged) => {
  const { report, asked } = await verifyNotes(paged);
  expect(report.findings).toEqual([]);
  expect(asked.filter((address) => address.length > 5000)).toEqual([]);
});
