import type { Operation, Resource } from '../../contracts/description/document.ts';
import { fieldsOf, toStoredItem } from '../items/stored-item.ts';
import { timestampsOf, toTimestamp } from '../items/timestamps.ts';
import type { ByteText } from '../json/exact-json.ts';
import type { Behaviour } from './behaviour.ts';
import { createItemAnswers, type ItemOptions } from './item-answers.ts';

/** Does to the item in the path what an action does, and answers with that item. */
export function createActionBehaviour(
  resource: Resource,
  operation: Operation,
  options: ItemOptions,
): Behaviour {
  const itemPath = operation.path.replace(/\/[^/]*$/, '');
  const answers = createItemAnswers({ ...operation, path: itemPath }, resource, options);
  const { sets } = operation;
  const times = timestampsOf(options.document)(resource).filter(
    ({ of, isOfService }) => of === 'update' && isOfService,
  );
  return async (call) => {
    const { store, clock } = call;
    const id = answers.idOf(call);
    const toChanged = (json: ByteText) => {
      const now = times.map(({ property, form }) => [property, toTimestamp(clock.now(), form)]);
      return toStoredItem(resource, { ...fieldsOf(json), ...sets, ...Object.fromEntries(now) });
    };
    const json = sets
      ? (await store.change(resource.name, id, toChanged))?.json
      : await store.get(resource.name, id);
    return json === undefined ? answers.missing(call) : answers.done(call, json);
  };
}
