import { type ControlledClock, createClock } from '../clock.ts';
import { createDomains } from '../domains/domains-state.ts';
import { createFaultRules, type FaultRules } from '../faults/fault-rules.ts';
import { createLatency, type Latency } from '../faults/latency.ts';
import { createRandom, type Random } from '../faults/random.ts';
import type { Journal, LocalJournal } from '../journal/journal.ts';
import { createLimiter, type Limiter } from '../limits/limiter.ts';
import type { Admit, Collections, Store } from '../state/store.ts';
import { type ControlState, initialControl, saveControl } from './control-state.ts';
import type {
  CloseReason,
  MemoryParts,
  OpenedSandbox,
  OpenSandbox,
  Replacement,
} from './sandbox-backend.ts';
import type { SandboxOptions, SandboxSettings } from './sandbox-options.ts';
import type { InitialState, SandboxState } from './sandbox-state.ts';
import { createSnapshots, type Snapshots } from './sandbox-state.ts';

/** Makes the initial state of a sandbox with these options. */
export type ToInitialState = (options: SandboxOptions) => Promise<InitialState>;

export type SandboxParts = {
  initialState: InitialState;
  open: OpenSandbox;
  openJournal: () => LocalJournal;
  admit?: Admit;
  /** The time that its clock follows, in Unix milliseconds, if not the system's. */
  now?: (() => number) | undefined;
};

/** What takes memory: stores, and collections such as seeds and saved ones. */
export type Held = Store | Collections;

/**
 * Everything that a request can change, isolated from other sandboxes: items, counters, bans,
 * clock and domains.
 */
export class Sandbox {
  readonly name: string;
  readonly store: Store;
  readonly limiter: Limiter;
  readonly clock: ControlledClock;
  readonly faults: FaultRules;
  readonly latency: Latency;
  readonly domains = createDomains();
  readonly snapshots: Snapshots;
  readonly refresh: OpenedSandbox['refresh'];
  readonly change: OpenedSandbox['change'];
  settings: SandboxSettings;
  #initial: InitialState;
  readonly #openJournal: () => LocalJournal;
  readonly #opened: OpenedSandbox;
  /** Its parts as they are in memory, which those of a shared sandbox are around. */
  readonly #local: Pick<MemoryParts, 'limiter' | 'faults' | 'latency' | 'snapshots'>;
  #draw: Random | undefined;
  #journal: Journal | undefined;
  #isClosed = false;
  #lastTurn: Promise<unknown> | undefined;

