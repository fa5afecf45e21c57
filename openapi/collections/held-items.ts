import { isSame } from '../../common/json.ts';
import { lastWordOf } from '../../common/path-template.ts';
import { partsOf } from '../../common/property-path.ts';
import { textOf } from '../../common/text-of.ts';
import { namesLike, toNoun, toPlainName } from '../../common/words.ts';
import { shownOf } from '../marks.ts';
import { type Operation, shownIn, successOf } from '../model/operation.ts';
import { describedIdOf } from '../model/resource.ts';
import { type FlatSchema, flatten, type RawDocument, type Schema } from '../schema.ts';
import { findIdProperty, type IdHints } from './id-property.ts';
import { findWrappedItem, isBesideItem, mayHoldItem } from './item-form.ts';
import { findArrays } from './list-form.ts';
import { findList } from './list-rules.ts';
import type { CollectionPlace } from './places.ts';
import { agrees, objectAlternative } from './schema-types.ts';
import { isSameItem, itemOf, itemsOf, sentSchemaOf } from './success.ts';

/**
 * An object in an answer or body that may be an item: its place, its schema, and whether it is the
 * only element of an array.
 */
type Place = { at: readonly string[]; item: FlatSchema; isOfArray?: boolean };

/**
 * Finds where the operations of a place hold its items, where no name tells: the object, or the
 * array of objects, that has what the parameter of the path names. What wraps items in the answers of
 * one operation does so in the bodies of the others.
 */
export function placeItems(
  raw: RawDocument,
  { path, onCollection, onItem }: CollectionPlace,
): void {
  const [first] = onItem;
  const parameter = first && describedIdOf(first);
  if (!parameter) return;
  const { name } = parameter;
  const hints: IdHints = { noun: lastWordOf(path), parameter };
  const ids = new Map<FlatSchema, string | undefined>();
  const idOf = (item: FlatSchema) => {
    if (!ids.has(item)) ids.set(item, findIdProperty(raw, item, hints));
    return ids.get(item);
  };
  const idIn = (schema: Schema | undefined) => schema && idOf(shownOf(raw, flatten(raw, schema)));
  const isNamed = (schema: Schema | undefined) => idIn(schema) !== undefined;
  /**
   * Returns the member that has the id and is called as an item, or stands alone: `item` of
   * `{item: {id}, more: []}`, `thing` of `{ok, thing: {id}}`.
   */
  const nounIn = (schema: Schema | undefined) => {
    const { outer = '' } = partsOf(idIn(schema) ?? '') ?? {};
    const noun = toNoun(hints.noun);
    const isAlone = () =>
      Object.keys(flatten(raw, schema).properties).every(
        (one) => one === outer || isBesideItem(one),
      );
    const isItem = outer !== '' && (toPlainName(outer).endsWith(noun) || isAlone());
    return isItem ? outer : undefined;
  };
  const list = onCollection.map((one) => one.method === 'GET' && findList(raw, one)).find(Boolean);
  const listed = Object.keys(flatten(raw, list ? list.items : undefined).properties).toSorted();
  const wrappers = new Set<string>();
  const changing = onItem.filter((one) => /^(PUT|PATCH)$/.test(one.method) && !one.body?.jsonPatch);
  const sets = changing.flatMap((one) => Object.keys(flatten(raw, sentSchemaOf(one)).properties));
  const hasParameter = ({ properties }: FlatSchema) =>
    namesLike(properties, toPlainName(name)).length > 0;
  const countListed = ({ properties }: FlatSchema) =>
    listed.filter((one) => Object.hasOwn(properties, one)).length;
  /** Returns the member that has more of a listed item than is beside it: `{id, result: {...}}`. */
  const aroundItem = (schema: Schema | undefined) => {
    const own = flatten(raw, schema);
    const isItem = ([name, one]: [string, Schema]) =>
      mayHoldItem(name) &&
      countListed(flatten(raw, objectAlternative(raw, one))) > countListed(own);
    return Object.entries(own.properties).find(isItem)?.[0];
  };
  const place = (operation: Operation, own: Schema | undefined, toHeld: () => readonly Place[]) => {
    const around = nounIn(own) ?? aroundItem(own);
    if (around !== undefined) {
      const outer = findWrappedItem(raw, successOf(operation), shownIn(operation))?.pointer ?? [];
      operation.shownAt = [...outer, around];
      wrappers.add(around);
      return;
    }
    if (isNamed(own)) {
      const { pointer } = findWrappedItem(raw, successOf(operation), shownIn(operation)) ?? {};
      if (pointer) wrappers.add(pointer[0] as string);
      return;
    }
    const named = toHeld().filter(({ item }) => idOf(item) !== undefined || isListed(item));
    const known = named.filter(({ at }) => wrappers.has(at[0] as string));
    const objects = named.filter(({ isOfArray }) => !isOfArray);
    const [only, ...others] = [known, objects, named].find((some) => some.length > 0) ?? [];
    if (!only || others.length > 0) return;
    const countIn = ({ properties }: FlatSchema) =>
      sets.filter((one) => one !== only.at[0] && Object.hasOwn(properties, one)).length;
    // What a change sets beside an object is of what holds that: of a member, not of its user.
    if (!isListed(only.item) && countIn(flatten(raw, own)) > countIn(only.item)) return;
    operation.shownAt = only.at;
    for (const key of only.at) if (key !== '0') wrappers.add(key);
  };
  const answering = onItem.filter(({ method }) => method !== 'DELETE');
  /** Whether an object has what each item of the list has, and nothing else. */
  const isListed = ({ properties }: FlatSchema) =>
    listed.length > 0 && isSame(Object.keys(properties).toSorted(), listed);
  /** Finds the pointer to an array that holds the only item, bare or as the list has it. */
  const aloneAt = (one: Operation): readonly string[] | undefined => {
    // A place that nothing else names an item of may as well list several.
    const isSure = onItem.length > 1;
    if (isSure && itemsAlone(raw, one).some(hasParameter)) return ['0'];
    // A list beside an item, as the "included" of JSON:API, is of others.
    const isWrapped = findWrappedItem(raw, successOf(one), shownIn(one)) !== undefined;
    const isOne = !isWrapped && (isSure || (list && one.method === 'GET'));
    const found = isOne && findList(raw, one);
    const isOfName = found && (/id$/i.test(name) || hasParameter(flatten(raw, found.items)));
    const isItem = isOfName || (found && isSure && isNamed(found.items));
    if (!isItem || found.form.isMap) return undefined;
    const isWhole = isSure && isNamed(found.items);
    const isLike = list
      ? isSameItem(raw, found.items, list.items) || (isWhole && hasAll(found.items, list.items))
      : isWhole && itemsAlone(raw, one).length > 0 && isCalled(found.items, lastWordOf(path));
    return isLike ? [...found.form.pointer, '0'] : undefined;
  };
  /** Whether a list of one shows at least what the list of all shows of each item. */
  const hasAll = (items: Schema, listed: Schema) => {
    const [own, few] = [flatten(raw, items), flatten(raw, listed)];
    const isThere = (each: string) => Object.hasOwn(own.properties, each);
    return Object.keys(few.properties).every(isThere) && agrees(raw, few, own);
  };
  const placeItem = (one: Operation) => {
    const at = aloneAt(one);
    if (at) one.shownAt = at;
    else place(one, itemOf(raw, one), () => objectsOf(raw, one));
  };
  for (const one of answering) placeItem(one);
  for (const one of onCollection) {
    if (one.method === 'GET') place(one, itemsOf(raw, one), () => arraysIn(raw, successOf(one)));
    if (one.method === 'POST') placeItem(one);
  }
  for (const one of [...onCollection, ...onItem]) {
    const sent = sentSchemaOf(one);
    const [wrapped, ...others] = objectsIn(raw, sent);
    if (wrapped && others.length === 0 && wrapped.at.every((key) => wrappers.has(key)))
      one.takenAt = wrapped.at;
    const isList = sent !== undefined && objectAlternative(raw, sent)?.items !== undefined;
    if (isList && onItem.includes(one) && !one.body?.jsonPatch) one.takenAt = ['0'];
  }
}

