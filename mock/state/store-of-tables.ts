import {
  type Admit,
  type Collections,
  type Filters,
  IdTakenError,
  type ListQuery,
  type SerialItem,
  type Store,
  StoreUnavailableError,
} from './store.ts';
import type { Change, Entry, FilterValues, Table } from './table.ts';
import { counted, Draft, Tables } from './tables.ts';
import { createTurns } from './turns.ts';

/** Bounds the attempts of a transaction whose reads others change; retries run one at a time. */
const maxAttempts = 20;

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

/**
 * Creates transactions: an act sees the tables as at its start, and its changes are stored
 * together.
 */
function createTransact(tables: Tables, run: Changer['run']): Store['transact'] {
  const inTurn = createTurns();
  const attempt = async <T>(act: (store: Store) => Promise<T>) => {
    const before = tables.fork();
    const draft = new Draft(before.fork());
    const seen: StorePart[] = [];
    const value = await act(openWatched(draft, seen));
    const { changes } = draft;
    if (changes.length === 0) return { value };
    for (const { collection, put, remove } of changes)
      seen.push([collection, put ? put.id : remove]);
    const isStored = await run((stored) => {
      if (!seen.every((one) => isSame(before, stored.tables, one))) return false;
      if (!changes.every((change) => isFree(before, stored.tables, change))) return false;
      stored.repeat(changes);
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

/** A collection that was looked at, or of it an item by its id, or those that equal filters. */
type StorePart = [name: string, what?: string | Filters | undefined];

/** Whether the tables still have what an act saw. */
function isSame(before: Tables, now: Tables, [name, what = {}]: StorePart): boolean {
  const [then, since] = [before.find(name), now.find(name)];
  if (then === since) return true;
  if (typeof what === 'string') return then?.entryOf(what)?.item === since?.entryOf(what)?.item;
  const filters = Object.entries(what);
  if (filters.length === 0) return false;
  const others = entriesOf(since, filters);
  const all = entriesOf(then, filters);
  return (
    all.length === others.length && all.every(({ item }, index) => item === others[index]?.item)
  );
}

function entriesOf(table: Table | undefined, filters: FilterValues): Entry[] {
  const entries: Entry[] = [];
  table?.visit(filters, (entry) => entries.push(entry) > 0);
  return entries;
}

/**
 * Whether a number that a change took is still free. A number is given once, though its item may be
 * gone.
 */
function isFree(before: Tables, now: Tables, { collection, next }: Change): boolean {
  const [then, since] = [before, now].map((tables) => tables.find(collection)?.next ?? 1);
  return next === then || since === then;
}

/** Opens a store on a draft, and records each read. */
function openWatched(draft: Draft, seen: StorePart[]): Store {
  const inner = createChanges(async (compute) => compute(draft));
  /** Notes an item as seen; with `ensure`, which reads other items, the whole collection. */
  const see = (name: string, id?: string, ensure?: object) => {
    seen.push(id === undefined || ensure ? [name] : [name, id]);
  };
  const seeing = (...one: Parameters<typeof see>) => {
    see(...one);
    return inner;
  };
  const reader = createReader(draft.tables);
  const reading = (...one: StorePart) => {
    seen.push(one);
    return reader;
  };
  const refuse = () => Promise.reject(new Error('A transaction is not saved, loaded or closed.'));
  const watched: Store = {
    addAll(name, items, ensure) {
      const looks = ensure !== undefined || items.some(({ given }) => given);
      return (looks ? seeing(name) : inner).addAll(name, items, ensure);
    },
    put: (name, item, options) => seeing(name, item.id, options?.ensure).put(name, item, options),
    change: (name, id, toItem, ensure) => seeing(name, id, ensure).change(name, id, toItem, ensure),
    remove: (name, id) => seeing(name, id).remove(name, id),
    removeAll(name, meant) {
      seen.push([name, meant?.filters]);
      return inner.removeAll(name, meant);
    },
    transact: (act) => act(watched),
    get: (name, id) => reading(name, id).get(name, id),
    list: (name, query) => reading(name, query?.filters).list(name, query),
    listSerial: (name, query) => reading(name, query?.filters).listSerial(name, query),
    count: (name, filters) => reading(name, filters).count(name, filters),
    nextNumber: (name) => reading(name).nextNumber(name),
    save: refuse,
    load: refuse,
    close: refuse,
  };
  return watched;
}

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

/** Lists the methods of a store that change single items or several. */
export type Changes = Pick<Store, 'addAll' | 'put' | 'change' | 'remove' | 'removeAll'>;

/** Creates methods that change items in drafts that `run` stores. */
function createChanges(run: Changer['run']): Changes {
  return {
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
        draft.put(name, item, { number });
        return isTaken ? 'replaced' : 'added';
      }),
    change: (name, id, toItem, ensure) =>
      run((draft) => {
        const before = draft.itemOf(name, id);
        if (!before) return undefined;
        const { number, ...item } = toItem(before.json);
        if (item.id !== id && draft.itemOf(name, item.id)) throw new IdTakenError();
        ensure?.([item], draft.hasOtherThan(name, [before]));
        draft.put(name, item, { number, of: id });
        return item;
      }),
    remove: (name, id) =>
      run((draft) => {
        if (!draft.itemOf(name, id)) return false;
        draft.remove(name, id);
        return true;
      }),
    removeAll: (name, { filters = {}, isMatch } = {}) =>
      run((draft) => {
        const found = draft.itemsOf(name, Object.entries(filters));
        const meant = isMatch ? found.filter(({ json }) => isMatch(json)) : found;
        // From the end, where no others have to move up.
        for (const { id } of meant.toReversed()) draft.remove(name, id);
        return meant.length;
      }),
  };
}

/** Creates methods that read items from tables. */
function createReader(
  tables: Tables,
): Pick<Store, 'get' | 'list' | 'listSerial' | 'count' | 'nextNumber'> {
  const find = (
    name: string,
    { filters = {}, limit = Infinity, skip = 0, isMatch }: ListQuery = {},
  ) => {
    const found: SerialItem[] = [];
    let left = skip;
    const take = ({ serial, item: { json } }: Entry) => {
      if (isMatch && !isMatch(json)) return true;
      return left-- > 0 || found.push({ serial, json }) < limit;
    };
    if (limit > 0) tables.find(name)?.visit(Object.entries(filters), take);
    return found;
  };
  return {
    get: async (name, id) => tables.find(name)?.entryOf(id)?.item.json,
    list: async (name, query) => find(name, query).map(({ json }) => json),
    listSerial: async (name, query) => find(name, query),
    count: async (name, filters = {}) => tables.find(name)?.count(Object.entries(filters)) ?? 0,
    nextNumber: async (name) => tables.find(name)?.next ?? 1,
  };
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
