import { randomUUID } from 'node:crypto';
import { type ControlledClock, createClock } from '../clock.ts';
import { createDomains } from '../domains/domains-state.ts';
import {
  bytesOfRule,
  createFaultRules,
  createLatency,
  type FaultRules,
  type Latency,
} from '../faults/fault-rules.ts';
import { createRandom, type Random } from '../faults/random.ts';
import type { Journal, LocalJournal } from '../journal/journal.ts';
import { createLimiter, type Limiter } from '../limits/limiter.ts';
import { BoundedMap, type BoundedMapOptions, Budget } from '../state/budget.ts';
import type { Admit, Store } from '../state/store.ts';
import type { MemoryHolder } from '../state/tables.ts';
import { bytesOfTasks, createTasks, type Tasks } from '../tasks/tasks.ts';
import type { CloseReason, OpenedSandbox, OpenSandbox } from './sandbox-backend.ts';
import type { SandboxSettings } from './sandbox-options.ts';
import {
  type InitialState,
  initialStateOf,
  type MemoryParts,
  type SavedState,
  saveState,
  type ToInitialState,
} from './sandbox-state.ts';
import type { Snapshots } from './snapshots.ts';

export type SandboxParts = {
  initialState: InitialState;
  toInitialState: ToInitialState;
  open: OpenSandbox;
  openJournal: () => LocalJournal;
  admit?: Admit;
  /** Bounds all that it keeps beside items; unbounded unless given. */
  budget?: Budget | undefined;
  /** The time that its clock follows, in Unix milliseconds, if not the system's. */
  now?: (() => number) | undefined;
  /** An id that distinguishes this twin from other twins that share the sandbox. */
  holder: string;
  /** Runs when tasks may be due earlier than before. */
  onTasks?: (sandbox: Sandbox, isAdded: boolean) => void;
};

/**
 * Everything that a request can change, isolated from other sandboxes: items, counters, bans,
 * clock, domains and tasks.
 */
export class Sandbox {
  readonly name: string;
  readonly store: Store;
  readonly limiter: Limiter;
  readonly clock: ControlledClock;
  readonly faults: FaultRules;
  readonly latency: Latency;
  readonly domains = createDomains();
  readonly tasks: Tasks;
  /**
   * Notes of extras about the sandbox in this process, by name, until the sandbox begins anew or is
   * restored.
   */
  readonly notes = new Map<string, unknown>();
  /**
   * Values given to extras for the sandbox in this process, by name, until the sandbox begins anew.
   */
  readonly given = new Map<string, unknown>();
  readonly snapshots: Snapshots;
  /** Its requests, with the reasons for their answers. */
  readonly journal: Journal;
  readonly refresh: OpenedSandbox['refresh'];
  readonly change: OpenedSandbox['change'];
  settings: SandboxSettings;
  #initial: InitialState;
  readonly #toInitialState: ToInitialState;
  readonly #opened: OpenedSandbox;
  /** The parts in memory, which the shared parts wrap. */
  readonly #local: MemoryParts;
  #start: string | undefined;
  #draw: Random | undefined;
  #isClosed = false;
  readonly #budget: Budget;
  readonly #kept = new Map<string, Pick<BoundedMap<unknown>, 'clear' | 'close'>>();

