import type { ClockState } from '../../clock.ts';
import type { DomainsState } from '../../domains/domains-state.ts';
import type { ToInitialState } from '../../sandboxes/sandbox.ts';
import type { SandboxOptions } from '../../sandboxes/sandbox-options.ts';
import type { Snapshot, Snapshots } from '../../sandboxes/sandbox-state.ts';
import { applyDifferences } from '../../state/apply-changes.ts';
import { type Differences, findDifferences } from '../../state/differences.ts';
import type { MemoryStores } from '../../state/memory-store.ts';
import { makeTag } from './tag.ts';
import { type Fields, readLimits, toPlans, toUsageFields } from './usage.ts';

/** The names of snapshots, each with a mark that is another where it was saved again. */
export type SnapshotMarks = Readonly<Record<string, string>>;

/** The snapshots of a sandbox that several processes share, which each of them holds in memory. */
export interface SharedSnapshots {
  readonly snapshots: Snapshots;
  /** The marks to store, and what to write: a text for a name, undefined for one that is gone. */
  toStored(): { marks: SnapshotMarks; changes: [name: string, text: string | undefined][] };
  /** Makes them relative to what the twin serves now, to be stored so. */
  rebase(): Promise<void>;
  /** Goes on with what is stored. */
  stored(marks: SnapshotMarks): void;
  /** Reads what another process saved or deleted; then gives what makes it seen. */
  prepare(marks: SnapshotMarks): Promise<() => void>;
}

export type SharedSnapshotsOptions = {
  memory: MemoryStores;
  toInitialState: ToInitialState;
  read: (name: string) => Promise<string | null>;
};

/** A snapshot as JSON. */
type StoredSnapshot = {
  createdAt: number;
  options: SandboxOptions;
  clock: ClockState;
  domains?: DomainsState;
  usage: Fields;
  plans: Fields;
  differences: Differences;
};

/** Shares snapshots. */
export function shareSnapshots(
  local: Snapshots,
  { memory, toInitialState, read }: SharedSnapshotsOptions,
): SharedSnapshots {
  let marks: ReadonlyMap<string, string> = new Map();
  /** The names of those that were saved since. */
  const renewed = new Set<string>();

  const toText = ({ createdAt, state }: Snapshot): string => {
    const { initialState, collections, limits, clock, domains } = state;
    const stored: StoredSnapshot = {
      createdAt,
      options: initialState.options,
      clock,
      ...(domains && { domains }),
      usage: toUsageFields(limits),
      plans: toPlans(limits),
      differences: findDifferences(collections, initialState.seeds, memory.placeOf),
    };
    return JSON.stringify(stored);
  };
  const readText = async (name: string, text: string): Promise<Snapshot> => {
    const { createdAt, options, clock, domains, usage, plans, differences } = JSON.parse(
      text,
    ) as StoredSnapshot;
    const initialState = await toInitialState(options);
    const opened = memory.openMemory(initialState.seeds);
    for (const [collection, differing] of Object.entries(differences))
      applyDifferences(opened, collection, differing);
    const limits = readLimits(usage, plans);
    return {
      name,
      createdAt,
      state: {
        initialState,
        collections: opened.save(),
        limits,
        clock,
        ...(domains && { domains }),
      },
    };
  };
  return {
    snapshots: {
      ...local,
      put(snapshot) {
        const isPut = local.put(snapshot);
        if (isPut) renewed.add(snapshot.name);
        return isPut;
      },
    },
    toStored() {
      const held = local.list();
      const next = new Map(
        held.map(({ name }) => [name, (!renewed.has(name) && marks.get(name)) || makeTag()]),
      );
      const written = held
        .filter(({ name }) => next.get(name) !== marks.get(name))
        .map((snapshot): [string, string] => [snapshot.name, toText(snapshot)]);
      const gone = [...marks.keys()]
        .filter((name) => !next.has(name))
        .map((name): [string, undefined] => [name, undefined]);
      return { marks: Object.fromEntries(next), changes: [...written, ...gone] };
    },
    async rebase() {
      for (const { state, ...snapshot } of local.list()) {
        const initialState = await toInitialState(state.initialState.options);
        local.put({ ...snapshot, state: { ...state, initialState } });
        renewed.add(snapshot.name);
      }
    },
    stored(next) {
      marks = new Map(Object.entries(next));
      renewed.clear();
    },
    async prepare(stored) {
      const next = new Map(Object.entries(stored));
      // One that is not held was deleted here, and that could not be stored.
      const isOther = (name: string) =>
        renewed.has(name) || next.get(name) !== marks.get(name) || !local.get(name);
      const reading = [...next.keys()].filter(isOther).map(async (name) => {
        const text = await read(name);
        return text === null ? undefined : await readText(name, text);
      });
      const found = await Promise.all(reading);
      return () => {
        for (const { name } of local.list()) if (!next.has(name)) local.delete(name);
        for (const snapshot of found) if (snapshot) local.put(snapshot);
        marks = next;
        renewed.clear();
      };
    },
  };
}
