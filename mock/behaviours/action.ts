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
import type { Behaviour, Call } from './behaviour.ts';
import { createToAnswerOfMany } from './create.ts';
import { createItemAnswers, type ItemOptions } from './item-answers.ts';

/**
 * Does to the item in the path, or to all of a list, what an action does, sets what its body has of the item, and answers
 * with that item, or with its copy.
 */
export function createActionBehaviour(options: ItemOptions): Behaviour {
  const { document, resource, operation } = options;
  const itemPath = toPlainPath(operation.path).replace(/(?<=\})\/[^{}]*$/, '');
  const answers = createItemAnswers({
    ...options,
    operation: { ...operation, path: itemPath, plainPath: itemPath },
  });
  const { sets, stamps = [], takes = [], takesValueOf, copies, actsOnAll, rules } = operation;
  const { name, idProperty, item } = resource;
  const take = createTakeItem(document, resource, operation);
  // Objects that it says to merge keep what their patch does not name.
  const isMerge = /\bmerg(e|es|ed|ing)\b/i.test(proseOf(operation));
  const isSettable = ([property, value]: readonly [string, unknown]) =>
    takes.includes(property) && fits(document, item.properties[property] ?? {}, value);
  /** Adds an item that has what the one in the path has, but its id, its times and what is sent. */
  const copy = async (call: Call, id: string, sent: Fields) => {
    const original = await call.store.get(name, id);
    if (original === undefined) return answers.missing(call);
    const before = fieldsOf(original);
    const now = call.clock.now();
    const times = timestampsOf(document)(resource)
      .filter(({ property }) => Object.hasOwn(before, property))
      .map(({ property, form }) => [property, toTimestamp(now, form)]);
    const toItem = (n: number, within = n) => {
      const own = toItemId(within, resource.idSchema);
      const set = Object.fromEntries(times);
      return take(
        { ...before, ...sent },
        { id: own, seed: n, now, before, isPatch: true, sets: set },
      );
    };
    const { items: [made] = [] } = await call.store.addAll(name, [{ toItem }]);
    return made ? answers.done(call, made.json, true) : answers.missing(call);
  };
  const toAnswerOfAll = once(() => createToAnswerOfMany(options));
  return async (call) => {
    const { store, clock } = call;
    const id = answers.idOf(call);
    const body = (call.body ?? {}) as Fields;
    const values = [Object.values(body)[0], body].map((one) => [takesValueOf ?? '', one] as const);
    const sent = takesValueOf === undefined ? Object.entries(body) : values;
    const given = sent.filter(isSettable);
    const toChanged = (json: ByteText) => {
      const before = fieldsOf(json);
      const patch = Object.fromEntries(given);
      const fields = isMerge ? (mergePatch(before, patch) as Fields) : { ...before, ...patch };
      const own = valueAt(before, idProperty);
      const now = clock.now();
      const times = stamps.map(({ property, form }) => [property, toTimestamp(now, form)]);
      const value = takesValueOf === undefined ? {} : patch;
      const all = { ...sets, ...value, ...Object.fromEntries(times) };
      return take(fields, { id: own, now, before, isPatch: true, sets: all });
    };
    if (actsOnAll) {
      const changed = await store.transact(async (inner) => {
        const items: ByteText[] = [];
        for (const one of await inner.list(name)) {
          const own = toIdText(valueAt(fieldsOf(one), idProperty));
          items.push((await inner.change(name, own, toChanged))?.json ?? one);
        }
        return items;
      });
      return toAnswerOfAll()(call, changed);
    }
    if (copies) return copy(call, id, Object.fromEntries(given));
    const json =
      sets || rules?.sets || stamps.length > 0 || given.length > 0
        ? (await store.change(name, id, toChanged))?.json
        : await store.get(name, id);
    return json === undefined ? answers.missing(call) : answers.done(call, json);
  };
}
