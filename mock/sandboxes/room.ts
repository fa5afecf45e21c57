import type { ItemList } from '../state/store.ts';

/** Something would take more memory than there is for it; the message says how much there is, and what to do. */
export class RoomError extends Error {}

/** The memory that items may take. */
export interface Room {
  /** Throws {@link RoomError} where there is no room for more lists beside those that are held; one that is held takes none. */
  hold(more: Iterable<ItemList>, held: Iterable<ItemList>): void;
}

/** What an item and its place in the indexes take besides its JSON, in bytes: no less than V8 was seen to take. */
const overhead = 256;

/** Counts the memory of items, at most `most` bytes; the lists that `free` gives are not counted. */
export function createRoom({ most, free }: { most: number; free: () => Iterable<ItemList> }): Room {
  const known = new WeakMap<ItemList, { count: number; bytes: number }>();
  const bytesOf = (list: ItemList): number => {
    let seen = known.get(list);
    if (!seen) known.set(list, (seen = { count: 0, bytes: 0 }));
    for (; seen.count < list.length; seen.count++) seen.bytes += overhead + (list[seen.count]?.json.length ?? 0);
    return seen.bytes;
  };
  const sum = (lists: Iterable<ItemList>) => {
    let bytes = 0;
    for (const list of lists) bytes += bytesOf(list);
    return bytes;
  };
  return {
    hold(more, held) {
      const counted = new Set(held).difference(new Set(free()));
      const wanted = sum(new Set(more).difference(counted).difference(new Set(free())));
      if (wanted === 0 || sum(counted) + wanted <= most) return;
      throw new RoomError(
        `Sandboxes and snapshots may take ${toMegabytes(most)} for items of their own, of which ${toMegabytes(sum(counted))} are taken, and this needs ${toMegabytes(wanted)}. Delete what is no longer used (DELETE /__admin/sandboxes/NAME, DELETE /__admin/snapshots/NAME), or give the twin's Node more with --max-old-space-size.`,
      );
    },
  };
}

function toMegabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1e6).toLocaleString('en')} MB`;
}
