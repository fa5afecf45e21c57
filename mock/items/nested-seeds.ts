import { itemPathsOf, placementAt } from '../../contracts/description/collections/scopes.ts';
import type { ApiDocument, Resource } from '../../contracts/description/document.ts';
import { valueAt } from '../../contracts/description/property-path.ts';
import { createToScopeMembers, memberOf, type ScopeValue } from '../state/scopes.ts';
import type { Collections, StoredItem } from '../state/store.ts';
import { type Fields, fieldsOf, toStoredItem } from './stored-item.ts';

/** How many items of a collection have others below them, and how many each of them has. */
const parentsWithItems = 10;
const itemsEach = 3;

/** Resources in an order in which those that others are nested in come first. */
export function parentsFirst(resources: readonly Resource[]): readonly Resource[] {
  const sorted = new Set<Resource>();
  const add = (resource: Resource, depth = 0): void => {
    for (const { parent } of resource.scope ?? []) {
      const above = resources.find(({ name }) => name === parent);
      if (above && above !== resource && !sorted.has(above) && depth < resources.length)
        add(above, depth + 1);
    }
    sorted.add(resource);
  };
  for (const resource of resources) add(resource);
  return [...sorted];
}

/**
 * The members that put the items of a nested collection into scopes, an item each: the first items
 * of the collection that it is nested in have some each. Where it is nested in none, they are in the
 * scope that the document shows an example of: of others, nothing tells that they exist.
 */
export function toSeedScopes(
  document: ApiDocument,
  resource: Resource,
  made: Collections,
): Fields[] {
  const { scope = [] } = resource;
  const toMembers = createToScopeMembers(document, resource);
  const last = scope.findLastIndex(({ parent }) => parent !== undefined);
  const parent = document.resources.find(({ name }) => name === scope[last]?.parent);
  const parents = parent ? (made[parent.name]?.items ?? []).slice(0, parentsWithItems) : [noItem];
  const named = parent && placementAt(parent, itemPathsOf(resource.path)[last] ?? '');
  const count = parent ? itemsEach : parentsWithItems * itemsEach;
  return parents.flatMap((item) => {
    const above = parent && fieldsOf(item.json);
    const values = scope.map((one, index): ScopeValue => {
      const own = index === last ? item.id : undefined;
      const inherited = index < last ? named?.scope[index] : undefined;
      const ofParent = inherited && valueAt(above, memberOf(inherited));
      return { scope: one, text: String(own ?? ofParent ?? one.example ?? '') };
    });
    return Array.from({ length: count }, () => toMembers(values));
  });
}

const noItem = { id: '' } as StoredItem;

/** Items whose references to other collections name items that are there. */
export function linkSeeds(document: ApiDocument, seeds: Collections): Collections {
  const linked: Record<string, Collections[string]> = { ...seeds };
  for (const resource of document.resources) {
    const contents = seeds[resource.name];
    const references = (resource.references ?? []).map(({ property, collection }) => ({
      property,
      targets: seeds[collection]?.items ?? [],
      target: document.resources.find(({ name }) => name === collection),
    }));
    if (!contents || references.length === 0) continue;
    const items = contents.items.map((item, index) => {
      const fields: Record<string, unknown> = { ...fieldsOf(item.json) };
      for (const { property, target, targets } of references)
        if (
          target &&
          targets.length > 0 &&
          Object.hasOwn(fields, property) &&
          fields[property] !== null
        )
          fields[property] = valueAt(
            fieldsOf((targets[index % targets.length] as StoredItem).json),
            target.idProperty,
          );
      return toStoredItem(resource, fields);
    });
    linked[resource.name] = { items, next: contents.next };
  }
  return linked;
}
