import {
  type ApiDocument,
  findResource,
  type Operation,
  type Resource,
} from '../../contracts/description/document.ts';
import type { IndexedFilters } from '../items/indexed-filters.ts';
import type { Behaviour } from './behaviour.ts';
import { createCreateBehaviour } from './create.ts';
import { createFromDocumentBehaviour, type FromDocumentOptions } from './from-document.ts';
import { createListBehaviour } from './list.ts';
import { createReadBehaviour } from './read.ts';

type CreateBehaviour = (resource: Resource, indexed?: ReadonlySet<string>) => Behaviour;

const byKind: Record<NonNullable<Operation['kind']>, CreateBehaviour> = {
  list: createListBehaviour,
  create: createCreateBehaviour,
  read: createReadBehaviour,
};

/**
 * The behaviour of an operation, by its kind; lists find items by the `indexed` filters fast, and
 * by the others at all.
 */
export function bindBehaviour(
  operation: Operation,
  document: ApiDocument,
  { indexed, ...options }: { indexed: IndexedFilters } & FromDocumentOptions,
): Behaviour {
  const resource = findResource(document, operation);
  if (!operation.kind || !resource)
    return createFromDocumentBehaviour(document, operation, options);
  return byKind[operation.kind](resource, indexed.get(resource.name));
}
