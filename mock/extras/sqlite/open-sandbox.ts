import { loadWhole, type OpenedSandbox } from '../../sandboxes/sandbox-backend.ts';
import {
  loadState,
  type MemoryParts,
  parseState,
  saveState,
  toStateText,
} from '../../sandboxes/sandbox-state.ts';
import type { Snapshots } from '../../sandboxes/snapshots.ts';
import { computeWaiting, Draft, type Waiting } from '../../state/draft.ts';
import { createStore } from '../../state/memory-store.ts';
import type { Store } from '../../state/store.ts';
import { Tables } from '../../state/tables.ts';
import { createTurns } from '../../state/turns.ts';
import type { Rows, SandboxRow } from './rows.ts';
import type { Flush, Writer } from './writer.ts';

export type FiledSandboxOptions = {
  rows: Rows;
  writer: Writer;
  /** The number of a sandbox that is not in the file yet. */
  id: number;
  /** The sandbox as it is in the file. */
  row: SandboxRow | undefined;
};

/**
 * Opens a sandbox of a file, and brings it to the state that it had. A change of items, and what
 * control changes, is on the disk before its caller goes on; what calls count is written once in a
 * turn of the event loop.
 */
export function openSandbox(parts: MemoryParts, options: FiledSandboxOptions): OpenedSandbox {
  return new FiledSandbox(parts, options).toOpened();
}

class FiledSandbox {
  readonly #parts: MemoryParts;
  readonly #rows: Rows;
  readonly #writer: Writer;
  readonly #id: number;
  readonly #createdAt: number;
  readonly #tables: Tables;
  readonly #store: Store;
  /** What is in the file of its state. */
  #text: string;
  #isRemoved = false;
  #waiting: Waiting[] = [];
  readonly #inTurn = createTurns();

  constructor(parts: MemoryParts, { rows, writer, row, id }: FiledSandboxOptions) {
    this.#parts = parts;
    this.#rows = rows;
    this.#writer = writer;
    this.#id = row?.id ?? id;
    this.#createdAt = row?.createdAt ?? Date.now();
    this.#text = row?.state ?? '';
    if (row) loadState(parts, parseState(row.state));
    this.#tables = new Tables(row ? rows.collectionsOf(row.id) : parts.initialState().seeds);
    this.#store = createStore(this.#tables, {
      run: (compute) => this.#run(compute),
      load: async (loaded) => {
        this.#commit(() => rows.putAll(this.#id, loaded));
        this.#tables.load(loaded);
      },
      close: async () => {},
    });
    if (!row) writer.due(this.#flushFirst);
  }

  toOpened(): OpenedSandbox {
    const { limiter, faults, latency } = this.#parts;
    const touched = <T>(value: T): T => {
      this.#touch();
      return value;
    };
    return {
      store: this.#store,
      limiter: { ...limiter, take: (key) => touched(limiter.take(key)) },
      faults: { ...faults, decide: (call) => touched(faults.decide(call)) },
      latency: { ...latency, next: () => touched(latency.next()) },
      snapshots: this.#toSnapshots(),
      change: (act) => this.#change(act),
      replace: async (whole) => {
        const { collections, state } = whole;
        const text = toStateText(state);
        this.#commit(() => {
          this.#putState(text);
          this.#rows.putAll(this.#id, collections);
        });
        this.#text = text;
        this.#tables.load(collections);
        loadWhole(this.#parts, whole);
      },
      close: async (reason) => {
        if (reason === 'deleted') this.#writer.commit(() => this.#rows.remove(this.#id));
        if (reason !== 'stopped') this.#isRemoved = true;
        if (reason === 'evicted') this.#writer.due(this.#flushRemoval);
      },
    };
  }

  #toSnapshots(): Snapshots {
    const [id, rows] = [this.#id, this.#rows];
    const commit = (write: () => void) => this.#commit(write);
    return {
      get: async (name) => rows.snapshotOf(id, name),
      put: async (snapshot) => commit(() => rows.putSnapshot(id, snapshot)),
      async delete(name) {
        let isDeleted = false;
        commit(() => {
          isDeleted = rows.removeSnapshot(id, name);
        });
        return isDeleted;
      },
      clear: async () => commit(() => rows.clearSnapshots(id)),
      list: async () => rows.summariesOf(id),
      held: () => [],
    };
  }

  /** Changes that come in one turn of the event loop share a commit. */
  #run<T>(compute: (draft: Draft) => T): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ compute, resolve, reject });
      if (this.#waiting.length === 1) setImmediate(() => this.#runAll());
    });
  }

  #runAll(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    const draft = new Draft(this.#tables, this.#parts.admit);
    const settling = waiting.map((one) => computeWaiting(one, draft));
    const { changes } = draft;
    try {
      if (changes.length > 0) this.#commit(() => this.#rows.apply(this.#id, changes));
    } catch (error) {
      for (const { reject } of waiting) reject(error);
      return;
    }
    this.#tables.apply(changes);
    for (const settle of settling) settle();
  }

  /** A sandbox that is removed may still be used by calls under way; nothing of it is written. */
  #commit(write: () => void): void {
    if (!this.#isRemoved) this.#writer.commit(write);
  }

  #putState(state: string): void {
    const [id, createdAt, lastUsedAt] = [this.#id, this.#createdAt, Date.now()];
    this.#rows.put({ id, name: this.#parts.name, createdAt, lastUsedAt, state });
  }

  #toText(): string {
    return toStateText(saveState(this.#parts));
  }

  #touch(): void {
    if (!this.#isRemoved) this.#writer.due(this.#flush);
  }

  readonly #flush: Flush = () => {
    if (this.#isRemoved) return undefined;
    const text = this.#toText();
    this.#putState(text);
    return () => {
      this.#text = text;
    };
  };

  /** Writes it as it begins, before anything is changed. */
  readonly #flushFirst: Flush = () => {
    const done = this.#flush();
    if (done) this.#rows.putAll(this.#id, this.#tables.save());
    return done;
  };

  readonly #flushRemoval: Flush = () => {
    this.#rows.remove(this.#id);
    return undefined;
  };

  /** Runs what changes the state, one after another, and writes it. */
  #change<T>(act: () => T | Promise<T>): Promise<T> {
    return this.#inTurn(async () => {
      const before = this.#toText();
      try {
        return await act();
      } finally {
        this.#writeState(before);
      }
    });
  }

  #writeState(before: string): void {
    const text = this.#toText();
    if (text === this.#text) return;
    try {
      this.#commit(() => this.#putState(text));
      this.#text = text;
    } catch (error) {
      loadState(this.#parts, parseState(before));
      throw error;
    }
  }
}
