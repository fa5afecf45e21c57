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

/** What takes memory: items in a list that only grows, or what a store has changed of one. */
export type Part = readonly StoredItem[] | { readonly bytes: number };

/** Sums the memory of parts; it looks at each item of a list once, and not before. */
export function createSumBytes(): (parts: Iterable<Part>) => number {
  const known = new WeakMap<readonly StoredItem[], { count: number; bytes: number }>();
  const bytesOf = (part: Part): number => {
    if ('bytes' in part) return part.bytes;
    let seen = known.get(part);
    if (!seen) known.set(part, (seen = { count: 0, bytes: 0 }));
    for (; seen.count < part.length; seen.count++)
      seen.bytes += bytesOfItem(part[seen.count] as StoredItem);
    return seen.bytes;
  };
  return (parts) => {
    let bytes = 0;
    for (const part of parts) bytes += bytesOf(part);
    return bytes;
  };
}
