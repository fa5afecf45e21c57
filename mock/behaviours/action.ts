import type { Operation, Resource } from '../../contracts/description/document.ts';
import type { Behaviour } from './behaviour.ts';
import { createItemAnswers, type ItemOptions } from './item-answers.ts';

/**
 * Answers what is done to the item in the path with that item: the document does not say what of it
 * changes.
 */
export function createActionBehaviour(
  resource: Resource,
  operation: Operation,
  options: ItemOptions,
): Behaviour {
  const itemPath = operation.path.replace(/\/[^/]*$/, '');
  const answers = createItemAnswers({ ...operation, path: itemPath }, resource, options);
  return async (call) => {
    const json = await call.store.get(resource.name, answers.idOf(call));
    return json === undefined ? answers.missing(call) : answers.done(call, json);
  };
}
