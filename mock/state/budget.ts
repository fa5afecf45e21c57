import { getHeapStatistics } from 'node:v8';
import { type Admit, OutOfRoomError } from './store.ts';
import { bytesOf, type MemoryHolder } from './tables.ts';
/** Holds memory, in bytes, that may be dropped to make room, its oldest part first. */
export interface Holder {
  readonly bytes: number;
  drop(): void;
}

/** Bounds the memory that callers use beside items, in bytes. */
export class Budget {
  readonly max: number;
  /** The memory of all holders. */
  bytes = 0;
  readonly #holders = new Set<Holder>();
  #isDropping = false;

  constructor(max = Number.POSITIVE_INFINITY) {
    this.max = max;
  }

  /** Updates the total after a holder changed from `before` bytes, and makes room beyond the maximum. */
  follow(holder: Holder, before: number): void {
    this.bytes += holder.bytes - before;
    if (holder.bytes === 0) this.#holders.delete(holder);
    else if (before === 0) this.#holders.add(holder);
    // Each drop is followed by a call of this.
    if (this.#isDropping) return;
    this.#isDropping = true;
    while (this.bytes > this.max) this.#largest()?.drop();
    this.#isDropping = false;
  }

  #largest(): Holder | undefined {
    let largest: Holder | undefined;
    for (const holder of this.#holders) if (holder.bytes > (largest?.bytes ?? 0)) largest = holder;
    return largest;
  }
}

/** Bytes as a text for people. */
export function toMegabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1e6).toLocaleString('en')} MB`;
}

/** The memory of an entry besides its value, in bytes; no less than was seen. */
const overhead = 256;

/** Keeps values by their keys, in the order in which they came, as far as a budget has room for them. */
export class BoundedMap<Value> implements Holder {
  bytes = 0;
  /** The number of values that were dropped since the last clear. */
  dropped = 0;
  readonly #entries = new Map<string, { value: Value; bytes: number }>();
  /** Goes over all from the oldest: a new iterator would skip the places of all that were dropped. */
  readonly #oldest = this.#entries.entries();
  readonly #budget: Budget;
  readonly #max: number;
  readonly #onDrop: ((value: Value) => void) | undefined;
  #isClosed = false;

  constructor(
    budget: Budget,
    { max = Number.POSITIVE_INFINITY, onDrop }: BoundedMapOptions<Value> = {},
  ) {
    this.#budget = budget;
    this.#max = max;
    this.#onDrop = onDrop;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): Value | undefined {
    return this.#entries.get(key)?.value;
  }

  values(): Value[] {
    return [...this.#entries.values()].map(({ value }) => value);
  }

  /** Keeps a value that takes so many bytes, in the place of the one with its key; nothing once it is closed. */
  set(key: string, value: Value, bytes: number): void {
    if (this.#isClosed) return;
    const before = this.bytes;
    const all = 2 * key.length + overhead + bytes;
    this.bytes += all - (this.#entries.get(key)?.bytes ?? 0);
    this.#entries.set(key, { value, bytes: all });
    this.#budget.follow(this, before);
    if (this.#entries.size > this.#max) this.drop();
  }

  delete(key: string): boolean {
    const entry = this.#entries.get(key);
    if (!entry) return false;
    const before = this.bytes;
    this.#entries.delete(key);
    this.bytes -= entry.bytes;
    this.#budget.follow(this, before);
    return true;
  }

  /** Drops the oldest value, if there is one. */
  drop(): void {
    if (this.size === 0) return;
    const [key, { value }] = this.#oldest.next().value as [string, { value: Value }];
    this.#onDrop?.(value);
    this.delete(key);
    this.dropped += 1;
  }

  /** Drops all values. */
  clear(): void {
    while (this.size > 0) this.drop();
    this.dropped = 0;
  }

  /** Drops all values, and keeps none any more. */
  close(): void {
    this.#isClosed = true;
    this.clear();
  }
}

export type BoundedMapOptions<Value> = {
  /** The maximum number of values. */
  max?: number;
  /** Hears of each value that is dropped. */
  onDrop?: (value: Value) => void;
};

/**
 * Returns the memory for items that sandboxes and snapshots do not share, in bytes. This is a third
 * of the heap beyond 256 MiB, but at least a sixteenth of the heap. A change of the document makes
 * items twice. V8's young generation and the rest of the mock take 256 MiB.
 */
export function maxItemBytes(): number {
  const heap = getHeapStatistics().heap_size_limit;
  return Math.max((heap - 256 * 1024 * 1024) / 3, heap / 16);
}

/** Returns the memory for data of callers beside items, in bytes: a sixteenth of the heap. */
export function maxBytesBesideItems(): number {
  return Math.floor(getHeapStatistics().heap_size_limit / 16);
}

/**
 * Returns the memory for initial items, in bytes: half of the heap. Each is a parsed value and a
 * text while it is made.
 */
export function maxSeedBytes(): number {
  return getHeapStatistics().heap_size_limit / 2;
}

/** The memory that items may take. */
export interface Room {
  /** Throws {@link OutOfRoomError} if there is no room for more. */
  ensure(more: Iterable<MemoryHolder>, held: Iterable<MemoryHolder>): void;
  /** Throws {@link OutOfRoomError} if a store has no room for a new item of this size. */
  admit: Admit;
}

type RoomOptions = {
  /** The total of bytes. */
  max: number;
  /** Returns the holders whose memory is not counted. */
  free: () => Iterable<MemoryHolder>;
  /** Returns the holders at present. */
  held: () => Iterable<MemoryHolder>;
};

/** Counts the memory of items, at most `max` bytes; what `free` returns is not counted. */
export function createRoom({ max, free, held: heldNow }: RoomOptions): Room {
  const refuse = (taken: number, wanted: number) =>
    new OutOfRoomError(
      `Sandboxes and snapshots may take ${toMegabytes(max)} for their own items, of which ${toMegabytes(taken)} are used, and this needs ${toMegabytes(wanted)}. Delete what is no longer used (POST /__admin/reset, DELETE /__admin/sandboxes/NAME, DELETE /__admin/snapshots/NAME), or give the mock's Node more with --max-old-space-size.`,
    );
  /** Holds the bytes that may be added before the next count. */
  let spare = 0;
  return {
    ensure(more, held) {
      spare = 0;
      const wanted = bytesOf(more, [...held, ...free()]);
      const taken = bytesOf(held, free());
      if (wanted > 0 && taken + wanted > max) throw refuse(taken, wanted);
    },
    admit(wanted) {
      spare -= wanted;
      if (spare >= 0) return;
      spare = 0;
      const taken = bytesOf(heldNow(), free());
      const left = max - taken - wanted;
      if (left < 0) throw refuse(taken, wanted);
      spare = Math.min(left, max / 16);
    },
  };
}
