import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createListBehaviour } from '../../../mock/behaviours/list.ts';
import { createClock } from '../../../mock/clock.ts';
import { toStoredItem } from '../../../mock/items/stored-item.ts';
import { toText } from '../../../mock/json/exact-json.ts';
import { addCounted, type Store } from '../../../mock/state/store.ts';
import { openMemoryStore } from '../../../mock/state/store-of-tables.ts';
import { compile } from '../../../openapi/index.ts';
import { listRulesOf } from '../../../openapi/model/lists.ts';
import { documentOf } from '../../support/document-of.ts';

type Item = { id: number; rank: number; kind: string };

/** A list with these parameters, and a store that it lists. */
function createList(names: readonly string[]) {
  const query = names
    .map((name) => `${name}${/page|size|skip/.test(name) ? ':int' : ''}`)
    .join('&');
  const document = compile(
    documentOf(`
      listThings: GET /things?${query} -> Page
      POST /things Thing -> 201 Thing
      GET /things/{id} -> Thing
      Thing: { id!: int, rank: int, kind }
      Page: {
        data: [Thing], total: int, page: int, pages: int, has_more: bool, has_previous: bool,
        first: bool, last: bool, next: text | null, previous: text | null, last_page_url
      }
    `),
  );
  const operation = document.operations.find(({ id }) => id === 'listThings');
  const resource = document.resources.find(({ name }) => name === 'things');
  if (!operation || !resource) throw new Error('things are no collection');
  const behave = createListBehaviour({
    document,
    resource,
    operation,
    indexed: new Set(listRulesOf(operation).filters),
  });
  const store: Store = openMemoryStore({});
  const list = async (asked: Readonly<Record<string, string | undefined>>) => {
    const given = Object.entries(asked).filter(
      (one): one is [string, string] => one[1] !== undefined,
    );
    const query = Object.fromEntries(given);
    const url = `/things?${new URLSearchParams(query)}`;
    const source = { protocol: 'http', headers: { host: 'localhost' } };
    const clock = createClock();
    const call = { store, clock, method: 'GET', url, params: {}, query, source, body: undefined };
    const answer = await behave(call);
    if (!('json' in answer)) throw new Error('no JSON');
    return JSON.parse(toText(answer.json));
  };
  const create = ({ rank, kind }: Omit<Item, 'id'>) =>
    addCounted(store, 'things', (n) => toStoredItem(resource, { id: n, rank, kind }, n));
  return { store, list, create };
}

const things = fc.array(
  fc.record({ rank: fc.integer({ min: 0, max: 4 }), kind: fc.constantFrom('a', 'b') }),
  { maxLength: 30 },
);

const given = fc.record({
  things,
  size: fc.integer({ min: 1, max: 7 }),
  at: fc.nat(40),
  kind: fc.constantFrom(undefined, 'a', 'none'),
  sort: fc.constantFrom(undefined, 'rank', '-rank', 'rank,-id'),
});

function modelOf(all: readonly Item[], { kind, sort }: { kind?: string; sort?: string }) {
  const meant = all.filter((one) => kind === undefined || one.kind === kind);
  const sign = sort?.startsWith('-') ? -1 : 1;
  if (sort === undefined) return meant;
  const tie = sort.includes('-id') ? -1 : 1;
  return meant.toSorted(
    (left, right) => sign * (left.rank - right.rank) || tie * (left.id - right.id),
  );
}

it.each(['page', 'skip'])('pages by %s as slices of a plain list', async (style) => {
  await fc.assert(
    fc.asyncProperty(given, async ({ things, size, at, kind, sort }) => {
      const { list, create } = createList([style, 'size', 'kind', 'sort']);
      for (const one of things) await create(one);
      const all = things.map((one, index) => ({ ...one, id: index + 1 }));
      const asked = { ...(kind && { kind }), ...(sort && { sort }) };
      const model = modelOf(all, asked);
      const number = style === 'page' ? at % 12 : at;
      const skip = style === 'page' ? Math.max(0, number - 1) * size : number;
      const answer = await list({ ...asked, size: String(size), [style]: String(number) });
      const slice = model.slice(skip, skip + size);
      expect(answer).toMatchObject({
        data: slice,
        total: model.length,
        pages: Math.ceil(model.length / size),
        has_more: skip + slice.length < model.length,
        has_previous: skip > 0,
        first: skip === 0,
        last: skip + slice.length >= model.length,
      });
      const numberIn = (url: string) => Number(new URL(url).searchParams.get(style));
      const isPage = style === 'page';
      if (answer.has_more)
        expect(numberIn(answer.next)).toBe(isPage ? Math.max(number, 1) + 1 : number + size);
      else expect(answer.next).toBeNull();
      const ofLast = numberIn(answer.last_page_url);
      const lastStart = style === 'page' ? (ofLast - 1) * size : ofLast;
      if (model.length > 0) expect(lastStart).toBeLessThan(model.length);
      expect(lastStart + size).toBeGreaterThanOrEqual(model.length);
      if (lastStart >= skip) expect((lastStart - skip) % size).toBe(0);
      if (skip === 0) expect(answer.previous).toBeNull();
      else {
        const before = numberIn(answer.previous);
        expect(before).toBeLessThan(number);
        // From behind the end, one comes back to the last items.
        const start = isPage ? (before - 1) * size : before;
        if (model.length > 0) expect(start).toBeLessThan(model.length);
      }
    }),
    { numRuns: 60 },
  );
});

