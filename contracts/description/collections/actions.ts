import { describedAt } from '../described-at.ts';
import type { Operation } from '../operation.ts';
import { flatten, type RawDocument } from '../schema.ts';
import type { Resource } from './resource.ts';
import type { FindParent } from './scopes.ts';
import { itemOf } from './success.ts';

/** What makes another item of one, and so does not answer with the one in the path. */
const copying = /(clone|copy|duplicate|fork)$/i;

/**
 * Marks the operations that do something to one item and answer with it, such as
 * `POST /orders/{id}/cancel`. A GET below an item may show another one, such as the manager of a
 * user, and what is created is another one.
 */
export function markActions(
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