  constructor(name: string, { initialState, open, openJournal, admit, now }: SandboxParts) {
    this.name = name;
    this.#initial = initialState;
    this.settings = initialState.settings;
    this.#openJournal = openJournal;
    this.clock = createClock(now);
    const seed = () => this.#initial.settings.seed;
    this.#local = {
      limiter: createLimiter({ clock: this.clock, ...rulesOf(this.settings) }),
      faults: createFaultRules({ seed }),
      latency: createLatency({ seed }),
      snapshots: createSnapshots(),
    };
    this.#opened = open({
      ...this.#local,
      name,
      initialState: () => this.#initial,
      begin: (next) => this.#begin(next),
      admit,
      clock: this.clock,
      domains: this.domains,
    });
    const { store, limiter, faults, latency, snapshots, refresh, change } = this.#opened;
    this.store = store;
    this.limiter = limiter;
    this.faults = faults;
    this.latency = latency;
    this.snapshots = snapshots;
    this.refresh = refresh;
    this.change = change;
  }

  /** Random numbers for requests without a seed. */
  readonly random: Random = () => {
    this.#draw ??= createRandom(`${this.#initial.settings.seed}: values`);
    return this.#draw();
  };

  /** Its requests, with the reasons for their answers. */
  journal(): Journal {
    if (!this.#journal) {
      const local = this.#openJournal();
      this.#journal = this.#opened.journal?.(local) ?? local;
      if (this.#isClosed) this.#journal.close();
    }
    return this.#journal;
  }

  /** Restores the initial state; snapshots stay. */
  reset(): Promise<void> {
    return this.#inTurn(() => this.#restart(this.#initial, { keepsSnapshots: true }));
  }

  /** Starts over with other settings and items, without snapshots. */
  remake(initialState: InitialState): Promise<void> {
    return this.#inTurn(async () => {
      await this.#restart(initialState, { keepsSnapshots: false });
      this.#local.snapshots.clear();
    });
  }

  /**
   * Follows a change of the twin: is limited by other settings at once, and begins with other items
   * at the next reset. What it holds stays, and its snapshots follow too.
   */
  follow(toInitialState: ToInitialState): Promise<void> {
    return this.#inTurn(async () => {
      this.#begin(await toInitialState(this.#initial.options));
      await this.#opened.follow?.(this.#initial);
      const { snapshots } = this.#local;
      for (const { state, ...snapshot } of snapshots.list()) {
        const initialState = await toInitialState(state.initialState.options);
        snapshots.put({ ...snapshot, state: { ...state, initialState } });
      }
    });
  }

  /** What a snapshot keeps, as it is at this moment. */
  save(): Promise<SandboxState> {
    return this.#inTurn(async () => {
      const saving = this.store.save();
      const domains = this.domains.save();
      const state = {
        initialState: this.#initial,
        limits: this.#local.limiter.save(),
        clock: this.clock.save(),
        ...(domains && { domains }),
      };
      return { ...state, collections: await saving };
    });
  }

  /**
   * Restores a saved state, of this or another sandbox of the twin: all of it, or nothing if it
   * rejects.
   */
  restore(state: SandboxState): Promise<void> {
    return this.#inTurn(() => {
      const { options } = state.initialState;
      const parts = { ...this.#local, clock: this.clock, domains: this.domains };
      const { domains: _, ...present } = saveControl(parts, options);
      const control: ControlState = { ...present, clock: state.clock };
      if (state.domains) control.domains = state.domains;
      return this.#replace({ state, control, keepsSnapshots: true });
    });
  }

  /** The parts that take memory: its store, its initial items, and its snapshots. */
  held(): Held[] {
    const saved = this.#local.snapshots.list();
    return [
      this.store,
      this.#initial.seeds,
      ...saved.flatMap(({ state }) => [state.collections, state.initialState.seeds]),
    ];
  }

  /** Frees what it holds, and ends the streams of its journal. */
  async close(reason: CloseReason): Promise<void> {
    // One that cannot be deleted goes on.
    if (reason === 'deleted') await this.#opened.close(reason);
    this.#isClosed = true;
    this.#journal?.close();
    if (reason !== 'deleted') await this.#opened.close(reason);
  }

  /** Changes of the whole sandbox run one after another, so that none sees another half done. */
  #inTurn<T>(change: () => Promise<T>): Promise<T> {
    const turn = this.#lastTurn ? this.#lastTurn.then(change, change) : change();
    this.#lastTurn = turn;
    const done = () => {
      if (this.#lastTurn === turn) this.#lastTurn = undefined;
    };
    turn.then(done, done);
    return turn;
  }

  #useInitialState(next: InitialState): void {
    this.#initial = next;
    this.settings = next.settings;
  }

  #begin(next: InitialState): void {
    this.#useInitialState(next);
    this.#local.limiter.follow(rulesOf(next.settings));
  }

  async #replace(replacement: Replacement): Promise<void> {
    await this.#opened.replace(replacement);
    const { state } = replacement;
    this.#useInitialState(state.initialState);
    this.#local.limiter.load(rulesOf(this.settings), state.limits);
    this.clock.load(state.clock);
    this.domains.load(state.domains);
  }

  async #restart(
    next: InitialState,
    { keepsSnapshots }: { keepsSnapshots: boolean },
  ): Promise<void> {
    const control = initialControl(next.options);
    const { clock } = control;
    const state = { initialState: next, collections: next.seeds, limits: new Map(), clock };
    await this.#replace({ state, control, keepsSnapshots });
    this.#local.faults.clear();
    this.#local.latency.reset();
    this.#draw = undefined;
    // A shared one was emptied with the rest, up to what was recorded before.
    if (!this.#opened.journal) await this.#journal?.clear();
  }
}

function rulesOf({ rateLimits: mode, policy }: SandboxSettings) {
  return { mode, policy };
}
