import { describedAt } from '../described-at.ts';
import type { Kind } from '../kinds.ts';
import type { Operation } from '../operation.ts';
import { flatten, type RawDocument } from '../schema.ts';
import { addViews } from './add-views.ts';
import { toCandidate } from './candidate.ts';
import { joinPlaces } from './join-places.ts';
import { findPlaces } from './places.ts';
import { linkReferences } from './references.ts';
import type { Resource } from './resource.ts';
import { createFindParent, type FindParent, toScopes } from './scopes.ts';
import { itemOf } from './success.ts';

/**
 * Finds the collections of a document and gives each operation on one its kind. An operation that
 * follows no rule stays without a kind.
 */
export function resourcesOf(raw: RawDocument, operations: Operation[]): Resource[] {
  const candidates = findPlaces(operations).flatMap((place) => toCandidate(raw, place) ?? []);
  const resources = joinPlaces(raw, candidates);
  addViews(raw, resources, operations);
  const findParent = createFindParent(resources);
  for (const resource of resources) {
    const scope = toScopes(raw, resource, resource.path, findParent);
    if (scope.length > 0) resource.scope = scope;
    for (const view of resource.views ?? [])
      view.scope = toScopes(raw, resource, view.path, findParent);
  }
  linkReferences(raw, resources);
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
  markActions(raw, operations, findParent);
  return resources;
}

/** What makes another item of one, and so does not answer with the one in the path. */
const copying = /(clone|copy|duplicate|fork)$/i;

/**
 * Marks the operations that do something to one item and answer with it, such as
 * `POST /orders/{id}/cancel`. A GET below an item may show another one, such as the manager of a
 * user, and what is created is another one.
 */
function markActions(
  raw: RawDocument,
  operations: readonly Operation[],
  findParent: FindParent,
): void {
  for (const operation of operations) {
    const { method, path, kind, hint, responses } = operation;
    const [, itemPath, word = ''] = /^(.*\})\/([^{}/]+)$/.exec(path) ?? [];
    const isOther = kind !== undefined || hint?.kind === 'none' || method === 'GET';
    if (itemPath === undefined || isOther || copying.test(word)) continue;
    if (responses.some(({ status }) => status === '201')) continue;
    const resource = findParent(itemPath);
    const onItem = { ...operation, path: itemPath };
    if (resource && answersWithItem(raw, onItem, resource)) operation.actsOn = resource.name;
  }
}

/** Whether a success has the id of items, and requires nothing that items lack. */
function answersWithItem(
  raw: RawDocument,
  operation: Operation,
  { idProperty, item }: Resource,
): boolean {
  const flat = flatten(raw, itemOf(raw, operation));
  const names = Object.keys(flat.properties);
  const isItems = (name: string) => Object.hasOwn(item.properties, name);
  const hasId = describedAt(raw, flat, idProperty) !== undefined;
  return hasId && flat.required.every(isItems) && names.filter(isItems).length > 1;
}
