import { type Changer, createChanges } from './changes.ts';
import { Draft } from './draft.ts';
import type { Admit, Collections, SerialItem, Store } from './store.ts';
import type { Entry } from './table.ts';
import { counted, Tables } from './tables.ts';
import { createTransact } from './transaction.ts';

/** Makes a store that reads tables and has a changer change them. */
export function createStore(tables: Tables, { run, load, close }: Changer): Store {
  const store: Store = {
    ...createChanges(run),
    transact: createTransact(tables, run),
    ...createReader(tables),
    load,
    close,
  };
  return counted(store, tables);
}

function createReader(
  tables: Tables,
): Pick<Store, 'get' | 'list' | 'listSerial' | 'count' | 'save'> {
  return {
    get: async (name, id) => tables.find(name)?.entryOf(id)?.item.json,
    async list(name, { filters, limit, skip = 0 }) {
      const found = tables.find(name)?.page(Object.entries(filters), skip, limit);
      return found?.map(({ json }) => json) ?? [];
    },
    async listSerial(name, { filters, limit, isMeant }) {
      const found: SerialItem[] = [];
      const take = ({ serial, item: { json } }: Entry) => {
        if (isMeant?.(json) ?? true) found.push({ serial, json });
        return found.length < limit;
      };
      if (limit > 0) tables.find(name)?.visit(Object.entries(filters), take);
      return found;
    },
    count: async (name, filters = {}) => tables.find(name)?.count(Object.entries(filters)) ?? 0,
    save: async () => tables.save(),
  };
}

/** Opens a store in the memory of this process alone. */
export function openMemoryStore(collections: Collections, admit?: Admit): Store {
  const tables = new Tables(collections);
  return createStore(tables, {
    async run(compute) {
      const draft = new Draft(tables, admit);
      const value = compute(draft);
      tables.apply(draft.changes);
      return value;
    },
    load: async (loaded) => tables.load(loaded),
    close: async () => {},
  });
}
