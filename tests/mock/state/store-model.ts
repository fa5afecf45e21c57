import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toByteText } from '../../../mock/json/exact-json.ts';
import {
  addCounted,
  type Collections,
  type Ensure,
  IdTakenError,
  type NewItem,
  type Store,
  type StoredItem,
} from '../../../mock/state/store.ts';
import { everything, plain, type Stores } from './compared-at-close.ts';

/** Texts that are plain ids and names, however they look elsewhere. */
const hostile = [
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', "'; DROP TABLE pets; --"],
  ...['%', '_', '*', '\u0000', 'a\u0000b', '🐕', '', 'a', 'A', '\u00e9', 'e\u0301'],
  ...['01', '1.0', ' 1', '9007199254740992', '9007199254740993', '9223372036854775807'],
];
const names = ['pets', 'toys', '__proto__', ''];

function toItem(id: string, status: string): StoredItem {
  const filters = Object.fromEntries([
    ['status', status],
    [id, 'own'],
  ]);
  return { id, json: toByteText(JSON.stringify({ id, status })), filters };
}

/** Refuses a second item of the status `one`. */
const ensureOne: Ensure = (items, hasOther) => {
  const isOne = (json: StoredItem['json']) => JSON.parse(json).status === 'one';
  const ones = items.filter(({ json }) => isOne(json)).length;
  if (ones > 1 || (ones === 1 && hasOther(isOne))) throw new Error('refused');
};

const name = fc.constantFrom(...names, 'pets', 'pets', 'pets');
const count = fc.integer({ min: 1, max: 12 });
const id = fc.oneof(
  { arbitrary: count.map(String), weight: 4 },
  { arbitrary: fc.constantFrom(...hostile), weight: 1 },
);
const status = fc.constantFrom('new', 'sold', 'one', '__proto__');
const isEnsured = fc.boolean();
const of = <A extends string, Fields extends object>(
  act: A,
  fields: { [name in keyof Fields]: fc.Arbitrary<Fields[name]> },
) => fc.record({ act: fc.constant(act), name, ...fields }) as fc.Arbitrary<Named<A, Fields>>;
type Named<A extends string, Fields extends object> = { act: A; name: string } & Fields;

const kind = fc.constantFrom('given' as const, 'either' as const, 'counted' as const);
const change = fc.oneof(
  of('add', { status, isEnsured }),
  of('addAll', {
    items: fc.array(fc.record({ id, status, kind }), { maxLength: 3 }),
    fails: fc.constantFrom(false, false, false, true),
    isEnsured,
  }),
  of('put', { id, status, isCounted: fc.boolean(), ifFree: fc.boolean(), isEnsured }),
  of('change', { id, newId: fc.option(id, { nil: undefined }), status, isEnsured }),
  of('remove', { id }),
  of('removeAll', { status: fc.option(status, { nil: undefined }), above: fc.option(count) }),
);
const step = fc.oneof(
  { arbitrary: change, weight: 12 },
  {
    arbitrary: fc.record({ all: fc.array(change, { maxLength: 4 }), fails: isEnsured }),
    weight: 2,
  },
  { arbitrary: fc.record({ act: fc.constant('save' as const) }), weight: 1 },
  { arbitrary: fc.record({ act: fc.constant('load' as const), at: fc.nat(4) }), weight: 1 },
);
type Change = typeof change extends fc.Arbitrary<infer One> ? One : never;

/** An item, and its serial number once that was seen. */
type Entry = { item: StoredItem; serial?: number };
type Table = { entries: Entry[]; next: number; lastSerial: number };

/** Holds what a store should, as plain lists. */
class Model {
  tables: Record<string, Table> = Object.create(null);

  constructor(collections: Collections) {
    for (const [name, { items, next }] of Object.entries(collections))
      this.tables[name] = { entries: items.map((item) => ({ item })), next, lastSerial: 0 };
  }

  table(name: string): Table {
    return (this.tables[name] ??= { entries: [], next: 1, lastSerial: 0 });
  }

  find(name: string, id: string): Entry | undefined {
    return this.table(name).entries.find(({ item }) => item.id === id);
  }

  copy(): Model {
    const copy = new Model({});
    copy.tables = Object.assign(Object.create(null), structuredClone(this.tables));
    return copy;
  }

  collections(): Collections {
    const held = Object.entries(this.tables).filter(([, one]) => one.next > 1 || one.entries[0]);
    return Object.fromEntries(
      held.map(([name, { entries, next }]) => [
        name,
        { items: entries.map((one) => one.item), next },
      ]),
    );
  }

