import type { CollectionDifferences } from './differences.ts';
import {
  addItem,
  type Collection,
  changeItem,
  emptyCollection,
  itemOf,
} from './memory-collection.ts';
import type { OpenedMemory } from './memory-store.ts';
import type { Change } from './round.ts';
import type { StoredItem } from './store.ts';

/**
 * Applies a change to what a store in memory holds. Places are counted from behind the items that it
 * began with, unless they are those of the whole.
 */
export function applyChange(memory: OpenedMemory, change: Change, isOfWhole = false): void {
  const { collection: name, next } = change;
  if (change.act === 'clear') {
    memory.set(name, emptyCollection(next, memory.find(name)?.lastSerial));
    return;
  }
  const held = memory.get(name);
  held.next = next;
  if (change.act === 'put') putItem(held, change.item, { place: change.place, isOfWhole });
  else if (itemOf(held, change.id)) changeItem(held, change.id, undefined);
}

/** Applies what differs about a collection to a store that holds its seeds. */
export function applyDifferences(
  memory: OpenedMemory,
  name: string,
  { next, isEmptied, items }: CollectionDifferences,
): void {
  if (isEmptied) memory.set(name, emptyCollection(next));
  const held = memory.get(name);
  held.next = next;
  const added: { item: StoredItem; place: number }[] = [];
  for (const { id, item, place } of items) {
    if (item && place !== undefined) added.push({ item, place });
    else if (itemOf(held, id)) changeItem(held, id, item);
  }
  for (const { item, place } of added.toSorted((left, right) => left.place - right.place))
    putItem(held, item, { place });
}

type PutPlace = { place: number | undefined; isOfWhole?: boolean };

function putItem(held: Collection, item: StoredItem, { place, isOfWhole }: PutPlace): void {
  const isHeld = itemOf(held, item.id) !== undefined;
  if (isHeld && place === undefined) changeItem(held, item.id, item);
  else {
    if (isHeld) changeItem(held, item.id, undefined);
    addItem(held, item, (place ?? 0) + (isOfWhole ? 0 : held.base.layer.items.length));
  }
}
