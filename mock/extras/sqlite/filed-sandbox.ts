import { openMirroredSandbox } from '../../sandboxes/mirrored-sandbox.ts';
import type { CloseReason, OpenedSandbox } from '../../sandboxes/sandbox-backend.ts';
import type { HeldSandbox, MirrorOptions, Reply, Step } from '../../sandboxes/sandbox-log.ts';
import { initialStateOf, type MemoryParts, toStateText } from '../../sandboxes/sandbox-state.ts';
import { createTextSnapshots, type Snapshots } from '../../sandboxes/snapshots.ts';
import type { Collections } from '../../state/store.ts';
import type { Rows, SandboxRow } from './rows.ts';
import type { Writer } from './writer.ts';

/** The version of a sandbox that no other process changes. */
const version = 'file';

/** The reply to each step of a new sandbox. */
const done: Reply = { isDone: true, version, news: [], changes: [] };

export type FiledSandboxOptions = Pick<MirrorOptions, 'toInitialState'> & {
  rows: Rows;
  writer: Writer;
  /** The number of a sandbox that is not in the file yet. */
  id: number;
};

/** Opens a sandbox of a file at its row, or begins it there. */
export function openFiledSandbox(
  parts: MemoryParts,
  row: SandboxRow | undefined,
  { rows, writer, id, toInitialState }: FiledSandboxOptions,
): OpenedSandbox {
  const { options, seeds } = parts.initialState();
  const now = Date.now();
  const state = toStateText(initialStateOf(options));
  const first = { id, name: parts.name, createdAt: now, lastUsedAt: now, state };
  const held = new FiledSandbox(row ?? first, rows, writer);
  if (!row) held.begin(seeds);
  const collections = row ? rows.collectionsOf(row.id) : seeds;
  const begin = { version, text: row?.state ?? '', collections };
  return openMirroredSandbox(parts, { held, toInitialState, begin });
}

/**
 * A sandbox in a file. A change of items, and what control changes, is on the disk before its caller
 * goes on; what calls count is in the file, though a power loss may take it.
 */
class FiledSandbox implements HeldSandbox {
  readonly isShared = false;
  readonly snapshots: Snapshots;
  readonly #row: SandboxRow;
  readonly #rows: Rows;
  readonly #writer: Writer;
  #isRemoved = false;

  constructor(row: SandboxRow, rows: Rows, writer: Writer) {
    this.#row = row;
    this.#rows = rows;
    this.#writer = writer;
    const texts = rows.snapshotsOf(row.id);
    this.snapshots = createTextSnapshots({
      ...texts,
      put: (...snapshot) => this.#commit(() => texts.put(...snapshot)),
      delete: (name) => this.#commit(() => texts.delete(name)) ?? false,
      clear: () => this.#commit(texts.clear),
    });
  }

  /** Writes it as it begins, before anything is changed. */
  begin(seeds: Collections): void {
    this.#writer.due(() => {
      if (this.#isRemoved) return;
      this.#rows.put(this.#row);
      this.#rows.putAll(this.#row.id, seeds);
    });
  }

  async step({ text, isCount, changes = [], collections }: Step): Promise<Reply> {
    if (text !== undefined && isCount) {
      this.#row.state = text;
      this.#writer.due(this.#putState);
    } else if (text !== undefined || changes.length > 0 || collections) {
      this.#commit(() => {
        // Its row tells when it was used last, too.
        if (text !== undefined || collections)
          this.#rows.put({ ...this.#row, state: text ?? this.#row.state });
        if (collections) this.#rows.putAll(this.#row.id, collections);
        this.#rows.apply(this.#row.id, changes);
      });
      if (text !== undefined) this.#row.state = text;
    }
    return done;
  }

  async close(reason: CloseReason): Promise<void> {
    const remove = () => this.#rows.remove(this.#row.id);
    if (reason === 'deleted') this.#writer.commit(remove);
    if (reason !== 'stopped') this.#isRemoved = true;
    if (reason === 'evicted') this.#writer.due(remove);
  }

  /**
   * Commits a write, unless the sandbox was removed: calls in flight may still use a removed
   * sandbox.
   */
  #commit<T>(write: () => T): T | undefined {
    return this.#isRemoved ? undefined : this.#writer.commit(write);
  }

  readonly #putState = () => {
    if (!this.#isRemoved) this.#rows.put(this.#row);
  };
}
