import { expect, it } from 'vitest';
import { toByteText } from '../../../mock/json/byte-text.ts';
import { createMemoryStores } from '../../../mock/state/memory-store.ts';
import type { Store } from '../../../mock/state/store.ts';
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
