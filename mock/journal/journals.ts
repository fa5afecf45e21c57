import { createRedact, type SecretNames } from '../redact.ts';
import type { Entry } from './entry.ts';
import { type Bounds, createJournal, type Journal, type LocalJournal } from './journal.ts';

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
  /** Those that hold anything. */
  const holding = new Set<Journal>();
  let bytes = 0;
  let id = 0;

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
  const onChange = (journal: Journal, before: number, after: number) => {
    bytes += after - before;
    if (after === 0) holding.delete(journal);
    else if (before === 0) holding.add(journal);
    if (bytes > maxBytes) makeRoom();
  };

  return {
    bounds,
    isOff: entries === 0 && !onExchange,
    bytes: () => bytes,
    open() {
      const journal = createJournal({
        bounds,
        redact,
        onExchange,
        newestId: () => id,
        onChange,
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
