import type { FaultRules } from '../faults/fault-rules.ts';
import type { Latency } from '../faults/latency.ts';
import type { Journal, LocalJournal } from '../journal/journal.ts';
import type { Limiter } from '../limits/limiter.ts';
import type { Log } from '../log.ts';
import type { Collections, Store } from '../state/store.ts';
import type { Fingerprint } from './fingerprint.ts';
import type { SandboxOptions } from './sandbox-options.ts';
import {
  type InitialState,
  loadState,
  type MemoryParts,
  type SandboxState,
  type ToInitialState,
} from './sandbox-state.ts';
import type { Sandboxes } from './sandboxes.ts';
import type { Snapshots } from './snapshots.ts';

/**
 * What is around the state of a twin, which is in the memory of this process in any case: nothing, a
 * file that survives it, or a server that it shares with other processes.
 *
 * A sandbox is its items and one JSON text of all else, its state. A change of either, and a whole
 * that takes the place of both, is stored at one moment, and only then seen.
 */
export interface Backend {
  /** The time that the clocks of sandboxes follow, in Unix milliseconds, if not the system's. */
  readonly now?: () => number;
  /** The sandboxes that were there already when it was opened, which this process is to hold. */
  readonly stored?: readonly StoredSandbox[];
  /** Opens what is around a sandbox, once for each that is made in this process. */
  readonly open: (parts: MemoryParts) => OpenedSandbox;
  /** The sandboxes of all processes, around those of this one; undefined where it shares none. */
  share?(local: Sandboxes): Sandboxes;
  /** Why it cannot be used now; undefined where it can. */
  readonly health?: () => Promise<string | undefined>;
  /** Follows a change of the items that the twin begins with, once its sandboxes have. */
  readonly follow?: (fingerprint: Fingerprint) => Promise<void>;
  close(): Promise<void>;
}

/** What a backend is opened with. */
export type BackendOptions = {
  /** Makes what the items of sandboxes depend on; a store of another twin is refused. */
  fingerprint: () => Fingerprint;
  /** Whether to begin anew instead where the store holds that of another twin. */
  reset: boolean;
  /** Whether the items that the twin begins with may change while it runs. */
  follows: boolean;
  /** Makes the initial state of a sandbox from what the twin serves at that time. */
  toInitialState: ToInitialState;
  /** The maximum number of sandboxes besides the default one. */
  maxSandboxes: number;
  /** After how many milliseconds without use one is closed; 0 for never. */
  idle: number;
  /** How many requests the journal of a sandbox retains; 0 for none. */
  journalEntries: number;
  log: Log;
};

/** A store cannot be used by this twin; the message says why, and what to do. */
export class StoreError extends Error {}

/** A sandbox of an earlier process; instants in Unix milliseconds. */
export type StoredSandbox = {
  name: string;
  options: SandboxOptions;
  createdAt: number;
  lastUsedAt: number;
};

/**
 * A sandbox with what is around its memory: its store, and the parts to use in place of those in
 * memory, which may be the same.
 */
export type OpenedSandbox = {
  readonly store: Store;
  readonly limiter: Limiter;
  readonly faults: FaultRules;
  readonly latency: Latency;
  readonly snapshots: Snapshots;
  /**
   * Follows what other processes changed, before each call but those that a limiter takes, which
   * follows it too; undefined where no other process can change it.
   */
  readonly refresh?: () => Promise<void>;
  /** Runs what changes the state. Once it is over, what it changed is stored. */
  change<T>(act: () => T | Promise<T>): T | Promise<T>;
  /** Holds a whole from now on, at one moment, or rejects and changes nothing. */
  replace(whole: Whole): Promise<void>;
  /** The journal, around the one in memory. */
  readonly journal?: (local: LocalJournal) => Journal;
  close(reason: CloseReason): Promise<void>;
};

/** All of a sandbox but its snapshots; a start has no requests in its journal. */
export type Whole = {
  initialState: InitialState;
  collections: Collections;
  state: SandboxState;
  isStart: boolean;
};

/**
 * Why a sandbox is closed: it was deleted, or it made room for others in this process, or the twin
 * stops.
 */
export type CloseReason = 'deleted' | 'evicted' | 'stopped';

/** Brings the memory of a sandbox to a whole, but for its items. */
export function loadWhole(
  parts: MemoryParts,
  { initialState, state }: Pick<Whole, 'initialState' | 'state'>,
): void {
  parts.begin(initialState);
  loadState(parts, state);
}