/** Whether a schema has the name of the items at a path. */
function isCalled({ $ref = '' }: Schema, noun: string): boolean {
  return toPlainName(textOf($ref).split('/').at(-1) ?? '') === toNoun(noun);
}

/** The items of a bare array, which may be the one that the path names, alone in it. */
function itemsAlone(raw: RawDocument, operation: Operation): FlatSchema[] {
  const success = successOf(operation) ?? {};
  const items = objectAlternative(raw, success)?.items;
  // Beside an array, such as that of a folder, another alternative is the item.
  const isObject = Object.keys(flatten(raw, success).properties).length > 0;
  return items === undefined || isObject
    ? []
    : [shownOf(raw, flatten(raw, objectAlternative(raw, items)))];
}

/** The objects that an object holds; of arrays in it, the only item that they show. */
function objectsIn(raw: RawDocument, schema: Schema | undefined): Place[] {
  const outer = objectAlternative(raw, schema);
  return Object.entries(flatten(raw, outer).properties).flatMap(([name, property]) => {
    const inner = objectAlternative(raw, property);
    const isOfArray = inner?.items !== undefined;
    const held = isOfArray ? objectAlternative(raw, inner.items) : inner;
    const item = shownOf(raw, flatten(raw, held));
    if (Object.keys(item.properties).length === 0) return [];
    return [{ at: isOfArray ? [name, '0'] : [name], item, isOfArray }];
  });
}

/** The same, and what the wrapper of an answer holds: `{"data": {"budget": {...}}}`. */
function objectsOf(raw: RawDocument, operation: Operation): Place[] {
  const answered = successOf(operation);
  const wrapped = findWrappedItem(raw, answered, shownIn(operation));
  const inner = objectsIn(raw, wrapped?.schema).map((held) => ({
    ...held,
    at: [...(wrapped?.pointer ?? []), ...held.at],
  }));
  return [...objectsIn(raw, answered), ...inner];
}

/** The arrays of objects in an object, and in the objects of it. */
function arraysIn(raw: RawDocument, schema: Schema | undefined): Place[] {
  const outer = objectAlternative(raw, schema);
  if (!outer || outer.items !== undefined) return [];
  return findArrays(raw, outer).map(({ form, items }) => ({
    at: form.pointer,
    item: shownOf(raw, flatten(raw, items)),
  }));
}
