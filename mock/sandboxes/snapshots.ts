import type { ClockState } from '../clock.ts';
import type { DomainsState } from '../domains/domains-state.ts';
import type { LimiterState } from '../limits/limiter.ts';
import type { Collections } from '../state/store.ts';
import type { TasksState } from '../tasks/tasks.ts';
import type { SandboxOptions } from './sandbox-options.ts';
import { parseLimitFields, toLimitFields } from './sandbox-state.ts';

/** What a snapshot stores: options, items, counters and bans, clock, domains and tasks of a sandbox. */
export type SavedState = {
  options: SandboxOptions;
  collections: Collections;
  limits: LimiterState;
  clock: ClockState;
  /** Left out where there are none. */
  domains?: DomainsState;
  /** Those that any process can do; left out where there are none. */
  tasks?: TasksState;
};

/** What a sandbox was at a moment (Unix milliseconds, by the system's clock). */
export type Snapshot = { name: string; createdAt: number; state: SavedState };

/** A snapshot as it is listed, and how many items each collection holds. */
export type SnapshotSummary = { name: string; createdAt: number; items: Record<string, number> };

/** The snapshots of a sandbox, by name. One that is put is stored when the call resolves. */
export interface Snapshots {
  get(name: string): Promise<Snapshot | undefined>;
  /** Stores a snapshot, in place of one of its name; false where there are too many. */
  put(snapshot: Snapshot): Promise<boolean>;
  /** Whether there was one. */
  delete(name: string): Promise<boolean>;
  clear(): Promise<void>;
  /** All of them, in order of their names. */
  list(): Promise<SnapshotSummary[]>;
  /** The items of those that are in the memory of this process. */
  held(): Collections[];
}

/** How many snapshots a sandbox may have. */
export const maxSnapshots = 100;

/** Holds snapshots in memory. */
export function createSnapshots(): Snapshots {
  const byName = new Map<string, Snapshot>();
  return {
    get: async (name) => byName.get(name),
    async put(snapshot) {
      if (byName.size >= maxSnapshots && !byName.has(snapshot.name)) return false;
      byName.set(snapshot.name, snapshot);
      return true;
    },
    delete: async (name) => byName.delete(name),
    clear: async () => byName.clear(),
    list: async () => [...byName.values()].map(toSummary).toSorted(byNames),
    held: () =>
      byName
        .values()
        .map(({ state }) => state.collections)
        .toArray(),
  };
}

/** A snapshot as it is listed. */
export function toSummary({ name, createdAt, state }: Snapshot): SnapshotSummary {
  const counts = Object.entries(state.collections).map(([collection, { items }]) => [
    collection,
    items.length,
  ]);
  return { name, createdAt, items: Object.fromEntries(counts) };
}

/** The order in which snapshots are listed. */
export function byNames(left: SnapshotSummary, right: SnapshotSummary): number {
  return left.name < right.name ? -1 : 1;
}

/** The state of a snapshot as JSON. */
export function toSavedText({ limits, collections, ...rest }: SavedState): string {
  const contents = Object.entries(collections).map(([name, { next, items }]) => [
    name,
    { next, items },
  ]);
  return JSON.stringify({
    ...rest,
    limits: toLimitFields(limits),
    collections: Object.fromEntries(contents),
  });
}

/** Reads such a text. */
export function parseSavedText(text: string): SavedState {
  const { limits, ...rest } = JSON.parse(text);
  return { ...rest, limits: parseLimitFields(limits) };
}
