import { endOfNumbers, type NewItem, outOfNumbers, type StoredItem } from './store.ts';

/** An item with its id, and the number that this stands for, if any. */
type Planned = { item: StoredItem; number: number | undefined };

export type PlanOptions = {
  collection: string;
  /** The number of the next item. */
  next: number;
  isTaken: (id: string) => boolean;
};

/**
 * Chooses the ids of several new items, before any of them is stored; or gives the first id that is
 * taken and has to be as given. Throws {@link OutOfRoomError} where no number is left.
 */
export function planItems(
  items: readonly NewItem[],
  { collection, next, isTaken }: PlanOptions,
): { planned: Planned[]; taken?: never } | { taken: string; planned?: never } {
  const planned = new Map<string, Planned>();
  let number = next;
  for (const { given, toItem } of items) {
    const isFree = given && !planned.has(given.item.id) && !isTaken(given.item.id);
    if (given && !isFree && !toItem) return { taken: given.item.id };
    if (given && isFree) {
      planned.set(given.item.id, given);
      const ofId = given.number ?? 0;
      if (ofId < endOfNumbers) number = Math.max(number, ofId + 1);
    } else if (toItem) {
      if (number >= endOfNumbers) throw outOfNumbers(collection);
      const item = toItem(number);
      planned.set(item.id, { item, number });
      number += 1;
    }
  }
  return { planned: [...planned.values()] };
}
