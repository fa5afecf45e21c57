import { type Changer, createChanges, createReader } from './changes.ts';
import { Draft } from './draft.ts';
import type { Admit, Collections, Store } from './store.ts';
import { counted, Tables } from './tables.ts';
import { createTransact } from './transaction.ts';

/** Makes a store that reads tables and has a changer change them. */
export function createStore(tables: Tables, { run, load, close }: Changer): Store {
  const store: Store = {
    ...createChanges(run),
    transact: createTransact(tables, run),
    ...createReader(tables),
    save: async () => tables.save(),
    load,
    close,
  };
  return counted(store, tables);
}

/** Opens a store in the memory of this process alone. */
export function openMemoryStore(collections: Collections, admit?: Admit): Store {
  const tables = new Tables(collections);
  return createStore(tables, {
    run: async (compute) => compute(new Draft(tables, admit)),
    load: async (loaded) => tables.load(loaded),
    close: async () => {},
  });
}
