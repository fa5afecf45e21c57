import { once } from '../../common/once-per.ts';
import { toPlainPath } from '../../common/path-template.ts';
import { valueAt } from '../../common/property-path.ts';
import { proseOf } from '../../openapi/model/operation.ts';
import { type Fields, fieldsOf, toItemId } from '../items/stored-item.ts';
import { createTakeItem } from '../items/take-fields.ts';
import { timestampsOf, toTimestamp } from '../items/timestamps.ts';
import { type ByteText, toIdText } from '../json/exact-json.ts';
import { mergePatch } from '../json/merge-patch.ts';
import { fits } from '../json/validator.ts';
import type { ItemStore, StoredItem } from '../state/store.ts';
import type { Behaviour, Call } from './behaviour.ts';
import { createToAnswerOfMany } from './create.ts';
import { createItemAnswers, type ItemOptions } from './item-answers.ts';

/**
 * Does what an action does to the item in the path, or to all of a list, sets what its body has of the
 * item, and answers with the item. An action that copies adds an item, and answers with that.
 */
export function createActionBehaviour(options: ItemOptions): Behaviour {
  const { copies, actsOnAll } = options.operation;
  const readSent = createReadSent(options);
  if (copies) return createCopyBehaviour(options, readSent);
  const toChanging = createToChanging(options, readSent);
  return actsOnAll ? createActOnAll(options, toChanging) : createActOnOne(options, toChanging);
}

/** Reads the properties of an item that the body of a call sets. */
type ReadSent = (call: Call) => [property: string, value: unknown][];

function createReadSent({ document, resource, operation }: ItemOptions): ReadSent {
  const { takes = [], takesValueOf } = operation;
  const { properties } = resource.item;
  return ({ body }) => {
    const fields = (body ?? {}) as Fields;
    const sent: [string, unknown][] =
      takesValueOf === undefined
        ? Object.entries(fields)
        : [Object.values(fields)[0], fields].map((one) => [takesValueOf, one]);
    return sent.filter(
      ([property, value]) =>
        takes.includes(property) && fits(document, properties[property] ?? {}, value),
    );
  };
}

/** Creates the change of an item that a call makes; undefined where it makes none. */
type ToChanging = (call: Call) => ((json: ByteText) => StoredItem) | undefined;

function createToChanging(options: ItemOptions, readSent: ReadSent): ToChanging {
  const { document, resource, operation } = options;
  const { sets, stamps = [], takesValueOf, rules } = operation;
  const take = createTakeItem(document, resource, operation);
  // Objects that it says to merge keep what their patch does not name.
  const isMerge = /\bmerg(e|es|ed|ing)\b/i.test(proseOf(operation));
  return (call) => {
    const given = readSent(call);
    if (!sets && !rules?.sets && stamps.length === 0 && given.length === 0) return undefined;
    const patch = Object.fromEntries(given);
    return (json) => {
      const before = fieldsOf(json);
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

function createActOnOne(options: ItemOptions, toChanging: ToChanging): Behaviour {
  const { name } = options.resource;
  const answers = createAnswersAtItem(options);
  return async (call) => {
    const id = answers.idOf(call);
    const change = toChanging(call);
    const json = change
      ? (await call.store.change(name, id, change))?.json
      : await call.store.get(name, id);
    return json === undefined ? answers.missing(call) : answers.done(call, json);
  };
}

function createActOnAll(options: ItemOptions, toChanging: ToChanging): Behaviour {
  const { name, idProperty } = options.resource;
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
function createCopyBehaviour(options: ItemOptions, readSent: ReadSent): Behaviour {
  const { document, resource, operation } = options;
  const { name, idSchema } = resource;
  const answers = createAnswersAtItem(options);
  const take = createTakeItem(document, resource, operation);
  return async (call) => {
    const original = await call.store.get(name, answers.idOf(call));
    if (original === undefined) return answers.missing(call);
    const before = fieldsOf(original);
    const now = call.clock.now();
    const times = timestampsOf(document)(resource)
      .filter(({ property }) => Object.hasOwn(before, property))
      .map(({ property, form }) => [property, toTimestamp(now, form)]);
    const fields = { ...before, ...Object.fromEntries(readSent(call)) };
    const others = { now, before, isPatch: true, sets: Object.fromEntries(times) };
    const toItem = (n: number, within = n) =>
      take(fields, { id: toItemId(within, idSchema), seed: n, ...others });
    const { items: [made] = [] } = await call.store.addAll(name, [{ toItem }]);
    return made ? answers.done(call, made.json, true) : answers.missing(call);
  };
}

/** Creates the answers of an operation that has the item in its path above its last word. */
function createAnswersAtItem(options: ItemOptions) {
  const path = toPlainPath(options.operation.path).replace(/(?<=\})\/[^{}]*$/, '');
  return createItemAnswers({
    ...options,
    operation: { ...options.operation, path, plainPath: path },
  });
}
