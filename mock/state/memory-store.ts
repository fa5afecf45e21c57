import { Draft } from './draft.ts';
import type { Entry } from './entries.ts';
import type { Admit, Collections, SerialItem, Store } from './store.ts';
import { counted, Tables } from './tables.ts';

/**
 * Changes what tables hold. A memory store applies a change at once; one that is backed by a file or
 * a server stores it there first, and computes it again where another process was faster. So there
 * is one store, which answers from memory, and this is all that differs.
 */
export interface Changer {
  /** Computes changes, stores them, and applies them; then gives what the computation gave. */
  run<T>(compute: (draft: Draft) => T): Promise<T>;
  /** Puts these collections in place of all. */
  load(collections: Collections): Promise<void>;
  close(): Promise<void>;
}

/** Makes a store that reads tables and has a changer change them. */
export function createStore(tables: Tables, { run, load, close }: Changer): Store {
  const store: Store = {
    add: (name, toItem, ensure) =>
      run((draft) => {
        const number = draft.nextOf(name);
        const item = toItem(number);
        ensure?.([item], draft.hasOtherThan(name, [item]));
        draft.put(name, item, number);
        return item;
      }),
    addAll: (name, items, ensure) =>
      run((draft) =>
        draft.putAll(name, items, (planned) =>
          ensure?.(planned, draft.hasOtherThan(name, planned)),
        ),
      ),
    put: (name, item, { number, ifFree = false, ensure } = {}) =>
      run((draft) => {
        const isTaken = draft.itemOf(name, item.id) !== undefined;
        if (isTaken && ifFree) return 'taken';
        ensure?.([item], draft.hasOtherThan(name, [item]));
        draft.put(name, item, number);
        return isTaken ? 'replaced' : 'added';
      }),
    change: (name, id, toItem, ensure) =>
      run((draft) => {
        const before = draft.itemOf(name, id);
        if (!before) return undefined;
        const item = toItem(before.json);
        ensure?.([item], draft.hasOtherThan(name, [item]));
        draft.put(name, item);
        return item;
      }),
    remove: (name, id) =>
      run((draft) => {
        if (!draft.itemOf(name, id)) return false;
        draft.remove(name, id);
        return true;
      }),
    removeAll: (name, filters = {}, isMeant) =>
      run((draft) => {
        const found = draft.itemsOf(name, Object.entries(filters));
        const meant = isMeant ? found.filter(({ json }) => isMeant(json)) : found;
        // From the end, where no others have to move up.
        for (const { id } of meant.toReversed()) draft.remove(name, id);
        return meant.length;
      }),
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
