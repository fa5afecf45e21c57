import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate } from 'node:timers/promises';
import type { Journal, LocalJournal } from '../journal/journal.ts';
import { type Collections, StoreUnavailableError } from '../state/store.ts';
import { createStore } from '../state/store-of-tables.ts';
import type { Change } from '../state/table.ts';
import { Draft, Tables } from '../state/tables.ts';
import { createTurns } from '../state/turns.ts';
import { type CloseReason, loadWhole, type OpenedSandbox, type Whole } from './sandbox-backend.ts';
import {
  initialStateOf,
  loadState,
  type MemoryParts,
  parseState,
  saveState,
  type ToInitialState,
  toStateText,
} from './sandbox-state.ts';
import type { Snapshots } from './snapshots.ts';

/** Holds a sandbox in a file or on a server. */
export interface HeldSandbox {
  /** Whether other processes may change the sandbox. */
  readonly isShared: boolean;
  readonly snapshots: Snapshots;
  /**
   * Compares and sets: stores the step, unless another process changed that part since the version.
   * Returns what the caller lacks; undefined if the sandbox does not exist.
   */
  step(step: Step, from: MirroredState): Promise<Reply | undefined>;
  /** The journal, around the one in memory. */
  readonly journal?: (local: LocalJournal) => Journal;
  close(reason: CloseReason): Promise<void>;
}

/** A process's copy of a sandbox: its version, empty for none, and its items. */
export type MirroredState = { readonly version: string; readonly tables: Tables };

/** The changes to store with a step; omitted parts stay as they are. */
export type Step = {
  /** The next state. It may be stored a moment later if `isCount`, as calls were only counted. */
  text?: string | undefined;
  isCount?: boolean;
  changes?: readonly Change[];
  /** All items. */
  collections?: Collections | undefined;
  /** To make the sandbox, or to store it whatever is there. */
  how?: 'new' | 'any';
  isStart?: boolean;
  hasOptions?: boolean;
};

/**
 * The outcome of a step, the version afterwards, and the changes other processes stored since the
 * previous step.
 */
export type Reply = {
  isDone: boolean;
  version: string;
  /** The parts that others changed before a step that is done. */
  news: readonly Basis[];
  text?: string | undefined;
  changes: readonly Change[];
  /** All items, where the changes are not known any more. */
  collections?: Collections | undefined;
};

/**
 * The part that a change is computed from. If another process stored that part, the change is
 * computed again.
 */
type Basis = 'items' | 'state' | 'nothing';

/** A change that waits for the step that stores it. */
type Waiting = {
  of: Basis;
  compute: (draft: Draft) => unknown;
  resolve: (value: never) => void;
  reject: (error: unknown) => void;
};

export type MirrorOptions = {
  held: HeldSandbox;
  toInitialState: ToInitialState;
  /** It as it is held, where that is known; else the first step finds it. */
  begin?: { version: string; text: string; collections: Collections };
};

/** Bounds the attempts of a step that changes of other processes overtake. */
const maxAttempts = 100;

/** Opens a sandbox that is held elsewhere, too. */
export function openMirroredSandbox(parts: MemoryParts, options: MirrorOptions): OpenedSandbox {
  return new MirroredSandbox(parts, options).toOpened();
}

/**
 * Mirrors a stored sandbox in memory, in steps. Pending calls and changes are computed on the known
 * state and stored together, if no other process stored anything since. Otherwise the mirror
 * catches up and computes them again. So limits are exact across processes, although only this
 * process computes them.
 */
class MirroredSandbox {
  readonly #parts: MemoryParts;
  readonly #held: HeldSandbox;
  readonly #toInitialState: ToInitialState;
  readonly #tables: Tables;
  #version: string;
  /** The state that is stored; empty where none is. */
  #text: string;
  #waiting: Waiting[] = [];
  readonly #turns = createTurns();
  /** Set within a turn. */
  readonly #holding = new AsyncLocalStorage<true>();

