import type { Operation, Resource } from '../../contracts/description/document.ts';
import { fits } from '../items/item-rules.ts';
import { type Fields, fieldsOf, toStoredItem } from '../items/stored-item.ts';
import { timestampsOf, toTimestamp } from '../items/timestamps.ts';
import type { ByteText } from '../json/exact-json.ts';
import type { Behaviour } from './behaviour.ts';
import { createItemAnswers, type ItemOptions } from './item-answers.ts';

/**
 * Does to the item in the path what an action does, sets what its body has of the item, and answers
 * with that item.
 */
export function createActionBehaviour(
  resource: Resource,
  operation: Operation,
  options: ItemOptions,
): Behaviour {
  const itemPath = operation.path.replace(/(?<=\})\/[^{}]*$/, '');
  const answers = createItemAnswers({ ...operation, path: itemPath }, resource, options);
  const { sets, stamps = [], takes = [] } = operation;
  const { document } = options;
  const updates = timestampsOf(document)(resource).filter(
    ({ of, isOfService }) => of === 'update' && isOfService,
  );
  return async (call) => {
    const { store, clock } = call;
    const id = answers.idOf(call);
    const given = Object.entries((call.body ?? {}) as Fields).filter(
      ([name, value]) =>
        takes.includes(name) && fits(document, resource.item.properties[name] ?? {}, value),
    );
    const toChanged = (json: ByteText) => {
      const now = [...updates, ...stamps].map(({ property, form }) => [
        property,
        toTimestamp(clock.now(), form),
      ]);
      return toStoredItem(resource, {
        ...fieldsOf(json),
        ...Object.fromEntries(given),
        ...sets,
        ...Object.fromEntries(now),
      });
    };
    const json =
      sets || stamps.length > 0 || given.length > 0
        ? (await store.change(resource.name, id, toChanged))?.json
        : await store.get(resource.name, id);
    return json === undefined ? answers.missing(call) : answers.done(call, json);
  };
}
