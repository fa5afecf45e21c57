import type { Log } from '../log.ts';
import type { Fingerprint } from './fingerprint.ts';
import type { OpenSandbox } from './sandbox-backend.ts';
import type { SandboxOptions } from './sandbox-options.ts';
import type { ToInitialState } from './sandbox-state.ts';
import type { Sandboxes } from './sandboxes.ts';

/**
 * The storage behind a twin's state, which this process always has in memory too. A backend is
 * nothing, a file that survives the process, or a server shared with other processes.
 *
 * A sandbox is its items and one JSON text of all else, its state. Each change of either, and each
 * replacement of both, is stored atomically before readers see the change.
 */
export interface Backend {
  /** The time that the clocks of sandboxes follow, in Unix milliseconds, if not the system's. */
  readonly now?: () => number;
  /** The sandboxes that were there already when it was opened, which this process is to hold. */
  readonly stored?: readonly StoredSandbox[];
  readonly open: OpenSandbox;
  /**
   * Returns the sandboxes of all processes, based on those of this process; undefined if they are
   * not shared.
   */
  share?(local: Sandboxes): Sandboxes;
  /** Returns the reason why the store cannot be used now; undefined if it can. */
  readonly health?: () => Promise<string | undefined>;
  /** Follows a change of the items that the twin begins with, once its sandboxes have. */
  readonly follow?: (fingerprint: Fingerprint) => Promise<void>;
  close(): Promise<void>;
}

/** Options for opening a backend. */
export type BackendOptions = {
  /** Returns the fingerprint of the initial items; a store of another twin is refused. */
  fingerprint: () => Fingerprint;
  /** Whether to clear a store that holds the state of another mock. */
  reset: boolean;
  /** Whether the initial items may change while the mock runs. */
  follows: boolean;
  /** Returns the initial state of a sandbox, from the document and data served at that time. */
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
