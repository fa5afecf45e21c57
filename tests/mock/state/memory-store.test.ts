import { expect, it } from 'vitest';
import { toByteText } from '../../../mock/json/exact-json.ts';
import { createRoom } from '../../../mock/state/budget.ts';
import {
  addCounted,
  type Collections,
  OutOfRoomError,
  type Store,
} from '../../../mock/state/store.ts';
import { openMemoryStore } from '../../../mock/state/store-of-tables.ts';
import { bytesOf } from '../../../mock/state/tables.ts';
import { testStores } from './store-conformance.ts';

testStores('the memory store', { open: openMemoryStore, bytesOf });

/**
 * A store with 200,000 items of which each thousandth is rare, and how many of them were looked at.
 */
function createWatchedStore() {
  let looks = 0;
  const items = Array.from({ length: 200_000 }, (_, index) => {
    const filters = {
      kind: (index + 1) % 1000 ? 'common' : 'rare',
      half: index < 100_000 ? '1' : '2',
    };
    const look = <T>(value: T) => {
      looks += 1;
      return value;
    };
    return {
      id: String(index + 1),
      get json() {
        return look(toByteText(`{"id":${index + 1}}`));
      },
      get filters() {
        return look(filters);
      },
    };
  });
  const open = openMemoryStore;
  const seeds = { pets: { items, next: 200_001 } };
  const store = open(seeds);
  return {
    looksWhile: async (run: (open: () => Store) => Promise<void>) => {
      looks = 0;
      await run(() => open(seeds));
      return looks;
    },
    looksOf: async (filters: Record<string, string>, limit: number) => {
      looks = 0;
      const found = await store.list('pets', { filters, limit });
      return { found: found.length, looks };
    },
  };
}

const { looksOf, looksWhile } = createWatchedStore();

it('looks at no item but those that it lists when one filter is given, rare or common', async () => {
  expect(await looksOf({}, 100)).toEqual({ found: 100, looks: 100 });
  expect(await looksOf({ kind: 'rare' }, 100)).toEqual({ found: 100, looks: 100 });
  expect(await looksOf({ kind: 'common' }, 100)).toEqual({ found: 100, looks: 100 });
  expect(await looksOf({ kind: 'none' }, 100)).toEqual({ found: 0, looks: 0 });
});

it('looks only at the items of the rarest value when several filters are given', async () => {
  const { found, looks } = await looksOf({ half: '2', kind: 'rare' }, 100);
  expect(found).toBe(100);
  expect(looks).toBeLessThan(1000);
});

it('looks at no item to open stores over the same contents, to add to one, in a transaction too, to save and to load', async () => {
  const looks = await looksWhile(async (open) => {
    const [store] = Array.from({ length: 100 }, open) as [Store];
    const saved = await store.save();
    const add = (to: Store) =>
      addCounted(to, 'pets', (n) => ({ id: String(n), json: toByteText(''), filters: {} }));
    await add(store);
    await store.transact(add);
    expect(await store.count('pets')).toBe(200_002);
    await store.load(saved);
    expect(await store.count('pets')).toBe(200_000);
  });
  expect(looks).toBe(0);
});

it('looks at what it lists alone after items were added', async () => {
  const looks = await looksWhile(async (open) => {
    const store = open();
    for (let added = 0; added < 1000; added++)
      await addCounted(store, 'pets', (n) => ({
        id: String(n),
        json: toByteText(`{"id":${n}}`),
        filters: { kind: 'rare', half: '3' },
      }));
    expect(await store.list('pets', { filters: { half: '3' }, limit: 2 })).toEqual([
      '{"id":200001}',
      '{"id":200002}',
    ]);
    expect(await store.list('pets', { filters: { kind: 'rare' }, limit: 202 })).toHaveLength(202);
  });
  expect(looks).toBe(200);
});

it('counts an item as its JSON, two bytes for each character of its filters, and what V8 takes', async () => {
  const open = openMemoryStore;
  const item = { id: '1', json: toByteText('x'.repeat(100)), filters: { kind: 'rare', half: '' } };
  expect(bytesOf([{ pets: { items: [item], next: 2 } }])).toBe(256 + 100 + 2 * 4);
  const asked: number[] = [];
  const store = open({}, (bytes) => asked.push(bytes));
  await addCounted(store, 'pets', () => item);
  expect([asked, bytesOf([store])]).toEqual([[364], 364]);
});

/** An item with a text of a length. */
const toPet = (id: number | string, length = 1000) => ({
  id: String(id),
  json: toByteText('x'.repeat(length)),
  filters: {},
});

it('shares what it began with and what was saved, and counts the places of a copy', async () => {
  const store = openMemoryStore({});
  const seeds = { pets: { items: Array.from({ length: 100 }, (_, n) => toPet(n)), next: 100 } };
  const [first, second] = [openMemoryStore(seeds), openMemoryStore(seeds)];
  const ofSeeds = bytesOf([seeds]);
  expect(bytesOf([first, second, store])).toBe(ofSeeds);
  await addCounted(first, 'pets', (n) => toPet(n));
  expect(bytesOf([first, second])).toBeLessThan(ofSeeds * 1.1);
  const saved = await first.save();
  expect(bytesOf([first, saved])).toBe(bytesOf([first]));
  await second.load(saved);
  expect(bytesOf([second], [saved])).toBe(0);
  await second.remove('pets', '100');
  expect(bytesOf([second], [saved])).toBeLessThan(ofSeeds * 0.1);
});

it('makes items smaller where there is no more room, and then has room', async () => {
  const held: (Store | Collections)[] = [];
  const max = 20 * bytesOf([{ pets: { items: [toPet(1)], next: 2 } }]);
  const room = createRoom({ max, free: () => [], held: () => held });
  const store = openMemoryStore({}, room.admit);
  held.push(store);
  for (let added = 0; added < 20; added++) await addCounted(store, 'pets', (n) => toPet(n));
  await expect(addCounted(store, 'pets', (n) => toPet(n))).rejects.toThrow(OutOfRoomError);
  await expect(store.change('pets', '1', () => toPet(1, 1001))).rejects.toThrow(OutOfRoomError);
  for (let id = 1; id <= 20; id++) await store.change('pets', String(id), () => toPet(id, 500));
  for (let added = 0; added < 5; added++) await addCounted(store, 'pets', (n) => toPet(n));
  expect(bytesOf(held)).toBeLessThanOrEqual(max);
});
