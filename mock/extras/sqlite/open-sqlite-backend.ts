import {
  type Backend,
  type BackendOptions,
  type StoredSandbox,
  StoreError,
} from '../../sandboxes/backend.ts';
import { describeMismatch, type Fingerprint } from '../../sandboxes/fingerprint.ts';
import { openMirroredSandbox } from '../../sandboxes/mirrored-sandbox.ts';
import type { CloseReason, OpenedSandbox } from '../../sandboxes/sandbox-backend.ts';
import type { HeldSandbox, MirrorOptions, Reply, Step } from '../../sandboxes/sandbox-log.ts';
import { SandboxOptionError } from '../../sandboxes/sandbox-options.ts';
import {
  initialStateOf,
  type MemoryParts,
  parseState,
  type ToInitialState,
  toStateText,
} from '../../sandboxes/sandbox-state.ts';
import { createTextSnapshots, type Snapshots } from '../../sandboxes/snapshots.ts';
import { type Collections, StoreUnavailableError } from '../../state/store.ts';
import { openDatabase, readFrom } from './database.ts';
import { createRows, type Rows, type SandboxRow } from './rows.ts';
import { createWriter, type Writer } from './writer.ts';

/**
 * Holds the state of a twin in the file of an address (`sqlite:FILE`) too, so that a later twin goes
 * on with it. Throws {@link StoreError} where the file cannot be used.
 */
export async function openSqliteBackend(
  address: string,
  options: BackendOptions,
): Promise<Backend> {
  const { log, reset, toInitialState } = options;
  const path = address.replace(/^sqlite:/, '');
  const database = openDatabase(path);
  const writer = createWriter(database, {
    file: path,
    onChange(problem) {
      if (problem === undefined) log.info(`${path} can be written again.`);
      else log.error(`The store cannot be used. ${problem}`);
    },
  });
  const read = <T>(act: () => T): T => readFrom(path, act);
  const rows = createRows(database);
  const close = () => {
    try {
      writer.close();
    } finally {
      database.close();
    }
  };
  let held: SandboxRow[];
  let stored: StoredSandbox[];
  try {
    if (reset && !(await isFit(read(rows.list), toInitialState))) writer.commit(rows.clear);
    read(() => adopt(rows, writer, path, options));
    held = read(rows.list);
    stored = held.map(({ name, state, createdAt, lastUsedAt }) => ({
      name,
      options: parseState(state).options,
      createdAt,
      lastUsedAt,
    }));
  } catch (error) {
    close();
    throw error instanceof StoreUnavailableError
      ? new StoreError(`--store: ${error.message}`)
      : error;
  }
  const unopened = new Map(held.map((row) => [row.name, row]));
  let lastId = Math.max(0, ...held.map(({ id }) => id));
  return {
    stored,
    open(parts) {
      const row = unopened.get(parts.name);
      unopened.delete(parts.name);
      const files = { rows, writer, id: (lastId += 1) };
      return read(() => openFiledSandbox(parts, row, { ...files, toInitialState }));
    },
    async follow(fingerprint) {
      writer.due(() => rows.putFingerprint(JSON.stringify(fingerprint)));
    },
    async health() {
      if (writer.problem() === undefined) return undefined;
      try {
        writer.commit(rows.probe);
      } catch (error) {
        if (!(error instanceof StoreUnavailableError)) throw error;
      }
      return writer.problem();
    },
    async close() {
      try {
        close();
      } catch (error) {
        if (!(error instanceof StoreUnavailableError)) throw error;
        log.error(`What calls counted last is not stored. ${error.message}`);
      }
    },
  };
}

/** Starts with the stored items of the file, or with new ones after a reset. */
function adopt(
  rows: Rows,
  writer: Writer,
  path: string,
  { fingerprint, reset, follows, log }: BackendOptions,
): void {
  const now = fingerprint();
  const text = JSON.stringify(now);
  const heldText = rows.fingerprint();
  if (heldText === text) return;
  const held: Fingerprint | undefined = heldText === undefined ? undefined : JSON.parse(heldText);
  const mismatch = held && describeMismatch(path, held, now);
  if (held && mismatch) {
    if (reset) writer.commit(rows.clear);
    else if (!follows) throw new StoreError(`--store: ${mismatch}`);
    else
      log.info(
        `${path} was used with other items. Stored items stay; new seeds apply after the next reset, and in new sandboxes (--watch).`,
      );
  }
  writer.commit(() => rows.putFingerprint(text));
}

/** Whether all sandboxes of a file can be made by this twin, which may have other plans. */
async function isFit(
  rows: readonly SandboxRow[],
  toInitialState: ToInitialState,
): Promise<boolean> {
  try {
    for (const { state } of rows) await toInitialState(parseState(state).options);
    return true;
  } catch (error) {
    if (error instanceof SandboxOptionError) return false;
    throw error;
  }
}

/** The version of a sandbox that no other process changes. */
const version = 'file';

/** The reply to each step of a new sandbox. */
const done: Reply = { isDone: true, version, news: [], changes: [] };

type FiledSandboxOptions = Pick<MirrorOptions, 'toInitialState'> & {
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
