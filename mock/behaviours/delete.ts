import type { Operation, Resource } from '../../contracts/description/document.ts';
import { noBytes } from '../json/byte-text.ts';
import type { Behaviour } from './behaviour.ts';
import { createItemAnswers, type ItemOptions } from './item-answers.ts';

/** Removes the item that has the id in the path; no other item gets its id. */
export function createDeleteBehaviour(
  resource: Resource,
  operation: Operation,
  options: ItemOptions,
): Behaviour {
  const { name } = resource;
  const answers = createItemAnswers(operation, resource, options);
  return async (call) => {
    const { store } = call;
    const id = answers.idOf(call);
    const json = answers.showsItem ? await store.get(name, id) : noBytes;
    const isRemoved = json !== undefined && (await store.remove(name, id));
    return isRemoved ? answers.done(call, json) : answers.missing(call);
  };
}
