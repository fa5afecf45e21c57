import type { StoredItem } from './store.ts';

/**
 * The bytes that an item and its place in the indexes take besides its texts: no less than V8 was
 * seen to take.
 */
const overhead = 256;

/**
 * The memory of an item, in bytes; a value that lists find it by is a text of its own, of up to two
 * bytes a character.
 */
export function bytesOfItem({ json, filters }: StoredItem): number {
  let bytes = overhead + json.length;
  for (const name in filters) bytes += 2 * (filters[name]?.length ?? 0);
  return bytes;
}

/** Sums the memory of lists that only grow; it looks at each item once, and not before. */
export function createSumBytes(): (lists: Iterable<readonly StoredItem[]>) => number {
  const known = new WeakMap<readonly StoredItem[], { count: number; bytes: number }>();
  const bytesOf = (list: readonly StoredItem[]): number => {
    let seen = known.get(list);
    if (!seen) known.set(list, (seen = { count: 0, bytes: 0 }));
    for (; seen.count < list.length; seen.count++)
      seen.bytes += bytesOfItem(list[seen.count] as StoredItem);
    return seen.bytes;
  };
  return (lists) => {
    let bytes = 0;
    for (const list of lists) bytes += bytesOf(list);
    return bytes;
  };
}
