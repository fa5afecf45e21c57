import { shapeOf, withoutSlash } from '../../contracts/description/collections/places.ts';
import { idParameterOf } from '../../contracts/description/collections/resource.ts';
import type { ApiDocument, Operation, Resource } from '../../contracts/description/document.ts';
import { isDescribed } from '../../contracts/description/stated.ts';
import type { Behaviour } from './behaviour.ts';
import { createItemAnswers, type ItemOptions } from './item-answers.ts';

/** The methods that paths of items have without being about one that exists. */
const usual = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * The collection of which an operation without a kind, such as `COPY /books/{id}`, needs an item:
 * it is at the path of one, and its method or a documented error says so.
 */
export function findNeeded(document: ApiDocument, operation: Operation): Resource | undefined {
  const { method, path, hint } = operation;
  const isStated = isDescribed(operation, 404) || isDescribed(operation, 410);
  const needsItem = isStated || !usual.includes(method);
  if (!withoutSlash(path).endsWith('}') || !needsItem || hint?.kind === 'none') return undefined;
  return document.resources.find(({ operations }) =>
    Object.values(operations).some(
      (one) => idParameterOf(one) !== undefined && shapeOf(one.path) === shapeOf(path),
    ),
  );
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