it('goes through all pages by the links to the next one', async () => {
  await fc.assert(
    fc.asyncProperty(
      given,
      fc.constantFrom('page', 'skip', 'cursor'),
      async ({ things, size, kind, sort }, style) => {
        const { list, create } = createList([style, 'size', 'kind', 'sort']);
        for (const one of things) await create(one);
        const all = things.map((one, index) => ({ ...one, id: index + 1 }));
        const asked = { ...(kind && { kind }), ...(sort && { sort }) };
        const seen: Item[] = [];
        let query: Record<string, string> = { ...asked, size: String(size) };
        for (let isMore = true; isMore; ) {
          const { data, next, has_more } = await list(query);
          seen.push(...data);
          expect(next !== null).toBe(has_more);
          isMore = has_more;
          if (isMore && style === 'cursor') query = { ...query, cursor: next };
          else if (isMore) query = Object.fromEntries(new URL(next).searchParams);
        }
        expect(seen).toEqual(modelOf(all, asked));
      },
    ),
    { numRuns: 60 },
  );
});

const change = fc.oneof(
  fc.record({ act: fc.constant('create' as const), rank: fc.nat(4) }),
  fc.record({ act: fc.constant('delete' as const), at: fc.nat(60) }),
);

it('shows each item once behind cursors, whatever is created and deleted meanwhile', async () => {
  await fc.assert(
    fc.asyncProperty(
      given,
      fc.array(fc.array(change, { maxLength: 6 }), { minLength: 1, maxLength: 8 }),
      async ({ things, size, kind, sort }, turns) => {
        const { list, create, store } = createList(['cursor', 'size', 'kind', 'sort']);
        for (const one of things) await create(one);
        const asked = { ...(kind && { kind }), ...(sort && { sort }) };
        const start = new Set(
          things.flatMap((one, index) =>
            kind === undefined || one.kind === kind ? [index + 1] : [],
          ),
        );
        const seen: number[] = [];
        let cursor: string | null | undefined;
        for (let turn = 0; cursor !== null; turn++) {
          const from: Record<string, string> = cursor === undefined ? {} : { cursor };
          const { data, next } = await list({ ...asked, size: String(size), ...from });
          const ids = data.map(({ id }: Item) => id);
          seen.push(...ids);
          cursor = next;
          for (const one of turn < 12 ? (turns[turn % turns.length] ?? []) : []) {
            if (one.act === 'create') await create({ rank: one.rank, kind: 'a' });
            // The last item seen is deleted as often as any.
            else {
              const id = one.at % 2 ? ids.at(-1) : one.at;
              if (await store.remove('things', String(id))) start.delete(id);
            }
          }
        }
        expect(seen).toEqual([...new Set(seen)]);
        for (const id of start) expect(seen).toContain(id);
      },
    ),
    { numRuns: 60 },
  );
});

it('goes back from the last page to the first by the cursors before', async () => {
  await fc.assert(
    fc.asyncProperty(given, async ({ things, size, sort }) => {
      const { list, create } = createList(['cursor', 'size', 'sort']);
      for (const one of things) await create(one);
      const asked = { size: String(size), ...(sort && { sort }) };
      const forth: Item[][] = [];
      let cursor: string | null | undefined;
      let page = await list(asked);
      for (; ; page = await list({ ...asked, cursor: page.next })) {
        forth.push(page.data);
        if (page.next === null) break;
      }
      const back: Item[][] = [page.data];
      for (cursor = page.previous; cursor !== null; cursor = page.previous) {
        page = await list({ ...asked, cursor });
        back.unshift(page.data);
      }
      expect(back).toEqual(forth);
    }),
    { numRuns: 60 },
  );
});
