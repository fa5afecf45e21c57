import type { Stores } from '../state/store.ts';
import type { OpenSandbox } from './sandbox-backend.ts';
import type { SandboxOptions } from './sandbox-options.ts';
import type { Sandboxes } from './sandboxes.ts';

/**
 * What is around the state of a twin, which is in the memory of this process in any case: nothing, a
 * file that survives it, or a server that it shares with other processes.
 */
export interface Backend {
  readonly bytesOf: Stores['bytesOf'];
  /** The time that the clocks of sandboxes follow, in Unix milliseconds, if not the system's. */
  readonly now?: () => number;
  /** The sandboxes that were there already when it was opened, which this process is to hold. */
  readonly stored?: readonly StoredSandbox[];
  readonly open: OpenSandbox;
  /** The sandboxes of all processes, around those of this one; undefined where it shares none. */
  share?(local: Sandboxes): Sandboxes;
  /** Why it cannot be used now; undefined where it can. */
  readonly health?: () => Promise<string | undefined>;
  close(): Promise<void>;
}

/** A sandbox of an earlier process; instants in Unix milliseconds. */
export type StoredSandbox = {
  name: string;
  options: SandboxOptions;
  createdAt: number;
  lastUsedAt: number;
};