  constructor(name: string, parts: SandboxParts) {
    const { initialState, open, admit, now, budget = new Budget() } = parts;
    this.name = name;
    this.#budget = budget;
    this.#initial = initialState;
    this.settings = initialState.settings;
    this.#toInitialState = parts.toInitialState;
    this.clock = createClock(now);
    this.tasks = createTasks({
      holder: parts.holder,
      admit,
      onChange: (isAdded) => parts.onTasks?.(this, isAdded),
    });
    const seed = () => this.#initial.settings.seed;
    this.#local = {
      name,
      initialState: () => this.#initial,
      begin: (next) => this.#begin(next),
      start: () => this.#start,
      followStart: (start) => this.#followStart(start),
      admit,
      clock: this.clock,
      limiter: createLimiter({ clock: this.clock, ...rulesOf(this.settings) }),
      faults: createFaultRules({ seed, admit }),
      latency: createLatency({ seed }),
      domains: this.domains,
      tasks: this.tasks,
    };
    this.#opened = open(this.#local);
    const { store, limiter, faults, latency, snapshots, refresh, change } = this.#opened;
    this.store = store;
    this.limiter = limiter;
    this.faults = faults;
    this.latency = latency;
    this.snapshots = snapshots;
    this.refresh = refresh;
    this.change = change;
    const local = parts.openJournal();
    this.journal = this.#opened.journal?.(local) ?? local;
  }

  /** Random numbers for requests without a seed. */
  readonly random: Random = () => {
    this.#draw ??= createRandom(`${this.#initial.settings.seed}: values`);
    return this.#draw();
  };

  /** Returns the values that calls left behind under a name, until it begins anew, is restored or closed. */
  kept<Value>(name: string, options?: BoundedMapOptions<Value>): BoundedMap<Value> {
    let kept = this.#kept.get(name) as BoundedMap<Value> | undefined;
    if (!kept) this.#kept.set(name, (kept = new BoundedMap(this.#budget, options)));
    if (this.#isClosed) kept.close();
    return kept;
  }

  /** Restores the initial state; snapshots stay. */
  reset(): Promise<void> {
    return this.#opened.inTurn(() => this.#restart(this.#initial));
  }

  /** Starts over with other settings and items, without snapshots. */
  remake(initialState: InitialState): Promise<void> {
    return this.#opened.inTurn(async () => {
      await this.#restart(initialState);
      await this.snapshots.clear();
    });
  }

  /**
   * Follows a change of the twin: is limited by other settings at once, and begins with other items
   * at the next reset. What it holds stays.
   */
  follow(toInitialState: ToInitialState): Promise<void> {
    return this.#opened.inTurn(async () => {
      this.#begin(await toInitialState(this.#initial.options));
    });
  }

  /** Returns the content of a snapshot of the present moment. */
  save(): Promise<SavedState> {
    return this.#opened.inTurn(async () => {
      const saving = this.store.save();
      const { start: _, latency: __, faults: ___, tasks, ...state } = saveState(this.#local);
      const list = tasks?.list.filter(({ holder }) => holder === undefined) ?? [];
      return {
        ...state,
        ...(tasks && list.length > 0 && { tasks: { last: tasks.last, list } }),
        collections: await saving,
      };
    });
  }

  /**
   * Restores a saved state, of this or another sandbox of the twin: all of it, or nothing if it
   * rejects. Faults and delays stay.
   */
  restore({ collections, ...saved }: SavedState): Promise<void> {
    return this.#opened.inTurn(async () => {
      const initialState = await this.#toInitialState(saved.options);
      const { latency, faults } = saveState(this.#local);
      const state = { start: randomUUID(), ...saved, latency, faults };
      await this.#opened.replace({ initialState, collections, state, isStart: false });
    });
  }

  /** The parts that take memory: its store, its initial items, its snapshots, tasks and faults. */
  held(): MemoryHolder[] {
    const rules = this.faults.list().reduce((sum, rule) => sum + bytesOfRule(rule), 0);
    const others = { bytes: rules + bytesOfTasks(this.tasks.list()) };
    return [this.store, this.#initial.seeds, ...this.snapshots.held(), others];
  }

  /** Frees what it holds, and ends the streams of its journal. */
  async close(reason: CloseReason): Promise<void> {
    // One that cannot be deleted goes on.
    if (reason === 'deleted') await this.#opened.close(reason);
    this.#isClosed = true;
    this.journal.close();
    for (const kept of this.#kept.values()) kept.close();
    if (reason !== 'deleted') await this.#opened.close(reason);
  }

  #begin(next: InitialState): void {
    this.#initial = next;
    this.settings = next.settings;
    this.#local.limiter.follow(rulesOf(next.settings));
  }

  #followStart(start: string | undefined): void {
    if (start === this.#start) return;
    this.#start = start;
    for (const kept of this.#kept.values()) kept.clear();
    this.notes.clear();
  }

  async #restart(initialState: InitialState): Promise<void> {
    const state = initialStateOf(initialState.options);
    const whole = { initialState, collections: initialState.seeds, state };
    await this.#opened.replace({ ...whole, isStart: true });
    this.#draw = undefined;
    this.given.clear();
    // A shared one was emptied with the rest.
    if (!this.#opened.journal) await this.journal.clear();
  }
}

function rulesOf({ rateLimits: mode, policy }: SandboxSettings) {
  return { mode, policy };
}
