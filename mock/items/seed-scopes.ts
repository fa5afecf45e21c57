import { valueAt } from '../../common/property-path.ts';
import type { Api, Resource, Scope } from '../../openapi/index.ts';
import { itemPathsOf, placementAt, placementsOf } from '../../openapi/model/placements.ts';
import { createToScopeMembers, memberOf, type ScopeValue } from '../state/scopes.ts';
import type { Contents, StoredItem } from '../state/store.ts';
import { type Fields, fieldsOf } from './stored-item.ts';

/** The number of items with nested items, and the number of nested items of each. */
const parentsWithItems = 10;
export const itemsEach = 3;

const noItem = { id: '' } as StoredItem;

/**
 * Returns the parent members for the seed items of a collection at a nested path. The first items
 * of the parent collection, `atLeast` so many, get some each. Without a parent collection, only the parent in the
 * document's example has items.
 */
export function toSeedScopes(
  document: Api,
  resource: Resource,
  { scope, path, atLeast = 0 }: { scope: readonly Scope[]; path: string; atLeast?: number },
  above?: Contents,
): Fields[] {
  const toMembers = createToScopeMembers(document, resource);
  const last = scope.findLastIndex(({ parent }) => parent !== undefined);
  const parent = document.resources.find(({ name }) => name === scope[last]?.parent);
  const most = Math.max(parentsWithItems, atLeast);
  const parents = parent ? (above?.items ?? []).slice(0, most) : [noItem];
  const named = parent && placementAt(parent, itemPathsOf(path)[last] ?? '');
  const count = parent ? itemsEach : parentsWithItems * itemsEach;
  return parents.flatMap((item) => {
    const fields = parent && fieldsOf(item.json);
    const values = scope.map((one, index): ScopeValue => {
      const own = index === last ? item.id : undefined;
      const inherited = index < last ? named?.scope[index] : undefined;
      const ofParent = inherited && valueAt(fields, memberOf(inherited));
      return { scope: one, text: String(own ?? ofParent ?? one.example ?? '') };
    });
    return Array.from({ length: count }, () => toMembers(values));
  });
}

/** Returns those members for each other path whose items no property ties to a parent. */
export function toViewScopes(
  document: Api,
  resource: Resource,
  made: Readonly<Record<string, Contents>>,
): Fields[][] {
  const isHidden = ({ property, isOpen }: Scope) => property === undefined && !isOpen;
  return (resource.views ?? []).flatMap(({ scope, path }) => {
    const name = parentNameOf({ scope });
    const isFree = name !== undefined && !needs(document, name, resource.name);
    if (!isFree || !scope.every(isHidden)) return [];
    return [toSeedScopes(document, resource, { scope, path }, made[name])];
  });
}

/** Whether the seeds of a collection are made after those of another one. */
function needs(document: Api, name: string, other: string, seen = new Set<string>()): boolean {
  if (name === other) return true;
  const resource = seen.has(name) ? undefined : document.resources.find((one) => one.name === name);
  seen.add(name);
  if (!resource) return false;
  const above = placementsOf(resource).flatMap(({ scope }) => scope.map(({ parent }) => parent));
  return [resource.linksTo, ...above].some(
    (one) => one !== undefined && needs(document, one, other, seen),
  );
}

/** The name of the collection whose items have those of a nested one directly below them. */
export function parentNameOf({ scope = [] }: Pick<Resource, 'scope'>): string | undefined {
  return scope.findLast(({ parent }) => parent !== undefined)?.parent;
}
