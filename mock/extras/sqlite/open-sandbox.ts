import { hash } from 'node:crypto';
import { loadControl, parseControl, saveControl } from '../../sandboxes/control-state.ts';
import type { MemoryParts, OpenedSandbox, Replacement } from '../../sandboxes/sandbox-backend.ts';
import { noSeeds } from '../../state/differences.ts';
import { createMirroredStore } from '../../state/mirrored-store.ts';
import { createCountedParts } from './counted-parts.ts';
import type { SandboxFile } from './sandbox-file.ts';
import { createSandboxLog } from './sandbox-log.ts';
import type { SandboxRow } from './sandbox-rows.ts';
import { withSequences } from './sequences.ts';
import { createStoredSnapshots, type StoredSnapshots } from './stored-snapshots.ts';
import { parseUsageText, toUsageText } from './usage-text.ts';

/** A sandbox of a file, and what the file does with it once it is open. */
export type FiledSandbox = {
  opened: OpenedSandbox;
  /** Brings its snapshots back. */
  restore: StoredSnapshots['restore'];
  /** Whether anything of it differs from what it began with. */
  isChanged(): boolean;
  /** Writes all that it holds so that it can be read whatever seeds a later twin makes. */
  writeWhole(): Promise<void>;
};

export type OpenFiledSandboxOptions = {
  file: SandboxFile;
  /** The number of a sandbox that is not in the file yet. */
  id: number;
  /** The sandbox as it is in the file. */
  row: SandboxRow | undefined;
  /** Whether it is written so that it can be read whatever seeds a later twin makes. */
  isWhole: boolean;
  /** Is called once it is removed from the file. */
  onRemoved: () => void;
};

/** Opens a sandbox that is in a file, or will be, and brings it to the state that it had. */
export function openSandbox(
  parts: MemoryParts,
  { file, row, id: newId, isWhole, onRemoved }: OpenFiledSandboxOptions,
): FiledSandbox {
  const { memory, writer, sandboxes: rows, collections, contents } = file;
  const id = row?.id ?? newId;
  const controlText = () => JSON.stringify(saveControl(parts, parts.initialState().options));
  if (row) restoreMemory(parts, file, row);
  const insert = () => {
    const now = Date.now();
    const { name } = parts;
    rows.insert({ id, name, createdAt: now, lastUsedAt: now, control: controlText() });
  };
  const counted = createCountedParts({
    parts,
    rows,
    writer,
    id,
    insert: row ? undefined : insert,
  });
  let isRemoved = false;
  const stored = createStoredSnapshots({
    parts,
    file,
    id,
    isWhole,
    isRemoved: () => isRemoved,
  });
  /** What is in the file of the control state. */
  let control = digest(row ? controlText() : '');
  let last: Promise<unknown> = Promise.resolve();

  const log = createSandboxLog<Replacement>({
    file,
    sandbox: id,
    seedNames: () => Object.keys(parts.initialState().seeds),
    writeWhole({ extra }) {
      if (!extra) return;
      rows.putControl(id, JSON.stringify(extra.control));
      rows.clearUsage(id);
      for (const [key, usage] of extra.state.limits) rows.putUsage(id, key, toUsageText(usage));
      if (extra.keepsSnapshots) return;
      rows.restart(id, Date.now());
      for (const { name } of parts.snapshots.list()) {
        rows.removeSnapshot(id, name);
        collections.remove({ sandbox: id, snapshot: name });
      }
    },
  });
  const store = createMirroredStore<Replacement>({
    memory,
    log,
    seeds: parts.initialState().seeds,
    admit: parts.admit,
    isWhole,
    ...(row && { differences: contents.read(collections.read({ sandbox: id })) }),
  });
  const inTurn = <T>(run: () => Promise<T>): Promise<T> => {
    const turn = last.then(run);
    last = turn.catch(() => {});
    return turn;
  };
  /** Writes what control has changed. */
  const write = async () => {
    if (isRemoved) return;
    let text = controlText();
    const isChanged = digest(text) !== control;
    const changed = [...stored.changed.keys()];
    if (!isChanged && changed.length === 0 && !counted.isToStore()) return;
    const writeControl = () => {
      if (!isChanged || isRemoved) return;
      // A long snapshot takes several turns, in which calls are counted.
      text = controlText();
      rows.putControl(id, text);
    };
    for (const name of changed) await stored.write(name, writeControl);
    if (changed.length === 0) writer.commit(writeControl);
    control = digest(text);
  };
  const change = async <T>(act: () => T | Promise<T>): Promise<T> => {
    const before = saveControl(parts, parts.initialState().options);
    counted.takeChanged();
    try {
      return await act();
    } finally {
      await write().catch((error) => {
        loadControl(parts, before);
        stored.undo();
        for (const [key, usage] of counted.takeChanged()) parts.limiter.loadUsage(key, usage);
        throw error;
      });
    }
  };
  const remove = () => rows.remove(id);
  const end = () => {
    isRemoved = true;
    onRemoved();
    counted.close();
    log.close();
  };
  if (!row) counted.touch();
  return {
    opened: {
      store,
      ...counted,
      snapshots: stored.snapshots,
      change: (act) => inTurn(() => change(act)),
      async replace(replacement) {
        const { state, keepsSnapshots } = replacement;
        const ofSnapshots = keepsSnapshots ? [] : collections.contentsOfSnapshots(id);
        await store.begin(state.collections, state.initialState.seeds, replacement);
        control = digest(JSON.stringify(replacement.control));
        contents.drop(ofSnapshots);
      },
      async close(reason) {
        if (reason === 'deleted') {
          const all = collections.contentsOf(id);
          writer.commit(remove);
          end();
          contents.drop(all);
        } else if (reason === 'evicted') {
          end();
          writer.due(() => {
            const all = collections.contentsOf(id);
            remove();
            return () => contents.drop(all);
          });
        }
        await store.close();
      },
    },
    restore: stored.restore,
    isChanged: () => collections.contentsOf(id).length > 0,
    writeWhole: () =>
      inTurn(async () => {
        await store.rebase(noSeeds);
        await stored.writeWhole();
      }),
  };
}

/** Brings the parts in memory to what a file has of a sandbox. */
function restoreMemory(
  parts: MemoryParts,
  { sandboxes: rows }: SandboxFile,
  row: SandboxRow,
): void {
  const control = parseControl(row.control);
  const sequences = rows.sequencesOf(row.id);
  loadControl(parts, sequences === undefined ? control : withSequences(control, sequences));
  for (const [key, usage] of rows.usageOf(row.id))
    parts.limiter.loadUsage(key, parseUsageText(usage));
}

function digest(text: string): string {
  return hash('sha256', text);
}
