import type { SandboxState } from './sandbox-state.ts';

/** What a sandbox was at a moment (Unix milliseconds, by the system's clock). */
export type Snapshot = { name: string; createdAt: number; state: SandboxState };

/** The snapshots of a sandbox, by name. */
export interface Snapshots {
  /** How many there may be. */
  readonly most: number;
  /** How many there are. */
  count(): number;
  get(name: string): Snapshot | undefined;
  /**
   * Keeps a snapshot, in the place of one that has its name; false where there are as many as may
   * be.
   */
  put(snapshot: Snapshot): boolean;
  /** Whether there was one. */
  delete(name: string): boolean;
  clear(): void;
  /** All of them, in order of their names. */
  list(): Snapshot[];
}

const most = 100;

/** Keeps snapshots in memory. */
export function createSnapshots(): Snapshots {
  let byName: Map<string, Snapshot> | undefined;
  return {
    most,
    count: () => byName?.size ?? 0,
    get: (name) => byName?.get(name),
    put(snapshot) {
      byName ??= new Map();
      if (byName.size >= most && !byName.has(snapshot.name)) return false;
      byName.set(snapshot.name, snapshot);
      return true;
    },
    delete: (name) => byName?.delete(name) ?? false,
    clear() {
      byName = undefined;
    },
    list: () =>
      [...(byName?.values() ?? [])].toSorted((one, other) => (one.name < other.name ? -1 : 1)),
  };
}
