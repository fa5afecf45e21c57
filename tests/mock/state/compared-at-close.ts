import { expect } from 'vitest';
import type { Collections, Store } from '../../../mock/state/store.ts';
import type { openMemoryStore } from '../../../mock/state/store-of-tables.ts';
import type { bytesOf as bytesOfStores } from '../../../mock/state/tables.ts';

/** An adapter of the port. */
export type Stores = { open: typeof openMemoryStore; bytesOf: typeof bytesOfStores };

/** A query for all items. */
export const everything = { filters: {}, limit: Number.POSITIVE_INFINITY };

/** A store whose closing sees that what holds its items elsewhere has the same. */
export function comparedAtClose(store: Store, readElsewhere: () => Promise<Collections>): Store {
  const { close } = store;
  return Object.assign(store, {
    async close() {
      expect(toPlain(await readElsewhere())).toEqual(toPlain(await store.save()));
      await close();
    },
  });
}

/** Collections as plain data. */
export function plain(collections: Collections): Collections {
  return Object.fromEntries(
    Object.entries(collections).map(([name, { items, next }]) => [name, { items, next }]),
  );
}

/** Returns the collections that hold anything; one that nobody named holds nothing. */
function toPlain(collections: Collections) {
  const held = Object.entries(plain(collections));
  return Object.fromEntries(held.filter(([, { items, next }]) => items.length > 0 || next > 1));
}
