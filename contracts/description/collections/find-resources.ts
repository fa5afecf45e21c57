import type { Kind } from '../kinds.ts';
import type { Operation } from '../operation.ts';
import type { RawDocument } from '../schema.ts';
import { markActions, setByDelete } from './actions.ts';
import { toCandidate } from './candidate.ts';
import { markParts } from './item-parts.ts';
import { findPlaces } from './places.ts';
import { linkReferences } from './references.ts';
import type { Resource } from './resource.ts';
import { addScopes, createFindParent } from './scopes.ts';
import { itemsOf } from './success.ts';
import { toThings } from './things.ts';

/**
 * Finds the collections of a document and gives each operation on one its kind. An operation that
 * follows no rule stays without a kind.
 */
export function resourcesOf(raw: RawDocument, operations: Operation[]): Resource[] {
  const listsItems = (one: Operation) => itemsOf(raw, one) !== undefined;
  const places = findPlaces(operations, listsItems);
  const candidates = places
    .map((place) => toCandidate(raw, place))
    .filter((one) => 'resource' in one);
  const resources = toThings(raw, candidates, operations);
  const findParent = createFindParent(resources);
  for (const resource of resources) addScopes(raw, resource, findParent);
  linkReferences(raw, resources);
  for (const resource of resources)
    for (const found of [resource, ...(resource.views ?? [])]) {
      const { delete: one } = found.operations;
      const sets = one && !one.hint && setByDelete(raw, one, resource);
      if (!sets) continue;
      Object.assign(one, { sets, actsOn: resource.name });
      delete found.operations.delete;
    }
  for (const { name, operations, views = [], listForm, itemForm } of resources)
    for (const found of [{ operations, listForm }, ...views])
      for (const [kind, operation] of Object.entries(found.operations)) {
        const form = kind === 'list' ? found.listForm : itemForm?.[kind as Kind];
        const itemsAt = form?.pointer ?? [];
        Object.assign(operation, {
          kind,
          resource: name,
          ...(itemsAt.length > 0 && { itemsAt }),
        });
      }
  markParts(raw, operations, findParent);
  markActions(raw, operations, findParent);
  return resources;
}
