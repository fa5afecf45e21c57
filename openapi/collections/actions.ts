import { defined } from '../../common/defined.ts';
import { lastWordOf, withoutSlash } from '../../common/path-template.ts';
import { isSuccess } from '../../common/success.ts';
import { textOf } from '../../common/text-of.ts';
import { namesLike, singular, toNoun, toPlainName, wordsOf } from '../../common/words.ts';
import { describedAt } from '../described-at.ts';
import { type Operation, proseOf, shownIn, successOf } from '../model/operation.ts';
import type { FindParent } from '../model/placements.ts';
import { type Resource, splitPartPath } from '../model/resource.ts';
import { flatten, type RawDocument, type Schema } from '../schema.ts';
import { type Effect, effectOf } from './action-effects.ts';
import { findWrappedItem, isBesideItem } from './item-form.ts';
import { objectAlternative } from './schema-types.ts';
import { bodySchemaOf, itemOf } from './success.ts';

/** Words of actions that make another item of the one in the path, and answer with that. */
export const copying = /(clone|copy|duplicate|fork)$/i;

/**
 * Marks the actions on an item, such as `POST /orders/{id}/cancel` or
 * `/users/{id}/lifecycle/suspend`, and the properties that they set. An action returns the item, or
 * says nothing of it but has a property to set. A GET below an item may return another one, such as a
 * user's manager, and so does a create. `POST /orders/{id}/duplicate` makes a copy of the item.
 */
export function markActions(
  raw: RawDocument,
  operations: readonly Operation[],
  findParent: FindParent,
): void {
  const shown = new Set(operations.map(({ method, path }) => method === 'GET' && path));
  for (const operation of operations) {
    const { method, path, kind, part, hint, responses } = operation;
    const [, itemPath, word = ''] =
      /^(.*\})(?:\/(?:lifecycle|actions?))?\/([^{}/]+)\/?$/.exec(path) ?? [];
    const isOther = (kind ?? part) !== undefined || hint?.kind === 'none' || method === 'GET';
    if (!isOther) markActionOnAll(raw, operation, findParent);
    if (itemPath === undefined || isOther) continue;
    const isCopying = copying.test(word);
    if (isCopying ? method !== 'POST' : responses.some(({ status }) => status === '201')) continue;
    const resource = findParent(itemPath);
    const onItem = { ...operation, path: itemPath };
    if (!resource) continue;
    const own = answersWithItem(raw, onItem, resource);
    // What holds the item in other answers holds it in this one, too.
    const { read, update } = resource.operations;
    const shownAt = own ? undefined : (read ?? update)?.shownAt;
    const answers = own || (shownAt && answersWithItem(raw, { ...onItem, shownAt }, resource));
    if (!answers && (isCopying || !saysNoMore(raw, operation))) continue;
    if (answers && shownAt) operation.shownAt = shownAt;
    const held = shownIn({ ...operation, path: itemPath });
    const itemsAt = answers && findWrappedItem(raw, successOf(operation), held)?.pointer;
    const [isUndone, isShown] = [method === 'DELETE', shown.has(path)];
    const all = effectOf(raw, onItem, { word, isUndone, resource, isShown });
    const effect = isCopying ? { ...defined({ takes: all.takes }), copies: true } : all;
    // What has a GET of its own is another object; a list that a POST takes may be added.
    const isSet = /^(PUT|PATCH)$/.test(method) && !isShown && all.takes;
    if (answers || all.sets || all.stamps || isSet)
      Object.assign(operation, { actsOn: resource.name, ...effect, ...(itemsAt && { itemsAt }) });
  }
}

/**
 * Marks an action on all items of a list: `POST /notes/read-all`, `/notes/mark-all-as-read`. A body or
 * a query may mean some of them.
 */
function markActionOnAll(raw: RawDocument, operation: Operation, findParent: FindParent): void {
  const [, listPath, last = ''] = /^(.*[^{}/])\/([^{}/]+)\/?$/.exec(operation.path) ?? [];
  const words = wordsOf(last);
  const resource = listPath && words.includes('all') ? findParent(`${listPath}/{}`) : undefined;
  const meansSome = operation.body || operation.parameters.some((one) => one.in === 'query');
  if (!resource || operation.method === 'DELETE' || meansSome) return;
  const word = words.filter((one) => one !== 'all').join('-');
  const { sets, stamps } = effectOf(raw, operation, { word, isUndone: false, resource });
  if (sets ?? stamps)
    Object.assign(operation, {
      actsOn: resource.name,
      actsOnAll: true,
      ...defined({ sets, stamps }),
    });
}