  /** Does a step, and gives the result or the error, after which nothing is changed. */
  act(one: Change): unknown {
    const before = this.copy();
    try {
      return this.#apply(one);
    } catch (error) {
      this.tables = before.tables;
      return error instanceof Error ? error.constructor.name : error;
    }
  }

  #apply(one: Change): unknown {
    const table = this.table(one.name);
    const { entries } = table;
    const ensure = (items: readonly StoredItem[], except: readonly string[]) => {
      const others = entries.filter(({ item }) => !except.includes(item.id));
      if ('isEnsured' in one && one.isEnsured)
        ensureOne(items, (isMatch) => others.some(({ item }) => isMatch(item.json)));
    };
    const countOn = (number: number | undefined) =>
      (table.next = Math.max(table.next, (number ?? 0) + 1));
    const free = (taken: readonly string[] = []) => {
      const isTaken = (id: string) => taken.includes(id) || this.find(one.name, id) !== undefined;
      while (isTaken(String(table.next))) table.next++;
      return String(table.next++);
    };
    switch (one.act) {
      case 'add': {
        const item = toItem(free(), one.status);
        ensure([item], []);
        entries.push({ item });
        return item;
      }
      case 'addAll': {
        const added: StoredItem[] = [];
        for (const { id, status, kind } of one.items) {
          const taken = added.map((item) => item.id);
          const isFree = kind !== 'counted' && !taken.includes(id) && !this.find(one.name, id);
          if (kind === 'given' && !isFree) throw { taken: id };
          if (isFree) countOn(numberOf(id));
          added.push(toItem(isFree ? id : free(taken), status));
        }
        if (one.fails) throw new Error('no item');
        ensure(added, []);
        entries.push(...added.map((item) => ({ item })));
        return { items: added };
      }
      case 'put': {
        const found = this.find(one.name, one.id);
        if (found && one.ifFree) return 'taken';
        const item = toItem(one.id, one.status);
        ensure([item], [one.id]);
        if (found) found.item = item;
        else entries.push({ item });
        if (one.isCounted) countOn(numberOf(one.id));
        return found ? 'replaced' : 'added';
      }
      case 'change': {
        const found = this.find(one.name, one.id);
        if (!found) return undefined;
        const { id, newId = id } = one;
        if (newId !== id && this.find(one.name, newId)) throw new IdTakenError();
        const item = toItem(newId, one.status);
        ensure([item], [id]);
        found.item = item;
        if (one.newId !== undefined) countOn(numberOf(newId));
        return item;
      }
      case 'remove':
        table.entries = entries.filter(({ item }) => item.id !== one.id);
        return table.entries.length < entries.length;
      case 'removeAll':
        table.entries = entries.filter(({ item }) => !isMeant(item, one));
        return entries.length - table.entries.length;
    }
  }
}

/** The number that an id stands for, if any. */
function numberOf(id: string): number | undefined {
  return /^[1-9]\d?$/.test(id) ? Number(id) : undefined;
}

function isMeant(
  { id, filters }: StoredItem,
  one: { status?: string | undefined; above: number | null },
) {
  const isOf = one.status === undefined || filters.status === one.status;
  return isOf && (one.above === null || Number(id) > one.above);
}

async function act(store: Store, one: Change): Promise<unknown> {
  const ensure = 'isEnsured' in one && one.isEnsured ? ensureOne : undefined;
  const count = (status: string) => (n: number) => toItem(String(n), status);
  switch (one.act) {
    case 'add':
      return addCounted(store, one.name, count(one.status), ensure);
    case 'addAll': {
      const items = one.items.map(({ id, status, kind }): NewItem => {
        const given = { item: toItem(id, status), number: numberOf(id) };
        if (kind === 'counted') return { toItem: count(status) };
        return kind === 'given' ? { given } : { given, toItem: count(status) };
      });
      const failing = (): StoredItem => {
        throw new Error('no item');
      };
      const all = one.fails ? [...items, { toItem: failing }] : items;
      const { taken, items: added } = await store.addAll(one.name, all, ensure);
      return taken === undefined ? { items: added } : { taken };
    }
    case 'put': {
      const number = one.isCounted ? numberOf(one.id) : undefined;
      const options = { number, ifFree: one.ifFree, ...(ensure && { ensure }) };
      return store.put(one.name, toItem(one.id, one.status), options);
    }
    case 'change': {
      const { id, newId } = one;
      const number = newId === undefined ? undefined : numberOf(newId);
      const change = () => ({ ...toItem(newId ?? id, one.status), number });
      const item = await store.change(one.name, id, change, ensure);
      return item && { id: item.id, json: item.json, filters: item.filters };
    }
    case 'remove':
      return store.remove(one.name, one.id);
    case 'removeAll': {
      const { status, above } = one;
      const isMatch = (json: string) => Number(JSON.parse(json).id) > (above ?? 0);
      return store.removeAll(one.name, {
        ...(status !== undefined && { filters: { status } }),
        ...(above !== null && { isMatch }),
      });
    }
  }
}

