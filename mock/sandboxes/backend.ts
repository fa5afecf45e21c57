import type { Log } from '../log.ts';
import type { Fingerprint } from './fingerprint.ts';
import type { OpenSandbox } from './sandbox-backend.ts';
import type { SandboxOptions } from './sandbox-options.ts';
import type { ToInitialState } from './sandbox-state.ts';
import type { Sandboxes } from './sandboxes.ts';

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
  readonly open: OpenSandbox;
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
