import { Draft } from './draft.ts';
import {
  type Admit,
  type Collections,
  type SerialItem,
  type Store,
  StoreUnavailableError,
} from './store.ts';
import type { Change, Entry } from './table.ts';
import { counted, Tables } from './tables.ts';
import { createTurns } from './turns.ts';

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

/** How often to act again where others change what was seen, with no other that does so beside. */
const maxAttempts = 20;

function createTransact(tables: Tables, run: Changer['run']): Store['transact'] {
  const inTurn = createTurns();
  const attempt = async <T>(act: (store: Store) => Promise<T>) => {
    const before = tables.save();
    const changes: Change[] = [];
    const seen: Seen[] = [];
    const value = await act(openWatched(before, { changes, seen }));
    if (changes.length === 0) return { value };
    for (const { collection, put, remove } of changes)
      seen.push([collection, put ? put.id : remove]);
    const isStored = await run((draft) => {
      if (!seen.every((one) => draft.isAsIn(before, ...one))) return false;
      draft.repeat(changes);
      return true;
    });
    return isStored ? { value } : undefined;
  };
  return async (act) => {
    const first = await attempt(act);
    if (first) return first.value;
    return inTurn(async () => {
      for (let attempts = 1; attempts < maxAttempts; attempts++) {
        const done = await attempt(act);
        if (done) return done.value;
      }
      throw new StoreUnavailableError(
        'Other calls change the same items faster than this one can.',
      );
    });
  };
}

/** A collection that was looked at, or an item of it by its id. */
type Seen = [name: string, id?: string];

/** Opens a store of collections that notes what is changed and seen of them. */
function openWatched(
  collections: Collections,
  { changes, seen }: { changes: Change[]; seen: Seen[] },
): Store {
  const tables = new Tables(collections);
  const inner = createStore(tables, {
    async run(compute) {
      const draft = new Draft(tables);
      const value = compute(draft);
      tables.apply(draft.changes);
      changes.push(...draft.changes);
      return value;
    },
    load: () => Promise.reject(new Error('Collections are not loaded within a transaction.')),
    close: async () => {},
  });
  /** What `ensure` is called with is all of a collection. */
  const seeing = (name: string, id?: string, ensure?: object) => {
    seen.push(id === undefined || ensure ? [name] : [name, id]);
    return inner;
  };
  const watched: Store = {
    ...inner,
    add: (name, toItem, ensure) => (ensure ? seeing(name) : inner).add(name, toItem, ensure),
    addAll: (name, ...rest) => seeing(name).addAll(name, ...rest),
    put: (name, item, options) => seeing(name, item.id, options?.ensure).put(name, item, options),
    change: (name, id, toItem, ensure) => seeing(name, id, ensure).change(name, id, toItem, ensure),
    remove: (name, id) => seeing(name, id).remove(name, id),
    removeAll: (name, ...rest) => seeing(name).removeAll(name, ...rest),
    transact: (act) => act(watched),
    get: (name, id) => seeing(name, id).get(name, id),
    list: (name, query) => seeing(name).list(name, query),
    listSerial: (name, query) => seeing(name).listSerial(name, query),
    count: (name, filters) => seeing(name).count(name, filters),
    save() {
      for (const name in collections) seeing(name);
      return inner.save();
    },
  };
  return watched;
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
