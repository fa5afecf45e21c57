/** Items ordered by id; when it is full, new ones replace the oldest. */
export interface Ring<T extends Item> {
  readonly length: number;
  /** The sum of the sizes of its items. */
  readonly bytes: number;
  /**
   * How many items were replaced or dropped since it was last cleared, and the id of the last one,
   * or 0.
   */
  readonly dropped: number;
  readonly lastDropped: number;
  /** The item at a place from the oldest on. */
  at(place: number): T;
  /** The place of the first item whose id is greater. */
  placeAfter(id: number): number;
  /** Adds an item with the greatest id so far, in place of the oldest one if it is full. */
  push(item: T): void;
  /** Removes the oldest item, if there is one. */
  drop(): void;
  clear(): void;
  /** Says how many items made room elsewhere, and the id of the last of them. */
  setDropped(dropped: number, lastDropped: number): void;
}

type Item = { id: number; size: number };

/** Makes a ring for a number of items; it allocates memory as it fills. */
export function createRing<T extends Item>(capacity: number): Ring<T> {
  let slots: (T | undefined)[] = [];
  let first = 0;
  const slotOf = (place: number) => {
    const slot = first + place;
    return slot < capacity ? slot : slot - capacity;
  };
  const dropOldest = () => {
    const { id, size } = ring.at(0);
    slots[first] = undefined;
    first = slotOf(1);
    ring.lastDropped = id;
    ring.bytes -= size;
    ring.dropped += 1;
    ring.length -= 1;
  };
  /** Frees the memory of dropped items. */
  const shrink = () => {
    slots = Array.from({ length: ring.length }, (_, place) => ring.at(place));
    first = 0;
  };
  // Fields and no getters, which are slow where there are many rings.
  const ring: { -readonly [member in keyof Ring<T>]: Ring<T>[member] } = {
    length: 0,
    bytes: 0,
    dropped: 0,
    lastDropped: 0,
    at: (place) => slots[slotOf(place)] as T,
    placeAfter(id) {
      let [from, to] = [0, ring.length];
      while (from < to) {
        const middle = (from + to) >> 1;
        if (ring.at(middle).id > id) to = middle;
        else from = middle + 1;
      }
      return from;
    },
    push(item) {
      if (ring.length === capacity) dropOldest();
      slots[slotOf(ring.length)] = item;
      ring.bytes += item.size;
      ring.length += 1;
    },
    drop() {
      if (ring.length === 0) return;
      dropOldest();
      if (ring.length * 4 <= slots.length) shrink();
    },
    clear() {
      slots = [];
      first = 0;
      Object.assign(ring, { length: 0, bytes: 0, dropped: 0, lastDropped: 0 });
    },
    setDropped: (dropped, lastDropped) => void Object.assign(ring, { dropped, lastDropped }),
  };
  return ring;
}
