import { describedAt } from '../described-at.ts';
import type { Operation } from '../operation.ts';
import { proseOf } from '../prose.ts';
import { flatten, type RawDocument, resolve } from '../schema.ts';
import { isSuccess } from '../success.ts';
import { namesOf } from './list-parameters.ts';
import type { Resource } from './resource.ts';
import type { FindParent } from './scopes.ts';
import { itemOf } from './success.ts';
import { wordsOf } from './words.ts';

/** What makes another item of one, and so does not answer with the one in the path. */
const copying = /(clone|copy|duplicate|fork)$/i;

/**
 * Marks the operations that do something to one item, such as `POST /orders/{id}/cancel` or
 * `/users/{id}/lifecycle/suspend`, and what they set of it: those that answer with it, and those
 * without content that have something to set. A GET below an item may show another one, such
 * as the manager of a user, and what is created is another one.
 */
export function markActions(
  raw: RawDocument,
  operations: readonly Operation[],
  findParent: FindParent,
): void {
  for (const operation of operations) {
    const { method, path, kind, part, hint, responses } = operation;
    const [, itemPath, word = ''] =
      /^(.*\})(?:\/(?:lifecycle|actions?))?\/([^{}/]+)$/.exec(path) ?? [];
    const isOther = (kind ?? part) !== undefined || hint?.kind === 'none' || method === 'GET';
    if (itemPath === undefined || isOther || copying.test(word)) continue;
    if (responses.some(({ status }) => status === '201')) continue;
    const resource = findParent(itemPath);
    const onItem = { ...operation, path: itemPath };
    if (!resource) continue;
    const sets = setBy(raw, { word, isUndone: method === 'DELETE' }, resource);
    const isSet = Object.keys(sets).length > 0;
    const success = responses.find(isSuccess);
    const isSilent = success?.contents.length === 0 && isSet;
    if (!isSilent && !answersWithItem(raw, onItem, resource)) continue;
    operation.actsOn = resource.name;
    if (isSet) operation.sets = sets;
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

/** The verb that begins what a document says of an operation, without the `s` of "Cancels". */
const firstVerb = /^(?:\W|<p>)*([a-z]+?)s?\b/i;

/**
 * What a DELETE sets of the item that it answers with, where the document says that it cancels or
 * archives it, and the item has a state for that; undefined of any other.
 */
export function setByDelete(
  raw: RawDocument,
  operation: Operation,
  resource: Resource,
): Operation['sets'] {
  const word = firstVerb.exec(proseOf(raw, operation))?.[1]?.toLowerCase() ?? '';
  const isGone = word === '' || word === 'delete' || word === 'remove';
  if (isGone || !answersWithItem(raw, operation, resource)) return undefined;
  const sets = setBy(raw, { word, isUndone: false }, resource);
  return Object.keys(sets).length > 0 ? sets : undefined;
}

type Action = { word: string; isUndone: boolean };

/**
 * What an action sets of an item: the value of an enum that is a form of its word, as `cancelled` is
 * of `cancel`, and a flag that is called so, such as `favorited`; `unfavorite` and DELETE unset that.
 */
function setBy(
  raw: RawDocument,
  { word, isUndone }: Action,
  { item }: Resource,
): Readonly<Record<string, unknown>> {
  const verb = wordsOf(word).join('');
  const done = formsOf(verb);
  const undone = formsOf(verb.replace(/^(un|de|dis)/, ''));
  const sets: [string, unknown][] = [];
  for (const [name, property] of Object.entries(item.properties)) {
    const { type, enum: values } = resolve(raw, property);
    // What is no longer suspended is active.
    const isLifted = undone[0] !== done[0] && toValue(values, undone) !== undefined;
    const value = isUndone ? undefined : toValue(values, isLifted ? [...done, 'active'] : done);
    const flag = wordsOf(name.replace(/^is(?=[A-Z_])/, '')).join('');
    const isFlag = [type].flat().includes('boolean');
    if (value !== undefined) sets.push([name, value]);
    else if (isFlag && done.includes(flag)) sets.push([name, !isUndone]);
    else if (isFlag && undone.includes(flag)) sets.push([name, false]);
  }
  return Object.fromEntries(sets);
}

/** The one value that is a form of a word, that of what is done first. */
function toValue(values: unknown, forms: readonly string[]): unknown {
  if (!Array.isArray(values)) return undefined;
  const toPlain = (value: unknown) => wordsOf(String(value)).join('');
  return forms
    .map((form) => values.find((one: unknown) => toPlain(one) === form))
    .find((one) => one !== undefined);
}

/** What becomes of what a verb is done to: `closed`, `shipped`, `denied`, `paid`, `active`, and so on. */
export function formsOf(verb: string): string[] {
  const stem = verb.replace(/e$/, '');
  const last = verb.at(-1) ?? '';
  const completes = /^(capture|complete|confirm|finish|process)$/.test(verb);
  const ends = completes ? namesOf('succeeded completed complete finished done') : [];
  const past = [
    `${stem}ed`,
    `${verb}${last}ed`,
    verb.replace(/y$/, 'ied'),
    verb.replace(/y$/, 'id'),
  ];
  const opposite = verb.replace(/^de(\w+)ate$/, 'in$1e');
  const present = [verb.replace(/ate$/, 'e'), opposite, verb, `${stem}ing`, `${verb}${last}ing`];
  return [...past, ...present, ...ends];
}
