import { createRedact, type Redact, type SecretNames } from '../redact.ts';
import { Budget, type Holder } from '../state/budget.ts';
import { type Entry, toEntry } from './entry.ts';
import { type Exchange, trim } from './exchange.ts';
import { type Bounds, type Journal, type LocalJournal, matchesFilter } from './journal.ts';

/** The journals of a twin's sandboxes, which share a memory bound. */
export interface Journals {
  readonly bounds: Bounds;
  /** Whether exchanges are neither retained nor reported; read at each request. */
  readonly isOff: boolean;
  /** Their maximum memory in total, in bytes. */
  bytes(): number;
  /** Creates the journal of another sandbox. */
  open(): LocalJournal;
  /** The name of the API, if the process serves several. */
  readonly api: string | undefined;
  /** The id of the next exchange. */
  nextId(): number;
  /** A URL with its keys filtered, as journals show it. */
  showUrl(url: string): string;
  /** Filters further keys, and what further names hold, out of all that they show. */
  hide(secrets: readonly string[], names?: SecretNames): void;
  /** Calls a listener with each further exchange of any sandbox, also if none is retained. */
  listen(listener: (exchange: Exchange) => void): void;
  /** Closes all of them, and so ends what follows a sandbox. */
  close(): void;
}

/**
 * Creates the journals of a twin; with `entries` 0 they retain nothing. `secrets` are shown
 * nowhere; `onExchange` is called with each exchange.
 */
export function createJournals({
  entries,
  budget = new Budget(32 * 1024 * 1024),
  secrets,
  onExchange,
  api,
  nextId = createCounter(),
}: {
  entries: number;
  api?: string;
  /** Counts exchanges, those of other APIs of the process too. */
  nextId?: () => number;
  /** Counts their memory, with all else that callers make the process keep. */
  budget?: Budget;
  secrets: readonly string[];
  onExchange?: (entry: Entry) => void;
}): Journals {
  const bounds: Bounds = { entries, bytes: budget.max };
  const redact = createRedact(secrets);
  const opened = new Set<Journal>();
  const listeners: ((exchange: Exchange) => void)[] = [];
  return {
    bounds,
    api,
    get isOff() {
      return entries === 0 && !onExchange && listeners.length === 0;
    },
    bytes: () => opened.values().reduce((sum, { retained }) => sum + retained.bytes, 0),
    open() {
      const journal = createJournal({ bounds, redact, onExchange, listeners, budget });
      opened.add(journal);
      journal.onClose(() => opened.delete(journal));
      return journal;
    },
    nextId,
    showUrl: redact.url,
    hide: redact.hide,
    listen: (listener) => void listeners.push(listener),
    close() {
      for (const journal of opened) journal.close();
    },
  };
}

/** Counts from 1. */
export function createCounter(): () => number {
  let last = 0;
  return () => ++last;
}

type Options = {
  bounds: Bounds;
  redact: Redact;
  /** Called with each exchange, retained or not. */
  onExchange?: ((entry: Entry) => void) | undefined;
  listeners: readonly ((exchange: Exchange) => void)[];
  budget: Budget;
};

/** Makes an empty journal, which takes no room to speak of. */
function createJournal(options: Options): LocalJournal {
  const { bounds, redact, onExchange, listeners, budget } = options;
  const retained = new Latest(budget, bounds.entries);
  const closing = new Set<() => void>();
  let closed = false;
  const journal: LocalJournal = {
    bounds,
    retained,
    ...createReader(retained, redact),
    report(exchange) {
      trim(exchange);
      onExchange?.(toEntry(exchange, redact));
      for (const listener of listeners) listener(exchange);
    },
    record(exchange) {
      journal.report(exchange);
      if (bounds.entries > 0) retained.add(exchange);
    },
    follow({ exchanges, oldest, dropped }) {
      retained.forgetBefore(oldest);
      for (const exchange of exchanges) retained.add(exchange);
      retained.dropped = dropped;
    },
    onClose(listener) {
      if (closed) listener();
      else closing.add(listener);
      return () => void closing.delete(listener);
    },
    drop: () => retained.drop(),
    clear: () => retained.clear(),
    close() {
      closed = true;
      retained.close();
      for (const listener of closing) listener();
      closing.clear();
    },
  };
  return journal;
}

/**
 * The latest exchanges in order of their ids, as far as a budget has room for them. A list, as a map
 * that every request changes costs a twelfth of the time of a create.
 */
class Latest implements Holder {
  bytes = 0;
  dropped = 0;
  #exchanges: (Exchange | undefined)[] = [];
  /** How many of the first ones are gone. */
  #gone = 0;
  readonly #budget: Budget;
  readonly #max: number;
  #isClosed = false;

  constructor(budget: Budget, max: number) {
    this.#budget = budget;
    this.#max = max;
  }

  get size(): number {
    return this.#exchanges.length - this.#gone;
  }

  values(): Exchange[] {
    return this.#exchanges.slice(this.#gone) as Exchange[];
  }

  add(exchange: Exchange): void {
    if (this.#isClosed) return;
    this.#exchanges.push(exchange);
    this.bytes += exchange.size;
    this.#budget.follow(this, this.bytes - exchange.size);
    if (this.size > this.#max) this.drop();
  }

  /** Drops the oldest one, if there is one, and counts it. */
  drop(): void {
    if (this.#forgetOldest()) this.dropped += 1;
  }

  /** Drops those whose ids are lower, and counts none of them. */
  forgetBefore(id: number): void {
    while ((this.#exchanges[this.#gone]?.id ?? id) < id) this.#forgetOldest();
  }

  clear(): void {
    while (this.#forgetOldest());
    this.dropped = 0;
  }

  /** Drops all, and keeps none any more. */
  close(): void {
    this.#isClosed = true;
    this.clear();
  }

  #forgetOldest(): boolean {
    const oldest = this.#exchanges[this.#gone];
    if (!oldest) return false;
    this.#exchanges[this.#gone] = undefined;
    this.#gone += 1;
    if (this.#gone > this.size) {
      this.#exchanges = this.values();
      this.#gone = 0;
    }
    this.bytes -= oldest.size;
    this.#budget.follow(this, this.bytes + oldest.size);
    return true;
  }
}

type Reader = Pick<Journal, 'ids' | 'count' | 'get' | 'read'>;

/** Reads the exchanges that a journal retains. */
function createReader(retained: Latest, redact: Redact): Reader {
  return {
    ids({ limit = Number.POSITIVE_INFINITY, ...filter } = {}) {
      const ids: number[] = [];
      const list = retained.values();
      for (let at = list.length - 1; at >= 0 && ids.length < limit; at--) {
        const exchange = list[at] as Exchange;
        if (matchesFilter(exchange, filter)) ids.push(exchange.id);
      }
      return ids;
    },
    count: (filter = {}) => retained.values().filter((one) => matchesFilter(one, filter)).length,
    get(id) {
      const exchange = retained.values().findLast((one) => id === 'latest' || one.id === id);
      return exchange && toEntry(exchange, redact);
    },
    read(after, filter, max, toForm) {
      const list = retained.values();
      const entries: ReturnType<typeof toForm>[] = [];
      const first = list.findLastIndex(({ id }) => id <= after) + 1;
      for (let at = first; at < list.length && entries.length < max; at++) {
        const exchange = list[at] as Exchange;
        if (matchesFilter(exchange, filter)) entries.push(toForm(exchange, redact));
      }
      return entries;
    },
  };
}
