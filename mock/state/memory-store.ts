import { Draft } from './draft.ts';
import type { Admit, Collections, Store } from './store.ts';
import { createStore } from './store-of-tables.ts';
import { Tables } from './tables.ts';

/** Opens a store in the memory of this process alone. */
export function openMemoryStore(collections: Collections, admit?: Admit): Store {
  const tables = new Tables(collections);
  return createStore(tables, {
    run: async (compute) => compute(new Draft(tables, admit)),
    load: async (loaded) => tables.load(loaded),
    close: async () => {},
  });
}
