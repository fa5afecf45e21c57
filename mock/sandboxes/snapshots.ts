import type { Collections } from '../state/store.ts';
import type { MemoryCount } from '../state/tables.ts';
import { heldBy, parseState, type SavedState, toStateText } from './sandbox-state.ts';

/** The state of a sandbox at a moment (Unix milliseconds, by the system's clock). */
export type Snapshot = { name: string; createdAt: number; state: SavedState };

/** A snapshot as it is listed, and how many items each collection holds. */
export type SnapshotSummary = { name: string; createdAt: number; items: Record<string, number> };

/** The snapshots of a sandbox, by name. One that is put is stored when the call resolves. */
export interface Snapshots {
  get(name: string): Promise<Snapshot | undefined>;
  /** Stores a snapshot, in place of one of its name. */
  put(snapshot: Snapshot): Promise<void>;
  /** Deletes a snapshot; returns whether there was one. */
  delete(name: string): Promise<boolean>;
  clear(): Promise<void>;
  /** All of them, in no order. */
  list(): Promise<SnapshotSummary[]>;
  /** Counts the snapshots in the memory of this process, in bytes. */
  held(): (Collections | MemoryCount)[];
}

/** Holds snapshots in memory. */
export function createSnapshots(): Snapshots {
  const byName = new Map<string, Snapshot>();
  return {
    get: async (name) => byName.get(name),
    put: async (snapshot) => void byName.set(snapshot.name, snapshot),
    delete: async (name) => byName.delete(name),
    clear: async () => byName.clear(),
    list: async () => [...byName.values()].map(toSummary),
    held: () =>
      byName
        .values()
        .flatMap(({ state }) => heldBy(state))
        .toArray(),
  };
}

/** A store for the texts of snapshots, by name: the summary and the state of each. */
export interface SnapshotTexts {
  get(name: string): Awaitable<{ summary: string; state: string } | undefined>;
  put(name: string, summary: string, state: string): Awaitable<void>;
  /** Deletes a snapshot; returns whether there was one. */
  delete(name: string): Awaitable<boolean>;
  clear(): Awaitable<void>;
  summaries(): Awaitable<string[]>;
}

type Awaitable<T> = T | Promise<T>;

/** Holds snapshots as texts. */
export function createTextSnapshots(texts: SnapshotTexts): Snapshots {
  return {
    async get(name) {
      const found = await texts.get(name);
      if (!found) return undefined;
      const { createdAt }: SnapshotSummary = JSON.parse(found.summary);
      return { name, createdAt, state: parseState<SavedState>(found.state) };
    },
    put: async (snapshot) =>
      texts.put(snapshot.name, JSON.stringify(toSummary(snapshot)), toStateText(snapshot.state)),
    delete: async (name) => texts.delete(name),
    clear: async () => texts.clear(),
    list: async () => (await texts.summaries()).map((text) => JSON.parse(text)),
    held: () => [],
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
