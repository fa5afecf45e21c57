import type { Redact } from '../redact.ts';
import { type Entry, toEntry } from './entry.ts';
import { type Exchange, share, trim } from './exchange.ts';
import { type Filter, matchesFilter } from './filter.ts';

/**
 * The latest requests of a sandbox with the reason for each answer, within its bounds.
 */
export interface Journal {
  /** The maximum of entries here, and of bytes over all sandboxes. */
  readonly bounds: Bounds;
  /**
   * How many entries there are, their maximum memory, and how many were replaced by newer ones
   * since it was last cleared.
   */
  readonly retained: Pick<Ring<Exchange>, 'length' | 'bytes' | 'dropped'>;
  /** The newest id that the twin assigned, in any sandbox. */
  newestId(): number;
  record(exchange: Exchange): void;
  /** Follows what other processes recorded; undefined where none can. */
  readonly refresh?: () => Promise<void>;
  /**
   * The ids of matching entries, newest first. The entries themselves are made one by one, as all
   * of them take far more memory.
   */
  ids(filter?: Filter & { limit?: number }): number[];
  count(filter?: Filter): number;
  /** The entry with an id, or the newest. */
  get(id: number | 'latest'): Entry | undefined;
  /**
   * The next entries after an id, oldest first; `last` is the id to continue from, and `missed`
   * says whether some were already replaced.
   */
  read<T>(
    after: number,
    filter: Filter,
    max: number,
    toForm: ToForm<T>,
  ): { entries: T[]; last: number; missed: boolean };
  /** Notifies of each new entry and of the close, at once if closed. Returns the unsubscriber. */
  subscribe(subscriber: Subscriber): () => void;
  /** Removes the oldest entry. */
  drop(): void;
  /** Removes all entries, for all processes where others share it. */
  clear(): void | Promise<void>;
  /** Clears it for good and notifies the subscribers. */
  close(): void;
}

/** A journal in the memory of this process, which one that processes share is built on. */
export interface LocalJournal extends Journal {
  clear(): void;
  /** Reports an exchange, and does not retain it. */
  report(exchange: Exchange): void;
  /** Retains exchanges that were recorded elsewhere, behind the others; those before are gone. */
  follow(news: News): void;
  /** Clears it, as what is recorded elsewhere gets ids from 1 again. */
  restart(): void;
}

/**
 * Exchanges in order of their ids, and what is retained elsewhere: the id of the oldest, how many
 * were dropped, and the id of the last of these.
 */
export type News = {
  exchanges: readonly Exchange[];
  oldest: number;
  dropped: number;
  lastDropped: number;
};

/** Shows an exchange, the `count`th of the sandbox since its journal was last cleared. */
export type ToForm<T> = (exchange: Exchange, redact: Redact, count: number) => T;

export type Bounds = { entries: number; bytes: number };

export type Subscriber = {
  onRecord: () => void;
  /** What is recorded from now on gets ids from 1 again. */
  onRestart: () => void;
  /** Why nothing new can be read of what other processes record; undefined once that is over. */
  onProblem: (problem: string | undefined) => void;
  onClose: () => void;
};

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
export function createJournal({
  bounds,
  redact,
  onExchange,
  newestId,
  onChange,
  onClose: forget,
}: Options): LocalJournal {
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
    report(exchange) {
      trim(exchange);
      onExchange?.(toEntry(exchange, redact));
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
    record(exchange) {
      journal.report(exchange);
      if (closed || bounds.entries === 0) return;
      if (ring.length > 0) share(exchange, ring.at(ring.length - 1));
      change(() => ring.push(exchange));
      for (const { onRecord } of subscribers) onRecord();
    },
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
    read<T>(after: number, filter: Filter, max: number, toForm: ToForm<T>) {
      const entries: T[] = [];
      let last = after;
      for (
        let place = ring.placeAfter(after);
        place < ring.length && entries.length < max;
        place++
      ) {
        const exchange = ring.at(place);
        last = exchange.id;
        if (matchesFilter(exchange, filter))
          entries.push(toForm(exchange, redact, ring.dropped + place + 1));
      }
      return { entries, last: Math.max(last, ring.lastDropped), missed: after < ring.lastDropped };
    },
    subscribe(subscriber) {
      if (closed) {
        subscriber.onClose();
        return () => {};
      }
      subscribers.add(subscriber);
      return () => void subscribers.delete(subscriber);
    },
    drop: () => change(ring.drop),
    clear: () => change(ring.clear),
    close() {
      closed = true;
      journal.clear();
      for (const { onClose } of subscribers) onClose();
      subscribers.clear();
      forget();
    },
  };
  return journal;
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
