import { isObject } from '../../common/json.ts';
import { once } from '../../common/once-per.ts';
import { toPlainPath } from '../../common/path-template.ts';
import { valueAt } from '../../common/property-path.ts';
import { proseOf } from '../../openapi/model/operation.ts';
import { type Fields, fieldsOf, toItemId, toItemNumber } from '../items/stored-item.ts';
import { createTakeItem } from '../items/take-fields.ts';
import { timestampsOf, toTimestamp } from '../items/timestamps.ts';
import { type ByteText, toIdText } from '../json/exact-json.ts';
import { mergePatch } from '../json/merge-patch.ts';
import { fits } from '../json/validator.ts';
import type { ItemStore, StoredItem } from '../state/store.ts';
import type { Behaviour, Call } from './behaviour.ts';
import { createToAnswerOfMany } from './create.ts';
import { createItemAnswers, type ItemOptions, toTakenAnswer } from './item-answers.ts';
import { newIdIn, newIdOf } from './update.ts';

/**
 * Does what an action does to the item in the path, or to all of a list, sets what its body has of the
 * item, and answers with the item. An action that copies adds an item, and answers with that.
 */
export function createActionBehaviour(options: ItemOptions): Behaviour {
  const { operation } = options;
  if (operation.actsOnAll) return createActOnAll(options);
  // The item in its path is above its last word.
  const path = toPlainPath(operation.path).replace(/(?<=\})\/[^{}]*$/, '');
  const onItem = { ...options, operation: { ...operation, path, plainPath: path } };
  return operation.copies ? createCopyBehaviour(onItem) : createActOnOne(onItem);
}

/** Reads the properties that the body of a call sets, of an item that was there before. */
type ReadSent = (call: Call, before: Fields) => [property: string, value: unknown][];

function createReadSent({ document, resource, operation }: ItemOptions): ReadSent {
  const { schemas } = document;
  const { method, copies, takes = [], takesValueOf } = operation;
  const { properties } = resource.item;
  const described = schemas.flatten(schemas.bodySchemaOf(operation)).properties;
  const value = schemas.objectAlternative(properties[takesValueOf ?? ''] ?? {});
  const own = schemas.flatten(value).properties;
  const isValue = Object.keys(described).every((name) => Object.hasOwn(own, name));
  return ({ body }, before) => {
    const fields = (body ?? {}) as Fields;
    const sent: [string, unknown][] =
      takesValueOf === undefined
        ? Object.entries(fields)
        : [[takesValueOf, isValue ? fields : Object.values(fields)[0]]];
    // A patch keeps what it does not name of an object, and any body what it does not describe.
    const stays = (name: string) =>
      method === 'PATCH' ||
      (takesValueOf !== undefined && isValue && !Object.hasOwn(described, name));
    const toWhole = (old: unknown, one: unknown) =>
      isObject(old) && isObject(one)
        ? { ...Object.fromEntries(Object.entries(old).filter(([name]) => stays(name))), ...one }
        : one;
    return sent
      .filter(([property]) => takes.includes(property))
      .map(([property, one]): [string, unknown] => [property, toWhole(before[property], one)])
      .filter(([property, one]) => copies || fits(document, properties[property] ?? {}, one));
  };
}

/** Creates the change of an item that a call makes; undefined where it makes none. */
type ToChanging = (call: Call) => ((json: ByteText) => StoredItem) | undefined;

function createToChanging(options: ItemOptions): ToChanging {
  const { document, resource, operation } = options;
  const readSent = createReadSent(options);
  const { sets, stamps = [], takes, takesValueOf, rules } = operation;
  const take = createTakeItem(document, resource, operation);
  // Objects that it says to merge keep what their patch does not name.
  const isMerge = /\bmerg(e|es|ed|ing)\b/i.test(proseOf(operation));
  return (call) => {
    const isSent = Object.keys((call.body ?? {}) as Fields).length > 0;
    if (!sets && !rules?.sets && stamps.length === 0 && !(takes && isSent)) return undefined;
    return (json) => {
      const before = fieldsOf(json);
      const patch = Object.fromEntries(readSent(call, before));
      const fields = isMerge ? (mergePatch(before, patch) as Fields) : { ...before, ...patch };
      const id = valueAt(before, resource.idProperty);
      const now = call.clock.now();
      const times = stamps.map(({ property, form }) => [property, toTimestamp(now, form)]);
      const value = takesValueOf === undefined ? {} : patch;
      const all = { ...sets, ...value, ...Object.fromEntries(times) };
      return take(fields, { id, now, before, isPatch: true, sets: all });
    };
  };
}

function createActOnOne(options: ItemOptions): Behaviour {
  const { name } = options.resource;
  const answers = createItemAnswers(options);
  const toChanging = createToChanging(options);
  return async (call) => {
    const id = answers.idOf(call);
    const change = toChanging(call);
    const json = change
      ? (await call.store.change(name, id, change))?.json
      : await call.store.get(name, id);
    return json === undefined ? answers.missing(call) : answers.done(call, json);
  };
}

function createActOnAll(options: ItemOptions): Behaviour {
  const { name, idProperty } = options.resource;
  const toChanging = createToChanging(options);
  const toAnswer = once(() => createToAnswerOfMany(options));
  return async (call) => {
    const change = toChanging(call);
    const act = async (store: ItemStore) => {
      const items: ByteText[] = [];
      for (const json of await store.list(name)) {
        const id = toIdText(valueAt(fieldsOf(json), idProperty));
        items.push((change && (await store.change(name, id, change))?.json) || json);
      }
      return items;
    };
    return toAnswer()(call, await call.store.transact(act));
  };
}

/** Adds an item that has what the one in the path has, but its id, its times and what is sent. */
function createCopyBehaviour(options: ItemOptions): Behaviour {
  const { document, resource, operation } = options;
  const { name, idSchema } = resource;
  const answers = createItemAnswers(options);
  const readSent = createReadSent(options);
  const newId = newIdOf(document, resource, operation);
  const take = createTakeItem(document, resource, operation);
  return async (call) => {
    const original = await call.store.get(name, answers.idOf(call));
    if (original === undefined) return answers.missing(call);
    const before = fieldsOf(original);
    const now = call.clock.now();
    const times = timestampsOf(document)(resource)
      .filter(({ property }) => Object.hasOwn(before, property))
      .map(({ property, form }) => [property, toTimestamp(now, form)]);
    const fields = { ...before, ...Object.fromEntries(readSent(call, before)) };
    const others = { now, before, sets: Object.fromEntries(times) };
    const given = newIdIn(call.body, newId);
    const toItem = (n: number, within = n) =>
      take(fields, { id: given ?? toItemId(within, idSchema), seed: n, ...others });
    const number = toItemNumber(String(given), idSchema);
    const own = given === undefined ? { toItem } : { given: { item: toItem(1), number } };
    const { items: [made] = [], taken } = await call.store.addAll(name, [own]);
    if (taken !== undefined) return toTakenAnswer(options, taken, newId);
    return made ? answers.done(call, made.json, true) : answers.missing(call);
  };
}
