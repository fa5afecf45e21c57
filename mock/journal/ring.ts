/** Items in order of their ids, the oldest of which makes room for a new one. */
export interface Ring<T extends { id: number }> {
  readonly length: number;
  /** The item at a place from the oldest on. */
  at(place: number): T;
  /** The place of the first item whose id is greater. */
  placeAfter(id: number): number;
  /** Adds an item with the greatest id so far; there must be room. */
  push(item: T): void;
  /** Takes the oldest item out. */
  shift(): T | undefined;
  clear(): void;
}

/** Makes a ring for so many items; it takes room as it fills. */
export function createRing<T extends { id: number }>(capacity: number): Ring<T> {
  let slots: (T | undefined)[] = [];
  let first = 0;
  let length = 0;
  const at = (place: number) => slots[(first + place) % capacity] as T;
  return {
    get length() {
      return length;
    },
    at,
    placeAfter(id) {
      let [from, to] = [0, length];
      while (from < to) {
        const middle = (from + to) >> 1;
        if (at(middle).id > id) to = middle;
        else from = middle + 1;
      }
      return from;
    },
    push(item) {
      slots[(first + length) % capacity] = item;
      length += 1;
    },
    shift() {
      if (length === 0) return undefined;
      const item = at(0);
      slots[first] = undefined;
      first = (first + 1) % capacity;
      length -= 1;
      return item;
    },
    clear() {
      slots = [];
      first = 0;
      length = 0;
    },
  };
}
