import type { Journal, LocalJournal } from '../journal/journal.ts';
import { type Collections, StoreUnavailableError } from '../state/store.ts';
import type { Change } from '../state/table.ts';
import { Tables } from '../state/tables.ts';
import { type CloseReason, loadWhole } from './sandbox-backend.ts';
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
export type Basis = 'items' | 'state' | 'nothing';

export type MirrorOptions = {
  held: HeldSandbox;
  toInitialState: ToInitialState;
  /** It as it is held, where that is known; else the first step finds it. */
  begin?: { version: string; text: string; collections: Collections };
};

/** Bounds the attempts of a step that changes of other processes overtake. */
const maxAttempts = 100;

/**
 * Follows the log of the steps of a sandbox, which a file or a server holds: the memory of this
 * process is what the log says up to a version.
 */
export class SandboxLog {
  readonly tables: Tables;
  readonly #parts: MemoryParts;
  readonly #held: HeldSandbox;
  readonly #toInitialState: ToInitialState;
  #version: string;
  /** The state that is stored; empty where none is. */
  #text: string;

  constructor(parts: MemoryParts, { held, toInitialState, begin }: MirrorOptions) {
    this.#parts = parts;
    this.#held = held;
    this.#toInitialState = toInitialState;
    this.#version = begin?.version ?? '';
    this.#text = begin?.text ?? '';
    if (this.#text !== '') loadState(parts, parseState(this.#text));
    this.tables = new Tables(begin?.collections ?? parts.initialState().seeds);
  }

  /** Whether the log was seen: before that, nothing can be computed. */
  get isSeen(): boolean {
    return this.#version !== '';
  }

  /** Returns the state in memory as it would be stored. */
  stateText(): string {
    return toStateText(saveState(this.#parts));
  }

  /** Tries until it gives something. What was changed in memory and is not stored is taken back. */
  async attempt<T>(act: () => Promise<T | undefined>): Promise<T> {
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

  /**
   * Stores a step if its basis is unchanged, and follows the steps of other processes. Returns the
   * parts that these changed meanwhile; undefined if nothing was stored.
   */
  async store(step: Step): Promise<readonly Basis[] | undefined> {
    const text = step.text === this.#text ? undefined : step.text;
    const from = { version: this.#version, tables: this.tables };
    const reply = await this.#held.step({ ...step, text }, from);
    if (!reply) {
      await this.#create();
      return undefined;
    }
    if (reply.text !== undefined) await this.#follow(reply.text);
    if (reply.collections) this.tables.load(reply.collections);
    for (const change of reply.changes) this.tables.apply(change);
    this.#version = reply.version;
    if (!reply.isDone) return undefined;
    if (text !== undefined) this.#text = text;
    for (const change of step.changes ?? []) this.tables.apply(change);
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
    const isMade = await this.store({
      how: 'new',
      text: toStateText(state),
      collections: seeds,
      hasOptions: false,
    });
    if (!isMade) return;
    loadWhole(this.#parts, { initialState, state });
    this.tables.load(seeds);
  }
}
