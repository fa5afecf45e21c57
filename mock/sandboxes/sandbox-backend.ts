import type { FaultRules, Latency } from '../faults/fault-rules.ts';
import type { Journal, LocalJournal } from '../journal/journal.ts';
import type { Limiter } from '../limits/limiter.ts';
import type { Collections, Store } from '../state/store.ts';
import {
  type InitialState,
  loadState,
  type MemoryParts,
  type SandboxState,
} from './sandbox-state.ts';
import type { Snapshots } from './snapshots.ts';

/** Opens what is around a sandbox, once for each that is made in this process. */
export type OpenSandbox = (parts: MemoryParts) => OpenedSandbox;

/** A sandbox with its store, and the parts that may replace those in memory. */
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
  /** Runs a change of the state, which is stored when it ends. */
  change<T>(act: () => T | Promise<T>): T | Promise<T>;
  /** Runs what takes or replaces the whole, one after another; within a change, as a part of it. */
  inTurn<T>(act: () => Promise<T>): Promise<T>;
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
 * Names the reason for closing a sandbox: a delete, the limit of sandboxes, or the stop of the
 * mock.
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
