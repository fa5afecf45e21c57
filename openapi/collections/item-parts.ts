import { withoutSlash } from '../../common/path-template.ts';
import { toPlainName } from '../../common/words.ts';
import type { Operation } from '../model/operation.ts';
import type { FindParent } from '../model/placements.ts';
import { type Resource, splitPartPath } from '../model/resource.ts';
import { flatten, type RawDocument, type Schema } from '../schema.ts';
import { objectAlternative } from './schema-types.ts';

/** The array of an item that the last word of a path names, as `labels` of `/issues/{id}/labels`. */
export function arrayNamed(
  raw: RawDocument,
  { item }: Pick<Resource, 'item'>,
  word: string,
): string | undefined {
  return Object.keys(item.properties).find(
    (name) =>
      toPlainName(name) === toPlainName(word) &&
      objectAlternative(raw, item.properties[name] ?? {})?.items !== undefined,
  );
}

/**
 * Marks the operations on an array that items have: `POST /issues/{id}/labels` adds to the labels of
 * an issue, `DELETE /issues/{id}/labels/{name}` takes one away.
 */
export function markParts(
  raw: RawDocument,
  operations: readonly Operation[],
  findParent: FindParent,
): void {
  for (const operation of operations) {
    const { itemPath = '', word = '' } = splitPartPath(operation.path) ?? {};
    const resource = findParent(itemPath);
    if (!resource || operation.kind || operation.hint?.kind) continue;
    const part = arrayNamed(raw, resource, word);
    if (part === undefined || !changesElements(raw, operation, resource.item.properties[part]))
      continue;
    operation.actsOn = resource.name;
    operation.part = part;
  }
}

/** Whether an operation shows the array, or takes a list, an element, or what names one. */
function changesElements(raw: RawDocument, operation: Operation, array: Schema = {}): boolean {
  const { method, path, body, otherBody } = operation;
  const isOnElement = withoutSlash(path).endsWith('}');
  if (method === 'GET') return !isOnElement;
  if (method === 'DELETE' || (isOnElement && !otherBody)) return true;
  const sent = body && objectAlternative(raw, body.schema);
  if (!sent || otherBody) return false;
  const { properties } = flatten(raw, sent);
  const lists = Object.values(properties).filter((one) => objectAlternative(raw, one)?.items);
  const elements = flatten(raw, objectAlternative(raw, array)?.items).properties;
  const isElement = Object.keys(properties).some((name) => Object.hasOwn(elements, name));
  return sent.items !== undefined || lists.length === 1 || isElement;
}
