import { expect, it } from 'vitest';
import { toByteText } from '../../../mock/json/exact-json.ts';
import { createRoom } from '../../../mock/sandboxes/sandbox-entries.ts';
import { createMemoryStores } from '../../../mock/state/memory-store.ts';
import { type Collections, OutOfRoomError, type Store } from '../../../mock/state/store.ts';
import { testStores } from './store-conformance.ts';

testStores('the memory store', createMemoryStores());

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
  const { open } = createMemoryStores();
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

it('looks at no item to open stores over the same contents, to add to them, to save and to load', async () => {
  const looks = await looksWhile(async (open) => {
    const stores = Array.from({ length: 100 }, open);
    for (const [index, store] of stores.entries()) {
      for (let added = 0; added < index; added++)
        await store.add('pets', (n) => ({
          id: String(n),
          json: toByteText(`{"id":${n}}`),
          filters: { kind: 'new' },
        }));
      const saved = await store.save();
      await store.add('pets', (n) => ({ id: String(n), json: toByteText(''), filters: {} }));
      await store.load(saved);
      expect(await store.count('pets')).toBe(200_000 + index);
      expect(await store.list('pets', { filters: { kind: 'new' }, limit: 1 })).toHaveLength(
        Math.min(index, 1),
      );
    }
  });
  expect(looks).toBe(0);
});

it('looks at what it lists alone after items were added', async () => {
  const looks = await looksWhile(async (open) => {
    const store = open();
    for (let added = 0; added < 1000; added++)
      await store.add('pets', (n) => ({
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
  const { open, bytesOf } = createMemoryStores();
  const item = { id: '1', json: toByteText('x'.repeat(100)), filters: { kind: 'rare', half: '' } };
  expect(bytesOf([{ pets: { items: [item], next: 2 } }])).toBe(256 + 100 + 2 * 4);
  const asked: number[] = [];
  const store = open({}, (bytes) => asked.push(bytes));
  await store.add('pets', () => item);
  expect([asked, bytesOf([store])]).toEqual([[364], 364]);
});

it('shares seeds and what was saved, also with a store that had more added since', async () => {
  const { open, bytesOf } = createMemoryStores();
  const toItem = (n: number) => ({ id: String(n), json: toByteText(`{"id":${n}}`), filters: {} });
  const seeds = { pets: { items: [1, 2, 3].map(toItem), next: 4 } };
  const unit = bytesOf([seeds]) / 3;
  const [first, second] = [open(seeds), open(seeds)];
  await first.add('pets', toItem);
  const saved = await first.save();
  expect(bytesOf([first, second, saved])).toBe(4 * unit);
  await first.add('pets', toItem);
  await first.add('toys', toItem);
  expect(bytesOf([first, saved, await first.save()])).toBe(6 * unit);
  await second.load(saved);
  expect(bytesOf([second])).toBe(4 * unit);
  expect(bytesOf([first, second], [seeds])).toBe(4 * unit);
});

/** An item with a text of a length. */
const toPet = (id: number | string, length = 100) => ({
  id: String(id),
  json: toByteText('x'.repeat(length)),
  filters: {},
});

async function addPets(store: Store, count: number, length?: number) {
  for (let added = 0; added < count; added++) await store.add('pets', (n) => toPet(n, length));
}

it('counts once what a store shares with what was saved, also after many changes', async () => {
  const { open, bytesOf } = createMemoryStores();
  const store = open({});
  await addPets(store, 1000);
  const saved = await store.save();
  const before = bytesOf([store, saved]);
  for (let id = 1; id <= 250; id++) await store.change('pets', String(id), () => toPet(id));
  expect(bytesOf([store, saved])).toBeLessThan(before * 1.35);
  for (let id = 1; id <= 1000; id++) await store.remove('pets', String(id));
  expect(bytesOf([store, saved])).toBeLessThan(before * 1.35);
});

it('lets go of what was added after a save and then removed', async () => {
  const { open, bytesOf } = createMemoryStores();
  const store = open({});
  await addPets(store, 100);
  const saved = await store.save();
  const before = bytesOf([store, saved]);
  for (let id = 101; id <= 2000; id++) {
    await addPets(store, 1);
    await store.remove('pets', String(id));
  }
  expect(bytesOf([store, saved])).toBeLessThan(before * 4);
});

/** A store with a room for 20 items, which are all taken. */
async function openFull() {
  const { open, bytesOf } = createMemoryStores();
  const held: (Store | Collections)[] = [];
  const max = 20 * bytesOf([{ pets: { items: [toPet(1, 1000)], next: 2 } }]);
  const seeds = { pets: { items: [toPet('seed', 1000)], next: 1 } };
  const room = createRoom({ max, bytesOf, free: () => [seeds], held: () => held });
  const store = open(seeds, room.admit);
  held.push(store);
  await addPets(store, 20, 1000);
  await expect(store.add('pets', (n) => toPet(n, 1000))).rejects.toThrow(OutOfRoomError);
  return { store, held, max, taken: () => bytesOf(held, [seeds]) };
}

it('makes items smaller where there is no more room, and then has room', async () => {
  const { store, max, taken } = await openFull();
  await expect(store.change('pets', '1', () => toPet(1, 1001))).rejects.toThrow(OutOfRoomError);
  await expect(store.change('pets', 'none', () => toPet(1))).resolves.toBeUndefined();
  for (let id = 1; id <= 20; id++) {
    await store.change('pets', String(id), () => toPet(id, 500));
    expect(await store.put('pets', toPet(id, 400))).toBe('replaced');
  }
  expect(await store.count('pets')).toBe(21);
  await addPets(store, 5, 1000);
  expect(taken()).toBeLessThanOrEqual(max);
});

it('makes nothing smaller that remains besides, where there is no more room', async () => {
  const { store, held, max, taken } = await openFull();
  await expect(store.put('pets', toPet('seed', 1))).rejects.toThrow(OutOfRoomError);
  held.push(await store.save());
  await expect(store.change('pets', '1', () => toPet(1, 1))).rejects.toThrow(OutOfRoomError);
  await store.remove('pets', '1');
  await expect(store.change('pets', '2', () => toPet(2, 1))).rejects.toThrow(OutOfRoomError);
  // A removed item is noted, which takes little.
  expect(taken()).toBeLessThanOrEqual(max + 64);
});
