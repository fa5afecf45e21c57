import type { ItemList, StoredItem } from '../state/store.ts';

/**
 * Something would take more memory than there is for it; the message says how much there is, and
 * what to do.
 */
export class RoomError extends Error {}

/** The memory that items may take. */
export interface Room {
  /**
   * Throws {@link RoomError} where there is no room for more lists beside those that are held; one
   * that is held takes none.
   */
  hold(more: Iterable<ItemList>, held: Iterable<ItemList>): void;
  /**
   * Throws {@link RoomError} where there is no room for an item that is about to be added to a list
   * that is held.
   */
  admit(item: StoredItem): void;
}

export type RoomOptions = {
  /** How many bytes there are. */
  most: number;
  /** The lists that are not counted. */
  free: () => Iterable<ItemList>;
  /** The lists that there are. */
  held: () => Iterable<ItemList>;
};

/**
 * What an item and its place in the indexes take besides its texts, in bytes: no less than V8 was
 * seen to take.
 */
const overhead = 256;

/**
 * Counts the memory of items, at most `most` bytes; the lists that `free` gives are not counted.
 */
export function createRoom({ most, free, held: heldNow }: RoomOptions): Room {
  const known = new WeakMap<ItemList, { count: number; bytes: number }>();
  /**
   * What may be added until all is counted anew: a hundredth of the room, so that other changes are
   * soon noticed.
   */
  let credit = 0;
  const bytesOf = (list: ItemList): number => {
    let seen = known.get(list);
    if (!seen) known.set(list, (seen = { count: 0, bytes: 0 }));
    for (; seen.count < list.length; seen.count++)
      seen.bytes += sizeOf(list[seen.count] as StoredItem);
    return seen.bytes;
  };
  const sum = (lists: Iterable<ItemList>) => {
    let bytes = 0;
    for (const list of lists) bytes += bytesOf(list);
    return bytes;
  };
  const refuse = (taken: number, wanted: number) =>
    new RoomError(
      `Sandboxes and snapshots may take ${toMegabytes(most)} for items of their own, of which ${toMegabytes(taken)} are taken, and this needs ${toMegabytes(wanted)}. Delete what is no longer used (POST /__admin/reset, DELETE /__admin/sandboxes/NAME, DELETE /__admin/snapshots/NAME), or give the twin's Node more with --max-old-space-size.`,
    );
  return {
    hold(more, held) {
      const counted = new Set(held).difference(new Set(free()));
      const wanted = sum(new Set(more).difference(counted).difference(new Set(free())));
      const taken = sum(counted);
      if (wanted > 0 && taken + wanted > most) throw refuse(taken, wanted);
    },
    admit(item) {
      const wanted = sizeOf(item);
      if (wanted > credit) {
        const taken = sum(new Set(heldNow()).difference(new Set(free())));
        if (taken + wanted > most) throw refuse(taken, wanted);
        credit = Math.min(most - taken, Math.max(most / 100, wanted));
      }
      credit -= wanted;
    },
  };
}

/**
 * The memory of an item, in bytes; a value that lists find it by is a text of its own, of up to two
 * bytes a character.
 */
function sizeOf({ json, filters }: StoredItem): number {
  let bytes = overhead + json.length;
  for (const name in filters) bytes += 2 * (filters[name]?.length ?? 0);
  return bytes;
}

function toMegabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1e6).toLocaleString('en')} MB`;
}
