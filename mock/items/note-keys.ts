import type { Resource } from '../../contracts/description/document.ts';
import { valueAt } from '../../contracts/description/property-path.ts';
import { memberOf } from '../state/scopes.ts';
import { canRepeatIds, keyInScopes } from './find-in-scopes.ts';
import type { IdLedger } from './id-ledger.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What a store knows an item by, or the index of the item that has its id already. */
export type NotedKey = { key: string; first?: never } | { first: number; key?: never };

/**
 * Makes what notes the items of a collection by their ids, where ids may have to differ only below
 * the same parent.
 */
export function createNoteKey(
  resource: Resource,
  ids: IdLedger,
): (item: Fields, id: string, index: number) => NotedKey {
  const { scope = [] } = resource;
  const valuesOf = (item: Fields) =>
    scope.map((one) => ({ scope: one, text: String(valueAt(item, memberOf(one))) }));
  const repeats = canRepeatIds(resource, valuesOf({}));
  const ofScopes = new Map<string, number>();
  return (item, id, index) => {
    const inScopes = repeats ? keyInScopes(id, valuesOf(item)) : id;
    const before = ofScopes.get(inScopes);
    if (before !== undefined) return { first: before };
    if (repeats) ofScopes.set(inScopes, index);
    const first = ids.note(id, index);
    if (first === undefined) return { key: id };
    return repeats ? { key: inScopes } : { first };
  };
}
