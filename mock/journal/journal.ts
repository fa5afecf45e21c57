import type { Redact } from '../redact.ts';
import { type Entry, isUnmatched } from './entry.ts';
import type { Exchange } from './exchange.ts';
import type { Step } from './reason.ts';

/**
 * The latest requests of a sandbox with the reason for each answer, within its bounds.
 */
export interface Journal {
  /** The maximum of entries here, and of bytes over all sandboxes. */
  readonly bounds: Bounds;
  readonly retained: { readonly size: number; readonly bytes: number; dropped: number };
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
  /** The next entries after an id, oldest first. */
  read<T>(after: number, filter: Filter, max: number, toForm: ToForm<T>): T[];
  /**
   * Calls a listener when the journal is closed, at once if it is closed already. Returns a
   * function that removes the listener.
   */
  onClose(listener: () => void): () => void;
  /** Removes the oldest entry. */
  drop(): void;
  /** Removes all entries, for all processes where others share it. */
  clear(): void | Promise<void>;
  /** Clears it for good. */
  close(): void;
}

/** A journal in the memory of this process, which one that processes share is built on. */
export interface LocalJournal extends Journal {
  clear(): void;
  /** Reports an exchange, and does not retain it. */
  report(exchange: Exchange): void;
  /** Retains exchanges that were recorded elsewhere, behind the others; those before are gone. */
  follow(news: News): void;
}

/**
 * Exchanges in order of their ids, and what is retained elsewhere: the id of the oldest, and how
 * many were dropped.
 */
export type News = { exchanges: readonly Exchange[]; oldest: number; dropped: number };

/** Shows an exchange. */
export type ToForm<T> = (exchange: Exchange, redact: Redact) => T;

export type Bounds = { entries: number; bytes: number };

/** Which exchanges to show; all given conditions must hold. */
export type Filter = {
  /**
   * Selects exchanges since an instant (Unix milliseconds), inclusive, or after the exchange with
   * an id.
   */
  since?: { instant: number; id?: never } | { id: number; instant?: never };
  /** Selects exchanges that were requests, or exchanges that never became one. */
  isRequest?: boolean;
  unmatched?: boolean;
  /** Whether to include calls of the admin; their `step` selects them alone. */
  admin?: boolean;
  /** The id of an operation. */
  operation?: string;
  status?: number;
  /** The name of a key. */
  key?: string;
  /** The step that gave the answer. */
  step?: Step;
};

/** Whether an exchange matches. */
export function matchesFilter(exchange: Exchange, filter: Filter): boolean {
  const { since, isRequest, unmatched, admin, operation, status, key, step } = filter;
  const ofAdmin = exchange.reason.step === 'admin';
  return (
    (!ofAdmin || admin === true || step === 'admin') &&
    (since?.id === undefined || exchange.id > since.id) &&
    (since?.instant === undefined || exchange.at >= since.instant) &&
    (isRequest === undefined || (exchange.method !== undefined) === isRequest) &&
    (unmatched === undefined || isUnmatched(exchange) === unmatched) &&
    (operation === undefined || exchange.operation === operation) &&
    (status === undefined || exchange.status === status) &&
    (key === undefined || exchange.key === key) &&
    (step === undefined || exchange.reason.step === step)
  );
}
