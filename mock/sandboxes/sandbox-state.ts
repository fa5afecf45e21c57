import type { ClockState } from '../clock.ts';
import type { DomainsState } from '../domains/domains-state.ts';
import type { LimiterState } from '../limits/limiter.ts';
import type { Collections } from '../state/store.ts';
import type { SandboxOptions, SandboxSettings } from './sandbox-options.ts';

/**
 * What a sandbox begins with: the options that it was given, its settings, and the items that they
 * make.
 */
export type InitialState = {
  options: SandboxOptions;
  settings: SandboxSettings;
  seeds: Collections;
};

/** What a snapshot stores: initial state, items, counters and bans, clock and domains of a sandbox. */
export type SandboxState = {
  initialState: InitialState;
  collections: Collections;
  limits: LimiterState;
  clock: ClockState;
  /** Left out where there are none. */
  domains?: DomainsState;
};

/** What a sandbox was at a moment (Unix milliseconds, by the system's clock). */
export type Snapshot = { name: string; createdAt: number; state: SandboxState };

/** The snapshots of a sandbox, by name. */
export interface Snapshots {
  /** How many there may be. */
  readonly max: number;
  /** How many there are. */
  count(): number;
  get(name: string): Snapshot | undefined;
  /** Stores a snapshot, in place of one of its name; false where there are too many. */
  put(snapshot: Snapshot): boolean;
  /** Whether there was one. */
  delete(name: string): boolean;
  clear(): void;
  /** All of them, in order of their names. */
  list(): Snapshot[];
}

const max = 100;

/** Stores snapshots in memory. */
export function createSnapshots(): Snapshots {
  let byName: Map<string, Snapshot> | undefined;
  return {
    max,
    count: () => byName?.size ?? 0,
    get: (name) => byName?.get(name),
    put(snapshot) {
      byName ??= new Map();
      if (byName.size >= max && !byName.has(snapshot.name)) return false;
      byName.set(snapshot.name, snapshot);
      return true;
    },
    delete: (name) => byName?.delete(name) ?? false,
    clear() {
      byName = undefined;
    },
    list: () =>
      [...(byName?.values() ?? [])].toSorted((left, right) => (left.name < right.name ? -1 : 1)),
  };
}
