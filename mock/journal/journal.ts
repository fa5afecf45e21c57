import type { Redact } from '../redact.ts';
import type { Entry } from './entry.ts';
import type { Exchange, Retained } from './exchange.ts';
import type { Filter } from './filter.ts';

/**
 * The latest requests of a sandbox with the reason for each answer, within its bounds.
 */
export interface Journal {
  /** The maximum of entries here, and of bytes over all sandboxes. */
  readonly bounds: Bounds;
  readonly retained: Pick<Retained, 'length' | 'bytes' | 'dropped'>;
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

/** Shows an exchange. */
export type ToForm<T> = (exchange: Exchange, redact: Redact) => T;

export type Bounds = { entries: number; bytes: number };

export type Subscriber = {
  onRecord: () => void;
  /** What is recorded from now on gets ids from 1 again. */
  onRestart: () => void;
  /** Why nothing new can be read of what other processes record; undefined once that is over. */
  onProblem: (problem: string | undefined) => void;
  onClose: () => void;
};
