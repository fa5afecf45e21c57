import { createFindParent, itemPathsOf } from '../../contracts/description/collections/scopes.ts';
import type { ApiDocument, Operation, Resource } from '../../contracts/description/document.ts';
import { isDescribed } from '../../contracts/description/stated.ts';
import type { Behaviour } from './behaviour.ts';
import { createItemAnswers, type ItemOptions } from './item-answers.ts';

/** The methods that paths of items have without being about one that exists. */
const usual = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * The collection of which an operation without a kind needs an item: its path names one, and a
 * documented error or its method, as in `COPY /books/{id}`, says so.
 */
export function findNeeded(
  { resources }: ApiDocument,
  operation: Operation,
): { resource: Resource; itemPath: string } | undefined {
  const { method, path, hint } = operation;
  const isStated = isDescribed(operation, 404) || isDescribed(operation, 410);
  const itemPath = itemPathsOf(path).at(-1) ?? '';
  const needsItem = isStated || (itemPath === path && !usual.includes(method));
  const resource = needsItem ? createFindParent(resources)(itemPath) : undefined;
  return resource && hint?.kind !== 'none' ? { resource, itemPath } : undefined;
}

/** Refuses what is about an item that does not exist. */
export function withKnownItem(
  behaviour: Behaviour,
  resource: Resource,
  operation: Operation,
  options: ItemOptions,
): Behaviour {
  const answers = createItemAnswers(operation, resource, options);
  return async (call) => {
    const json = await call.store.get(resource.name, answers.idOf(call));
    return json === undefined ? answers.missing(call) : behaviour(call);
  };
}
