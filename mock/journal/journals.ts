import { createRedact, type Redact, type SecretNames } from '../redact.ts';
import { BoundedMap, Budget } from '../state/budget.ts';
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
  const retained = new BoundedMap<Exchange>(budget, { max: bounds.entries });
  const retain = (exchange: Exchange) => retained.set(`${exchange.id}`, exchange, exchange.size);
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
      if (bounds.entries > 0) retain(exchange);
    },
    follow({ exchanges, oldest, dropped }) {
      for (const { id } of retained.values()) if (id < oldest) retained.delete(`${id}`);
      for (const exchange of exchanges) retain(exchange);
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

type Reader = Pick<Journal, 'ids' | 'count' | 'get' | 'read'>;

/** Reads the exchanges that a journal retains. */
function createReader(retained: BoundedMap<Exchange>, redact: Redact): Reader {
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
      const exchange = id === 'latest' ? retained.values().at(-1) : retained.get(`${id}`);
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
