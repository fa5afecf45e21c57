import { expect } from 'vitest';
import type { Collections, Store } from '../../../mock/state/store.ts';

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

/** Those that are not as ones that nobody named, which are empty and not counted yet. */
export function withoutUnnamed(collections: Collections): Collections {
  const named = Object.entries(collections).filter(
    ([, { items, next }]) => items.length > 0 || next > 1,
  );
  return Object.fromEntries(named);
}

function toPlain(collections: Collections) {
  return Object.entries(withoutUnnamed(collections))
    .map(([name, { items, next }]) => ({ name, next, items: [...items] }))
    .toSorted((left, right) => (left.name < right.name ? -1 : 1));
}