  constructor(parts: MemoryParts, { held, toInitialState, begin }: MirrorOptions) {
    this.#parts = parts;
    this.#held = held;
    this.#toInitialState = toInitialState;
    this.#version = begin?.version ?? '';
    this.#text = begin?.text ?? '';
    if (this.#text !== '') loadState(parts, parseState(this.#text));
    this.#tables = new Tables(begin?.collections ?? parts.initialState().seeds);
  }

  toOpened(): OpenedSandbox {
    const { limiter, faults, latency } = this.#parts;
    const { isShared, snapshots, journal } = this.#held;
    const count = <T>(compute: () => T) => this.#submit('state', compute);
    const store = createStore(this.#tables, {
      run: (compute) => this.#submit('items', compute),
      load: (collections) =>
        this.#inTurn(async () => {
          await this.#storeUntilDone({ collections, how: 'any' });
          this.#tables.load(collections);
        }),
      close: async () => {},
    });
    return {
      store,
      limiter: { ...limiter, take: (key) => count(() => limiter.take(key)) },
      faults: {
        ...faults,
        decide: (call) =>
          faults.lookingAt(call).length === 0 ? undefined : count(() => faults.decide(call)),
      },
      latency: {
        ...latency,
        next: () => {
          const delay = latency.next();
          // Each process that shares it draws on its own.
          if (!isShared) void count(() => {});
          return delay;
        },
      },
      snapshots,
      ...(isShared && { refresh: () => this.#submit('nothing', () => {}) }),
      ...(journal && { journal }),
      change: (act) => this.#inTurn(() => this.#change(act)),
      inTurn: (act) => this.#inTurn(act),
      replace: (whole) => this.#inTurn(() => this.#replace(whole)),
      close: (reason) => this.#held.close(reason),
    };
  }

  /** One thing at a time; what belongs to the present turn is done at once. */
  #inTurn<T>(act: () => Promise<T>): Promise<T> {
    if (this.#holding.getStore()) return act();
    return this.#turns(() => this.#holding.run(true, act));
  }

  /** Computes with the next step, of which all that comes until then is a part. */
  #submit<T>(of: Basis, compute: (draft: Draft) => T): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ of, compute, resolve, reject });
      if (this.#waiting.length === 1 || this.#holding.getStore())
        this.#inTurn(() => this.#runAll()).catch(reject);
    });
  }

  async #runAll(): Promise<void> {
    // All of a turn of the event loop share a step.
    await setImmediate();
    let batch = this.#waiting;
    this.#waiting = [];
    if (batch.length === 0) return;
    try {
      await this.#attempt(async () => {
        // Of nothing nothing can be computed.
        if (this.#version === '') return void (await this.#store({}));
        const draft = new Draft(this.#tables.fork(), this.#parts.admit);
        const settling = batch.map((waiting) => ({ waiting, settle: compute(waiting, draft) }));
        const { changes } = draft;
        const isCount = changes.length === 0;
        const news = await this.#store({ text: this.#toText(), changes, isCount });
        if (!news) return undefined;
        batch = batch.filter(({ of }) => news.includes(of));
        for (const { waiting, settle } of settling) if (!batch.includes(waiting)) settle();
        return batch.length === 0 || undefined;
      });
    } catch (error) {
      const items = batch.filter(({ of }) => of === 'items');
      for (const { reject } of items.length > 0 ? items : batch) reject(error);
      if (items.length === 0 || items.length === batch.length) return;
      // Calls may be counted where changes cannot be stored.
      this.#waiting.push(...batch.filter(({ of }) => of !== 'items'));
      await this.#runAll();
    }
  }

  /** Acts on what is stored now, and stores what it changed of the state. */
  #change<T>(act: () => T | Promise<T>): Promise<T> {
    return this.#attempt(async () => {
      if (!(await this.#store({}))) return undefined;
      const result = await act();
      return (await this.#store({ text: this.#toText() })) ? [result] : undefined;
    }).then(([result]) => result as T);
  }

  async #replace(whole: Whole): Promise<void> {
    const { collections, state, isStart } = whole;
    await this.#storeUntilDone({
      text: toStateText(state),
      collections,
      how: 'any',
      isStart,
      hasOptions: Object.keys(state.options).length > 0,
    });
    this.#tables.load(collections);
    loadWhole(this.#parts, whole);
  }

  #storeUntilDone(step: Step): Promise<void> {
    return this.#attempt(async () => ((await this.#store(step)) ? true : undefined)).then(() => {});
  }

  /** Tries until it gives something. What was changed in memory and is not stored is taken back. */
  async #attempt<T>(act: () => Promise<T | undefined>): Promise<T> {
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      try {
        const result = await act();
        if (result !== undefined) return result;
      } catch (error) {
        this.#takeBack();
        throw error;
      }
      this.#takeBack();
    }
    throw new StoreUnavailableError('Other processes change the sandbox faster than this one can.');
  }

  #takeBack(): void {
    const { options } = this.#parts.initialState();
    loadState(this.#parts, this.#text === '' ? initialStateOf(options) : parseState(this.#text));
  }

  #toText(): string {
    return toStateText(saveState(this.#parts));
  }

  /**
   * Stores a step if its basis is unchanged, and follows the steps of other processes. If another
   * process was faster, returns its steps, else undefined.
   */
  async #store(step: Step): Promise<readonly Basis[] | undefined> {
    const text = step.text === this.#text ? undefined : step.text;
    const from = { version: this.#version, tables: this.#tables };
    const reply = await this.#held.step({ ...step, text }, from);
    if (!reply) {
      await this.#create();
      return undefined;
    }
    if (reply.text !== undefined) await this.#follow(reply.text);
    if (reply.collections) this.#tables.load(reply.collections);
    for (const change of reply.changes) this.#tables.apply(change);
    this.#version = reply.version;
    if (!reply.isDone) return undefined;
    if (text !== undefined) this.#text = text;
    for (const change of step.changes ?? []) this.#tables.apply(change);
    return reply.news;
  }

  /** Follows a state that another process stored. */
  async #follow(text: string): Promise<void> {
    const state = parseState(text);
    const { options } = this.#parts.initialState();
    if (JSON.stringify(state.options) !== JSON.stringify(options))
      this.#parts.begin(await this.#toInitialState(state.options));
    loadState(this.#parts, state);
    this.#text = text;
  }

  /** Creates the sandbox, as the twin does: this process may have mirrored another before. */
  async #create(): Promise<void> {
    const initialState = await this.#toInitialState({});
    const { seeds } = initialState;
    const state = initialStateOf({});
    this.#version = '';
    this.#text = '';
    const isMade = await this.#store({
      how: 'new',
      text: toStateText(state),
      collections: seeds,
      hasOptions: false,
    });
    if (!isMade) return;
    loadWhole(this.#parts, { initialState, state });
    this.#tables.load(seeds);
  }
}

/** Computes what waits, and gives what tells so. */
function compute({ compute: act, resolve, reject }: Waiting, draft: Draft): () => void {
  try {
    const value = act(draft) as never;
    return () => resolve(value);
  } catch (error) {
    return () => reject(error);
  }
}
