import type { Draft } from './draft.ts';
import {
  type Collections,
  IdTakenError,
  type ListQuery,
  type SerialItem,
  type SerialQuery,
  type Store,
} from './store.ts';
import type { Entry } from './table.ts';
import type { Tables } from './tables.ts';

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

/** What of a store changes items of its own. */
export type Changes = Pick<Store, 'add' | 'addAll' | 'put' | 'change' | 'remove' | 'removeAll'>;

/** Makes what changes items by drafts that `run` gives. */
export function createChanges(run: Changer['run']): Changes {
  return {
    add: (name, toItem, ensure) =>
      run((draft) => {
        const { item, number } = draft.count(name, toItem);
        ensure?.([item], draft.hasOtherThan(name, [item]));
        draft.put(name, item, { number });
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
    removeAll: (name, filters = {}, isMeant) =>
      run((draft) => {
        const found = draft.itemsOf(name, Object.entries(filters));
        const meant = isMeant ? found.filter(({ json }) => isMeant(json)) : found;
        // From the end, where no others have to move up.
        for (const { id } of meant.toReversed()) draft.remove(name, id);
        return meant.length;
      }),
  };
}

/** Makes what reads tables. */
export function createReader(tables: Tables): Pick<Store, 'get' | 'list' | 'listSerial' | 'count'> {
  const find = (name: string, { filters, limit, skip = 0, isMeant }: ListQuery & SerialQuery) => {
    const found: SerialItem[] = [];
    let left = skip;
    const take = ({ serial, item: { json } }: Entry) => {
      if (isMeant && !isMeant(json)) return true;
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
  };
}
