import { findListRules } from '../../contracts/description/collections/list-rules.ts';
import type { ApiDocument, Operation, Resource } from '../../contracts/description/document.ts';
import { toPinnedPayload } from '../answers/answer-form.ts';
import type { Behaviour } from '../behaviours/behaviour.ts';
import type { BehaviourInstead } from '../behaviours/bind.ts';
import { isPlainList } from '../behaviours/paged-list.ts';
import {
  createFreshItems,
  createPinnedCreate,
  createPinnedList,
  createPinnedRead,
  type PinnedOptions,
} from './pinned-items.ts';
import type { Pins } from './pins.ts';

type CreatePinned = (resource: Resource, pinned: PinnedOptions) => Behaviour;

/** What operations do where it is pinned; they are slower, as they do more. */
const byKind: Partial<Record<NonNullable<Operation['kind']>, CreatePinned>> = {
  list: createPinnedList,
  create: createPinnedCreate,
  read: createPinnedRead,
};

/** Makes what finds the pinned behaviour of an operation. */
export function createPinnedBehaviours(pins: Pins, document: ApiDocument): BehaviourInstead {
  const { read = 0, list = 0 } = pins.delays ?? {};
  const pinned = { pins, fresh: createFreshItems(Math.max(read, list)) };
  return (operation, resource) => {
    if (resource) return findPinned(operation, resource, document)?.(resource, pinned);
    if (!pins.payload) return undefined;
    const answer = toPinnedPayload(pins.payload);
    return async () => answer;
  };
}

/** What pins say of answers is said of items and arrays of them, not of what holds these. */
function findPinned(
  operation: Operation,
  { item }: Resource,
  document: ApiDocument,
): CreatePinned | undefined {
  const { kind, itemsAt } = operation;
  if (!kind || itemsAt) return undefined;
  const isOther = kind === 'list' && !isPlainList(findListRules(document.raw, operation, item));
  return isOther ? undefined : byKind[kind];
}
