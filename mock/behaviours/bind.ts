import type { ApiDocument, Operation, Resource } from '../../contracts/document.ts';
import type { Behaviour } from './behaviour.ts';
import { createCreateBehaviour } from './create.ts';
import { createFromDocumentBehaviour } from './from-document.ts';
import { createListBehaviour } from './list.ts';
import { createReadBehaviour } from './read.ts';

type CreateBehaviour = (resource: Resource, document: ApiDocument) => Behaviour;

const byKind: Record<NonNullable<Operation['kind']>, CreateBehaviour> = {
  list: createListBehaviour,
  create: createCreateBehaviour,
  read: createReadBehaviour,
};

/** The behaviour of an operation, by its kind. */
export function bindBehaviour(operation: Operation, document: ApiDocument): Behaviour {
  const resource = document.resources.find(({ name }) => name === operation.resource);
  if (!operation.kind || !resource) return createFromDocumentBehaviour(document, operation);
  return byKind[operation.kind](resource, document);
}
