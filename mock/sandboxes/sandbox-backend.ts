import type { ControlledClock } from '../clock.ts';
import type { Domains } from '../domains/domains-state.ts';
import type { FaultRules, MemoryFaultRules } from '../faults/fault-rules.ts';
import type { Latency } from '../faults/latency.ts';
import type { Journal, LocalJournal } from '../journal/journal.ts';
import type { Limiter, MemoryLimiter } from '../limits/limiter.ts';
import type { Admit, Store } from '../state/store.ts';
import type { ControlState } from './control-state.ts';
import type { InitialState, SandboxState, Snapshots } from './sandbox-state.ts';
/** A sandbox as it is in the memory of this process, for what is around it. */
export type MemoryParts = {
  readonly name: string;
  /** What it begins with now. */
  initialState(): InitialState;
  /** Goes on as one that begins with this; what it holds stays. */
  begin(initialState: InitialState): void;
  readonly admit: Admit | undefined;
  readonly clock: ControlledClock;
  readonly limiter: MemoryLimiter;
  readonly faults: MemoryFaultRules;
  readonly latency: Latency;
  readonly domains: Domains;
  readonly snapshots: Snapshots;
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
  /**
   * Runs what changes more than items: clock, limits, faults, delays, domains, snapshots, the whole
   * sandbox.
   * Once it is over, what it changed is stored.
   */
  change<T>(act: () => T | Promise<T>): T | Promise<T>;
  /**
   * Holds a whole state from now on, at one moment, or rejects and changes nothing. The parts in
   * memory, but for the store, are changed by the caller afterwards.
   */
  replace(replacement: Replacement): Promise<void>;
  /** Follows a change of the items that it begins with; what it holds stays. */
  readonly follow?: (initialState: InitialState) => Promise<void>;
  /** The journal, around the one in memory. */
  readonly journal?: (local: LocalJournal) => Journal;
  close(reason: CloseReason): Promise<void>;
};

/** A whole state of a sandbox. */
export type Replacement = {
  state: SandboxState;
  /** What its control state will be. */
  control: ControlState;
  /** Whether its snapshots stay. */
  keepsSnapshots: boolean;
};

/**
 * Why a sandbox is closed: it was deleted, or it made room for others in this process, or the twin
 * stops.
 */
export type CloseReason = 'deleted' | 'evicted' | 'stopped';

/** Opens what is around a sandbox, once for each that is made in this process. */
export type OpenSandbox = (parts: MemoryParts) => OpenedSandbox;
