import { expect, it } from 'vitest';
import { createMemoryStore } from '../mock/state/memory-store.ts';
import { testStore } from './store-conformance.ts';

testStore('the memory store', async (seeds) => createMemoryStore(seeds));

/** A store with 200,000 items of which each thousandth is rare, and how many of them were looked at. */
function createWatchedStore() {
  let looks = 0;
  const items = Array.from({ length: 200_000 }, (_, index) => {
    const filters = { kind: (index + 1) % 1000 ? 'usual' : 'rare', half: index < 100_000 ? '1' : '2' };
    const look = <T>(value: T) => {
      looks += 1;
      return value;
    };
    return {
      id: String(index + 1),
      get json() {
        return look(`{"id":${index + 1}}`);
      },
      get filters() {
        return look(filters);
      },
    };
  });
  const store = createMemoryStore({ pets: { items, next: 200_001 } });
  return {
    looksOf: async (filters: Record<string, string>, limit: number) => {
      looks = 0;
      const found = await store.list('pets', { filters, limit });
      return { found: found.length, looks };
    },
  };
}

const { looksOf } = createWatchedStore();

it('looks at no item but those that it lists when one filter is given, rare or usual', async () => {
  expect(await looksOf({}, 100)).toEqual({ found: 100, looks: 100 });
  expect(await looksOf({ kind: 'rare' }, 100)).toEqual({ found: 100, looks: 100 });
  expect(await looksOf({ kind: 'usual' }, 100)).toEqual({ found: 100, looks: 100 });
  expect(await looksOf({ kind: 'none' }, 100)).toEqual({ found: 0, looks: 0 });
});

it('looks only at the items of the rarest value when several filters are given', async () => {
  const { found, looks } = await looksOf({ half: '2', kind: 'rare' }, 100);
  expect(found).toBe(100);
  expect(looks).toBeLessThan(1000);
});