const settle = (result: Promise<unknown>) => result.catch((error: Error) => error.constructor.name);

async function expectSame(store: Store, model: Model): Promise<void> {
  for (const name of [...names, 'none']) {
    const { entries } = model.table(name);
    const json = entries.map(({ item }) => item.json);
    expect(await store.list(name, everything)).toEqual(json);
    expect(await store.count(name)).toBe(entries.length);
    const query = { filters: { status: 'sold' }, skip: 1, limit: 2 };
    const sold = entries.filter(({ item }) => item.filters.status === 'sold');
    const shown = sold.map(({ item }) => item.json);
    expect(await store.list(name, query)).toEqual(shown.slice(1, 3));
    expect(await store.count(name, query.filters)).toBe(sold.length);
    const isMatch = (json: string) => JSON.parse(json).status === 'sold';
    const some = await store.listSerial(name, { filters: {}, limit: 2, isMatch });
    expect(some.map(({ json }) => json)).toEqual(shown.slice(0, 2));
  }
  for (const id of ['1', '2', '3', '12', ...hostile]) {
    const found = model.find('pets', id)?.item;
    expect(await store.get('pets', id), id).toBe(found?.json);
    const filters = Object.fromEntries([[id, 'own']]);
    expect(await store.list('pets', { ...everything, filters })).toEqual(found ? [found.json] : []);
    expect(await store.count('pets', { ...filters, status: 'none' })).toBe(0);
  }
}

/** Expects that serial numbers stay, and that new ones are greater than all before. */
async function expectSerials(store: Store, model: Model): Promise<void> {
  for (const name of names) {
    const table = model.table(name);
    const listed = await store.listSerial(name, everything);
    for (const [at, { serial }] of listed.entries()) {
      const entry = table.entries[at] as Entry;
      if (entry.serial === undefined) expect(serial).toBeGreaterThan(table.lastSerial);
      else expect(serial).toBe(entry.serial);
      Object.assign(entry, { serial });
      table.lastSerial = Math.max(table.lastSerial, serial);
    }
  }
}

const seeds: Collections = {
  pets: { items: ['1', '2', '3', '4', '5'].map((id) => toItem(id, 'new')), next: 6 },
};

/** The test that a store does as plain lists would, which every adapter of the port passes. */
export function testModel(name: string, { open }: Stores): void {
  it(`${name} does as a plain list would, in whatever order it is used`, async () => {
    const histories = fc.array(step, { maxLength: 20 });
    await fc.assert(fc.asyncProperty(histories, run), { numRuns: 150 });
  }, 60_000);

  async function run(history: (typeof step extends fc.Arbitrary<infer One> ? One : never)[]) {
    const [store, other] = [open(seeds), open(seeds)];
    let model = new Model(seeds);
    const saved = [{ held: await store.save(), collections: model.collections() }];
    for (const one of history) {
      if ('all' in one) {
        const draft = model.copy();
        const outcome = store.transact(async (own) => {
          for (const change of one.all)
            expect(await settle(act(own, change))).toEqual(draft.act(change));
          await expectSame(own, draft);
          await expectSame(store, model);
          if (one.fails) throw new IdTakenError();
        });
        expect(await settle(outcome)).toBe(one.fails ? 'IdTakenError' : undefined);
        if (!one.fails) model = draft;
      } else if (one.act === 'save')
        saved.push({ held: await store.save(), collections: structuredClone(model.collections()) });
      else if (one.act === 'load') {
        const { held, collections } = saved[one.at % saved.length] as (typeof saved)[number];
        await store.load(held);
        model = new Model(structuredClone(collections));
      } else expect(await settle(act(store, one))).toEqual(model.act(one));
      await expectSame(store, model);
      await expectSerials(store, model);
    }
    for (const { held, collections } of [
      ...saved,
      { held: await store.save(), collections: model.collections() },
    ])
      expect(plain(held)).toMatchObject(collections);
    await expectSame(other, new Model(seeds));
    await Promise.all([store.close(), other.close()]);
  }
}
