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
import {
  createPinnedCreate,
  createPinnedList,
  createPinnedRead,
  type PinnedOptions,
} from './pinned-items.ts';
import { createPinnedPayload } from './pinned-payload.ts';
import { createReadBehaviour } from './read.ts';

type CreateBehaviour = (resource: Resource, indexed?: ReadonlySet<string>) => Behaviour;

const byKind: Record<NonNullable<Operation['kind']>, CreateBehaviour> = {
  list: createListBehaviour,
  create: createCreateBehaviour,
  read: createReadBehaviour,
};

type CreatePinned = (resource: Resource, pinned: PinnedOptions) => Behaviour;

/** The same where it is pinned what they do; they are slower, as they do more. */
const pinnedByKind: Record<NonNullable<Operation['kind']>, CreatePinned> = {
  list: createPinnedList,
  create: createPinnedCreate,
  read: createPinnedRead,
};

export type BindOptions = FromDocumentOptions & {
  indexed: IndexedFilters;
  pinned?: PinnedOptions | undefined;
};

/**
 * The behaviour of an operation, by its kind; lists find items by the `indexed` filters fast, and
 * by the others at all.
 */
export function bindBehaviour(
  operation: Operation,
  document: ApiDocument,
  { indexed, pinned, ...options }: BindOptions,
): Behaviour {
  const resource = findResource(document, operation);
  if (!operation.kind || !resource) {
    const payload = pinned?.pins.payload;
    return payload
      ? createPinnedPayload(payload)
      : createFromDocumentBehaviour(document, operation, options);
  }
  if (pinned) return pinnedByKind[operation.kind](resource, pinned);
  return byKind[operation.kind](resource, indexed.get(resource.name));
}