/** Whether a success has no content, or only says that it is one: `{"ok": true}`. */
function saysNoMore(raw: RawDocument, operation: Operation): boolean {
  if (operation.responses.find(isSuccess)?.contents.length === 0) return true;
  const names = Object.keys(flatten(raw, successOf(operation)).properties);
  return names.length > 0 && names.every(isBesideItem);
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
  const id = describedAt(raw, flat, idProperty);
  const noun = wordsOf(singular(lastWordOf(operation.path))).join(' ');
  const said = textOf(id?.description ?? '');
  // Of an id alone, words say that it is that of the item: "The ID of the broadcast."
  const isSaid = new RegExp(`\\b(of|for) the ${noun}\\b(?! that)`, 'i').test(said);
  const isSure = isSaid || names.filter(isItems).length > 1;
  return id !== undefined && flat.required.every(isItems) && isSure;
}

/** The verb that begins what a document says of an operation, without the `s` of "Cancels". */
const firstVerb = /^(?:\W|<p>)*([a-z]+?)s?\b/i;

/**
 * Returns the effect of a DELETE that answers with the item, if the document says that it cancels
 * or archives it and the item has a state for that; undefined of any other.
 */
export function effectOfDelete(
  raw: RawDocument,
  operation: Operation,
  resource: Resource,
): Effect | undefined {
  const word = firstVerb.exec(proseOf(operation))?.[1]?.toLowerCase() ?? '';
  const isGone = word === '' || word === 'delete' || word === 'remove';
  if (isGone || !answersWithItem(raw, operation, resource)) return undefined;
  const effect = effectOf(raw, operation, { word, isUndone: false, resource });
  return effect.sets === undefined ? undefined : effect;
}

/** The array of an item that a last word names: `labels` or `labelIds` for `/issues/{id}/labels`. */
export function arrayNamed(
  raw: RawDocument,
  { item }: Pick<Resource, 'item'>,
  word: string,
): string | undefined {
  return [word, `${singular(word)}ids`]
    .flatMap((one) => namesLike(item.properties, toPlainName(one)))
    .find((name) => objectAlternative(raw, item.properties[name])?.items !== undefined);
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
    // `addTag` and `removeTag` change the `tags`.
    const [verb = '', ...noun] = wordsOf(word);
    const isVerb = operation.method === 'POST' && /^(add|remove)$/.test(verb) && noun.length > 0;
    const part = arrayNamed(raw, resource, isVerb ? `${noun.join('')}s` : word);
    if (part !== undefined && isVerb) {
      const names = Object.keys(flatten(raw, bodySchemaOf(raw, operation)).properties);
      const isMeant = names.some((one) => formsOfElement(part).includes(toPlainName(one)));
      if (!isMeant) continue;
      operation.removesPart = verb === 'remove' || undefined;
    } else if (
      part === undefined ||
      !changesElements(raw, operation, [part, resource.item.properties[part]])
    )
      continue;
    operation.actsOn = resource.name;
    operation.part = part;
  }
}

/** The plain names of members that hold an element of an array, or the id of one: `tag`, `tagId`. */
function formsOfElement(part: string): string[] {
  const one = toNoun(part);
  return [one, `${one}id`, `${one}gid`, toPlainName(part), `${one}ids`];
}

/** Whether an operation shows the array, or takes a list, an element, or what names one. */
function changesElements(
  raw: RawDocument,
  operation: Operation,
  [part, array = {}]: readonly [string, Schema | undefined],
): boolean {
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
  const [only = '', ...others] = Object.keys(properties);
  const names = formsOfElement(part);
  const isName = others.length === 0 && (/id$/i.test(only) || names.includes(toPlainName(only)));
  return sent.items !== undefined || lists.length === 1 || isElement || isName;
}
