import type { ClockState } from '../../clock.ts';
import type { DomainsState } from '../../domains/domains-state.ts';
import type { KeyUsage } from '../../limits/limiter.ts';
import type { ToInitialState } from '../../sandboxes/sandbox.ts';
import type { MemoryParts } from '../../sandboxes/sandbox-backend.ts';
import type { SandboxOptions } from '../../sandboxes/sandbox-options.ts';
import type { SandboxState, Snapshot, Snapshots } from '../../sandboxes/sandbox-state.ts';
import { applyDifferences } from '../../state/apply-changes.ts';
import { type Differences, findDifferencesInTurns, noSeeds } from '../../state/differences.ts';
import type { SandboxFile } from './sandbox-file.ts';
import { withEmptied } from './sandbox-log.ts';
import type { SnapshotRow } from './sandbox-rows.ts';
import { parseUsageText, toUsageText } from './usage-text.ts';

/** The snapshots of a sandbox, in memory and in its file. */
export type StoredSnapshots = {
  /** Those in memory, which note what has to be written. */
  readonly snapshots: Snapshots;
  /** The snapshots that were changed since they were written, each with what it was then. */
  readonly changed: ReadonlyMap<string, Snapshot | undefined>;
  /** Writes a snapshot as it is now, with `also` in the same commit. */
  write(name: string, also: () => void): Promise<void>;
  /** Writes all of them so that they can be read whatever seeds a later twin makes. */
  writeWhole(): Promise<void>;
  /** Brings those that were changed back to what they were. */
  undo(): void;
  /** Reads those that are in the file. */
  restore(toInitialState: ToInitialState): Promise<void>;
};

/** What a snapshot is beside items, as it is written. */
type StateFields = {
  options: SandboxOptions;
  clock: ClockState;
  limits: [key: string, usage: string][];
  domains?: DomainsState;
};

export type StoredSnapshotsOptions = {
  parts: MemoryParts;
  file: SandboxFile;
  id: number;
  /** Whether the sandbox is no longer in the file, so that nothing may refer to it. */
  isRemoved: () => boolean;
  /** Whether they are written so that they can be read whatever seeds a later twin makes. */
  isWhole: boolean;
};

/** Makes what holds the snapshots of a sandbox in its file. */
export function createStoredSnapshots(options: StoredSnapshotsOptions): StoredSnapshots {
  const { parts, file, id, isRemoved } = options;
  const { collections, contents, sandboxes: rows, writer, memory } = file;
  const inMemory = parts.snapshots;
  const changed = new Map<string, Snapshot | undefined>();
  const note = (name: string, before: Snapshot | undefined) => {
    if (!changed.has(name)) changed.set(name, before);
  };
  const write = async (name: string, isWhole: boolean, also: () => void) => {
    if (isRemoved()) {
      changed.delete(name);
      return;
    }
    const holder = { sandbox: id, snapshot: name };
    const before = collections.read(holder);
    const snapshot = inMemory.get(name);
    if (snapshot) {
      const found = findDifferences(snapshot.state, isWhole);
      const differences = found instanceof Promise ? await found : found;
      await contents.write(differences, (heads) => {
        // It may have been removed while what is long was written.
        if (isRemoved()) {
          contents.drop(heads.values().map((head) => head.contents));
          return;
        }
        collections.remove(holder);
        rows.putSnapshot(id, toRow(snapshot));
        for (const [collection, head] of heads) collections.put(holder, collection, head);
        also();
      });
    } else
      writer.commit(() => {
        collections.remove(holder);
        rows.removeSnapshot(id, name);
        also();
      });
    changed.delete(name);
    contents.drop(before.values().map((head) => head.contents));
  };
  const findDifferences = (
    { collections, initialState: { seeds } }: SandboxState,
    isWhole: boolean,
  ) => {
    const from = isWhole ? noSeeds : seeds;
    const found = findDifferencesInTurns(collections, from, memory.placeOf);
    const complete = (differences: Differences) =>
      isWhole ? withEmptied(differences, Object.keys(seeds)) : differences;
    return found instanceof Promise ? found.then(complete) : complete(found);
  };
  const restore = async (row: SnapshotRow, toInitialState: ToInitialState) => {
    const { options, clock, limits, domains }: StateFields = JSON.parse(row.state);
    const initialState = await toInitialState(options);
    const held = memory.openMemory(initialState.seeds);
    const heads = collections.read({ sandbox: id, snapshot: row.name });
    for (const [name, differing] of Object.entries(contents.read(heads)))
      applyDifferences(held, name, differing);
    const state: SandboxState = {
      initialState,
      clock,
      ...(domains && { domains }),
      limits: new Map(
        limits.map(([key, usage]): [string, KeyUsage] => [key, parseUsageText(usage)]),
      ),
      collections: held.save(),
    };
    inMemory.put({ name: row.name, createdAt: row.createdAt, state });
  };
  return {
    snapshots: {
      ...inMemory,
      put(snapshot) {
        const before = inMemory.get(snapshot.name);
        const isPut = inMemory.put(snapshot);
        if (isPut) note(snapshot.name, before);
        return isPut;
      },
      delete(name) {
        const before = inMemory.get(name);
        const isDeleted = inMemory.delete(name);
        if (isDeleted) note(name, before);
        return isDeleted;
      },
    },
    changed,
    write: (name, also) => write(name, options.isWhole, also),
    async writeWhole() {
      for (const { name } of inMemory.list()) await write(name, true, () => {});
    },
    undo() {
      for (const [name, before] of changed)
        if (before) inMemory.put(before);
        else inMemory.delete(name);
      changed.clear();
    },
    async restore(toInitialState) {
      for (const row of rows.snapshotsOf(id)) await restore(row, toInitialState);
    },
  };
}

function toRow({ name, createdAt, state }: Snapshot): SnapshotRow {
  const { initialState, clock, limits, domains } = state;
  const fields: StateFields = {
    options: initialState.options,
    clock,
    limits: [...limits].map(([key, usage]) => [key, toUsageText(usage)]),
    ...(domains && { domains }),
  };
  return { name, createdAt, state: JSON.stringify(fields) };
}
