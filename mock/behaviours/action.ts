import { bodySchemaOf } from '../../contracts/description/collections/success.ts';
import {
  describeSchema,
  type Operation,
  type Resource,
} from '../../contracts/description/document.ts';
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
  const { sets } = operation;
  const { document } = options;
  const { properties } = describeSchema(document, bodySchemaOf(document.raw, operation) ?? {});
  const sent = Object.keys(properties).filter(
    (name) => name !== resource.idProperty && Object.hasOwn(resource.item.properties, name),
  );
  const times = timestampsOf(options.document)(resource).filter(
    ({ of, isOfService }) => of === 'update' && isOfService,
  );
  return async (call) => {
    const { store, clock } = call;
    const id = answers.idOf(call);
    const given = Object.entries((call.body ?? {}) as Fields).filter(
      ([name, value]) =>
        sent.includes(name) && fits(document, resource.item.properties[name] ?? {}, value),
    );
    const toChanged = (json: ByteText) => {
      const now = times.map(({ property, form }) => [property, toTimestamp(clock.now(), form)]);
      return toStoredItem(resource, {
        ...fieldsOf(json),
        ...Object.fromEntries(given),
        ...sets,
        ...Object.fromEntries(now),
      });
    };
    const json =
      sets || given.length > 0
        ? (await store.change(resource.name, id, toChanged))?.json
        : await store.get(resource.name, id);
    return json === undefined ? answers.missing(call) : answers.done(call, json);
  };
}
