import { expect, it } from 'vitest';
import { toByteText, toText } from '../../../mock/json/exact-json.ts';
import {
  addCounted,
  type Collections,
  type Contents,
  OutOfRoomError,
  type Store,
  type StoredItem,
} from '../../../mock/state/store.ts';
import { testChanges } from './change-conformance.ts';
import { everything, type Stores } from './compared-at-close.ts';
import { testModel } from './store-model.ts';
import { testTransact } from './transact-conformance.ts';

function pet(n: number, filters: Record<string, string> = {}): StoredItem {
  return { id: String(n), json: toByteText(`{"id":${n}}`), filters };
}

function pets(
  count: number,
  filtersOf: (n: number) => Record<string, string> = () => ({}),
): Contents {
  return {
    items: Array.from({ length: count }, (_, index) => pet(index + 1, filtersOf(index + 1))),
    next: count + 1,
  };
}

/** The tests that every adapter of the port passes. */
export function testStores(name: string, stores: Stores): void {
  testChanges(name, stores);
  testModel(name, stores);
  testTransact(name, stores);
  const { open, bytesOf } = stores;
  const test = (
    behaviour: string,
    run: (store: Store) => Promise<void>,
    collections: Collections = { pets: pets(3) },
  ) =>
    it(`${name} ${behaviour}`, async () => {
      const store = open(collections);
      await run(store).finally(() => store.close());
    });
  const ids = async (store: Store, query: Partial<Parameters<Store['list']>[1]> = {}) =>
    (await store.list('pets', { ...everything, ...query })).map(
      (json) => JSON.parse(toText(json)).id,
    );

  it(`${name} adds nothing that is not admitted`, async () => {
    const asked: number[] = [];
    let isFull = true;
    const store = open({ pets: pets(3) }, (bytes) => {
      asked.push(bytes);
      if (isFull) throw new OutOfRoomError('full');
    });
    expect(asked).toEqual([]);
    await expect(addCounted(store, 'pets', (n) => pet(n, { kind: 'a' }))).rejects.toThrow(
      OutOfRoomError,
    );
    expect([await store.count('pets'), await ids(store, { filters: { kind: 'a' } })]).toEqual([
      3,
      [],
    ]);
    isFull = false;
    const { id } = await addCounted(store, 'pets', (n) => pet(n));
    expect(await store.nextNumber('pets')).toBe(Number(id) + 1);
    expect(await ids(store)).toEqual([1, 2, 3, Number(id)]);
    expect(asked).toHaveLength(2);
    await store.load({ pets: pets(2) });
    expect(asked).toHaveLength(2);
    await store.close();
  });

  test('keeps JSON to the byte', async (store) => {
    for (const json of [
      '{"id":4,"name":"é\\ud800 \ufffe🐕 \\u0000"}',
      '{ "id" : 9007199254740993.0 }',
      `{"id":"${'x'.repeat(1_000_000)}"}`,
    ]) {
      const { id } = await addCounted(store, 'pets', (n) => ({
        ...pet(n),
        json: toByteText(json),
      }));
      expect(await store.get('pets', id)).toBe(toByteText(json));
    }
  });

  test('gives concurrent adds distinct numbers and keeps them all', async (store) => {
    const added = await Promise.all(
      Array.from({ length: 200 }, () => addCounted(store, 'pets', (n) => pet(n))),
    );
    expect(new Set(added.map(({ id }) => id)).size).toBe(200);
    expect(await store.count('pets')).toBe(203);
    expect(await ids(store)).toEqual(Array.from({ length: 203 }, (_, index) => index + 1));
  });

  it(`${name} counts the memory of stores and collections, what they share once`, async () => {
    const seeds = { pets: pets(3) };
    const [first, second] = [open(seeds), open(seeds)];
    const bytesOfSeeds = bytesOf([seeds]);
    expect(bytesOfSeeds).toBeGreaterThanOrEqual(3 * '{"id":1}'.length);
    expect([bytesOf([]), bytesOf([open({})])]).toEqual([0, 0]);
    expect(bytesOf([first, second, seeds, first])).toBe(bytesOfSeeds);
    expect(bytesOf([first, second], [seeds])).toBe(0);
    await addCounted(first, 'pets', (n) => pet(n));
    const saved = await first.save();
    expect(bytesOf([saved])).toBeGreaterThanOrEqual(bytesOf([first]));
    expect(bytesOf([saved])).toBeGreaterThan(bytesOfSeeds);
    expect([bytesOf([second], [seeds]), bytesOf([first, saved], [saved])]).toEqual([0, 0]);
    await first.load({});
    expect(bytesOf([first])).toBe(0);
    const other = { pets: pets(2) };
    expect(bytesOf([seeds, other], [seeds])).toBe(bytesOf([other]));
    await Promise.all([first.close(), second.close()]);
  });

  test('changes nothing when contents cannot be loaded', async (store) => {
    await addCounted(store, 'pets', (n) => pet(n));
    const unreadable = {
      next: 1,
      get items(): StoredItem[] {
        throw new Error('no items');
      },
    };
    await expect(store.load({ pets: pets(1), toys: unreadable })).rejects.toThrow('no items');
    expect([await ids(store), await store.count('toys')]).toEqual([[1, 2, 3, 4], 0]);
    expect((await addCounted(store, 'pets', (n) => pet(n))).id).toBe('5');
  });

  test('loads between calls that are under way, never within one', async (store) => {
    const busy = Array.from({ length: 50 }, () => addCounted(store, 'pets', (n) => pet(n)));
    const loading = store.load({ pets: pets(10) });
    const later = Array.from({ length: 50 }, () => addCounted(store, 'pets', (n) => pet(n)));
    await Promise.all([...busy, loading, ...later]);
    const { items, next } = (await store.save()).pets as Contents;
    const found = items.map(({ id }) => Number(id));
    expect(found).toEqual(Array.from({ length: next - 1 }, (_, index) => index + 1));
    expect([await ids(store), await store.count('pets')]).toEqual([found, found.length]);
    expect(found.length).toBeGreaterThanOrEqual(10);
  });

  it(`${name} is not changed by what its caller does with items, seeds and lists`, async () => {
    const items = [pet(1, { status: 'old' })];
    const store = open({ pets: { items, next: 2 } });
    items.push(pet(7));
    const filters: Record<string, string> = { status: 'new', kind: 'a' };
    const given: { -readonly [field in keyof StoredItem]: StoredItem[field] } = {
      id: '2',
      json: toByteText('{"id":2}'),
      filters,
    };
    const added: typeof given = await addCounted(store, 'pets', () => given);
    filters.status = 'changed';
    for (const item of [given, added]) Object.assign(item, { id: '8', json: '{"id":8}' });
    (await store.list('pets', everything)).length = 0;
    expect(await ids(store)).toEqual([1, 2]);
    expect(await ids(store, { filters: { status: 'new', kind: 'a' } })).toEqual([2]);
    await addCounted(store, 'pets', (n) => pet(n, { status: 'new', more: 'yes' }));
    expect(await ids(store, { filters: { status: 'new', more: 'yes' } })).toEqual([3]);
    const saved = await store.save();
    (saved.pets?.items as StoredItem[]).length = 0;
    await addCounted(store, 'pets', (n) => pet(n));
    expect(await ids(store)).toEqual([1, 2, 3, 4]);
    const contents = { items: [pet(5)], next: 6 };
    await store.load({ pets: contents });
    contents.items.push(pet(6));
    expect(await ids(store)).toEqual([5]);
    await store.close();
  });

  test(
    'finds a rare value among many',
    async (store) => {
      expect(await ids(store, { filters: { kind: 'rare' }, limit: 100 })).toEqual(
        Array.from({ length: 100 }, (_, index) => (index + 1) * 10),
      );
      expect(await ids(store, { filters: { kind: 'rare', half: '2' } })).toHaveLength(100);
      expect(await store.count('pets')).toBe(2000);
    },
    { pets: pets(2000, (n) => ({ kind: n % 10 ? 'common' : 'rare', half: n > 1000 ? '2' : '1' })) },
  );
}
