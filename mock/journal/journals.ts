import { createRedact, type Redact, type SecretNames } from '../redact.ts';
import { type Entry, toEntry } from './entry.ts';
import { type Exchange, share, trim } from './exchange.ts';
import { matchesFilter } from './filter.ts';
import type { Bounds, Journal, LocalJournal, Subscriber } from './journal.ts';

/** The journals of a twin's sandboxes, which share a memory bound. */
export interface Journals {
  readonly bounds: Bounds;
  /** Whether nothing is retained or reported; it is read at each request. */
  readonly isOff: boolean;
  /** Their maximum memory in total, in bytes. */
  bytes(): number;
  /** Makes the journal of another sandbox. */
  open(): LocalJournal;
  /** The id of the next exchange. */
  nextId(): number;
  /** A URL with its keys filtered, as journals show it. */
  showUrl(url: string): string;
  /** Filters further keys, and what further names hold, out of all that they show. */
  hide(secrets: readonly string[], names?: SecretNames): void;
  /** Ends all streams of them. */
  close(): void;
}

/** The memory bound of all journals of a twin, in bytes. */
const defaultMaxBytes = 32 * 1024 * 1024;

/**
 * Makes the journals of a twin; with `entries` 0 they retain nothing. `secrets` are shown nowhere;
 * `onExchange` is called with each exchange.
 */
export function createJournals({
  entries,
  maxBytes = defaultMaxBytes,
  secrets,
  onExchange,
}: {
  entries: number;
  maxBytes?: number;
  secrets: readonly string[];
  onExchange?: (entry: Entry) => void;
}): Journals {
  const bounds: Bounds = { entries, bytes: maxBytes };
  const redact = createRedact(secrets);
  const opened = new Set<Journal>();
  const memory = createMemory(maxBytes);
  let id = 0;
  return {
    bounds,
    isOff: entries === 0 && !onExchange,
    bytes: memory.bytes,
    open() {
      const journal = createJournal({
        bounds,
        redact,
        onExchange,
        newestId: () => id,
        onChange: memory.onChange,
        onClose: () => opened.delete(journal),
      });
      opened.add(journal);
      return journal;
    },
    nextId: () => ++id,
    showUrl: redact.url,
    hide: redact.hide,
    close() {
      for (const journal of opened) journal.close();
    },
  };
}

/** What journals take together; where that is too much, the largest drop their oldest entries. */
type Memory = { bytes: () => number; onChange: Options['onChange'] };

function createMemory(maxBytes: number): Memory {
  /** Those that hold anything. */
  const holding = new Set<Journal>();
  let bytes = 0;
  /**
   * Takes from the largest, and more than is needed at once, so that it is not looked for at each
   * record.
   */
  const makeRoom = () => {
    const goal = maxBytes - maxBytes / 64;
    while (bytes > goal) {
      let [largest] = holding;
      for (const journal of holding)
        if (journal.retained.bytes > (largest?.retained.bytes ?? 0)) largest = journal;
      if (!largest) return;
      const half = largest.retained.bytes / 2;
      while (bytes > goal && largest.retained.bytes > half) largest.drop();
    }
  };
  return {
    bytes: () => bytes,
    onChange(journal, before, after) {
      bytes += after - before;
      if (after === 0) holding.delete(journal);
      else if (before === 0) holding.add(journal);
      if (bytes > maxBytes) makeRoom();
    },
  };
}

type Options = {
  bounds: Bounds;
  redact: Redact;
  /** Called with each exchange, retained or not. */
  onExchange?: ((entry: Entry) => void) | undefined;
  newestId: () => number;
  /** Called after each change of the memory that is taken, in bytes. */
  onChange: (journal: Journal, before: number, after: number) => void;
  onClose: () => void;
};

/** Makes an empty journal, which takes no room to speak of. */
function createJournal(options: Options): LocalJournal {
  const { bounds, redact, onExchange, newestId, onChange } = options;
  const ring = createRing<Exchange>(bounds.entries);
  const subscribers = new Set<Subscriber>();
  let closed = false;
  const change = (act: () => void) => {
    const before = ring.bytes;
    act();
    onChange(journal, before, ring.bytes);
  };
  const journal: LocalJournal = {
    bounds,
    retained: ring,
    newestId,
    ...createReader(ring, redact),
    report(exchange) {
      trim(exchange);
      onExchange?.(toEntry(exchange, redact));
    },
    record(exchange) {
      journal.report(exchange);
      if (closed || bounds.entries === 0) return;
      if (ring.length > 0) share(exchange, ring.at(ring.length - 1));
      change(() => ring.push(exchange));
      for (const { onRecord } of subscribers) onRecord();
    },
    follow({ exchanges, oldest, dropped, lastDropped }) {
      if (closed) return;
      change(() => {
        while (ring.length > 0 && ring.at(0).id < oldest) ring.drop();
        for (const exchange of exchanges) ring.push(exchange);
        ring.setDropped(dropped, lastDropped);
      });
      if (exchanges.length > 0) for (const { onRecord } of subscribers) onRecord();
    },
    restart() {
      journal.clear();
      for (const { onRestart } of subscribers) onRestart();
    },
    subscribe(subscriber) {
      if (!closed) subscribers.add(subscriber);
      else subscriber.onClose();
      return () => void subscribers.delete(subscriber);
    },
    drop: () => change(ring.drop),
    clear: () => change(ring.clear),
    close() {
      closed = true;
      journal.clear();
      for (const { onClose } of subscribers) onClose();
      subscribers.clear();
      options.onClose();
    },
  };
  return journal;
}

type Reader = Pick<Journal, 'ids' | 'count' | 'get' | 'read'>;

/** Reads what a journal retains. */
function createReader(ring: Ring<Exchange>, redact: Redact): Reader {
  return {
    ids({ limit = Number.POSITIVE_INFINITY, ...filter } = {}) {
      const ids: number[] = [];
      for (let place = ring.length - 1; place >= 0 && ids.length < limit; place--) {
        const exchange = ring.at(place);
        if (matchesFilter(exchange, filter)) ids.push(exchange.id);
      }
      return ids;
    },
    count(filter = {}) {
      let count = 0;
      for (let place = 0; place < ring.length; place++) {
        if (matchesFilter(ring.at(place), filter)) count += 1;
      }
      return count;
    },
    get(id) {
      const place = id === 'latest' ? ring.length - 1 : ring.placeAfter(id - 1);
      if (place < 0 || place >= ring.length) return undefined;
      const exchange = ring.at(place);
      return id === 'latest' || exchange.id === id ? toEntry(exchange, redact) : undefined;
    },
    read(after, filter, max, toForm) {
      const entries: ReturnType<typeof toForm>[] = [];
      let last = after;
      const first = ring.placeAfter(after);
      for (let place = first; place < ring.length && entries.length < max; place++) {
        const exchange = ring.at(place);
        last = exchange.id;
        if (matchesFilter(exchange, filter)) entries.push(toForm(exchange, redact));
      }
      return { entries, last: Math.max(last, ring.lastDropped), missed: after < ring.lastDropped };
    },
  };
}

/** Items ordered by id; when it is full, new ones replace the oldest. */
interface Ring<T extends Item> {
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
