import type { Resource } from '../../contracts/description/document.ts';
import { valueAt } from '../../contracts/description/property-path.ts';
import { type ByteText, toText } from '../json/byte-text.ts';
import { parseExact } from '../json/exact-json.ts';
import { filterOf, isInScopes, type ScopeValue } from '../state/scopes.ts';
import type { Store } from '../state/store.ts';

/** An item, and the id by which a store knows it. */
export type FoundItem = { key: string; json: ByteText };

/** What a store knows an item by whose own id an item of another scope has. */
export function keyInScopes(id: string, values: readonly ScopeValue[]): string {
  return [...values.map(({ text }) => text), id].map(encodeURIComponent).join('/');
}

/** Whether items of several scopes may have the same id, as callers choose it, and these are all. */
export function canRepeatIds(
  { givenId, scope = [] }: Resource,
  values: readonly ScopeValue[],
): boolean {
  return (
    givenId !== undefined &&
    scope.length > 0 &&
    scope.length === values.length &&
    scope.every((one, index) => filterOf(one) === filterOf((values[index] as ScopeValue).scope))
  );
}

/** Finds the item of some scopes that has an id. */
export async function findInScopes(
  store: Store,
  resource: Resource,
  { id, values }: { id: string; values: readonly ScopeValue[] },
): Promise<FoundItem | undefined> {
  const { name, idProperty } = resource;
  const repeats = canRepeatIds(resource, values);
  const find = async (key: string): Promise<FoundItem | undefined> => {
    const json = await store.get(name, key);
    if (json === undefined || values.length === 0) return json && { key, json };
    const item = parseExact(toText(json)).value as Readonly<Record<string, unknown>>;
    const isMeant = !repeats || String(valueAt(item, idProperty)) === id;
    return isMeant && isInScopes(item, values) ? { key, json } : undefined;
  };
  return (await find(id)) ?? (repeats ? find(keyInScopes(id, values)) : undefined);
}
