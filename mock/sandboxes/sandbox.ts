import { type ControlledClock, createClock } from '../clock.ts';
import { createFaultRules, type FaultRules } from '../faults/fault-rules.ts';
import { createLatency, type Latency } from '../faults/latency.ts';
import { createRandom, type Random } from '../faults/random.ts';
import type { Journal } from '../journal/journal.ts';
import { createLimiter, type Limiter } from '../limits/limiter.ts';
import type { Admit, OpenStore, Store } from '../state/store.ts';
import type { Held } from './room.ts';
import type { SandboxOptions, SandboxSettings } from './sandbox-options.ts';
import type { InitialState, SandboxState } from './sandbox-state.ts';
import { createSnapshots, type Snapshots } from './snapshots.ts';

/**
 * Everything that a request can change, isolated from other sandboxes: items, counters, bans and
 * clock.
 */
export type Sandbox = {
  readonly name: string;
  readonly settings: SandboxSettings;
  readonly store: Store;
  readonly limiter: Limiter;
  readonly clock: ControlledClock;
  readonly faults: FaultRules;
  readonly latency: Latency;
  /** Random numbers for requests without a seed. */
  readonly random: Random;
  readonly snapshots: Snapshots;
  /** Its requests, with the reasons for their answers. */
  journal(): Journal;
  /** Restores the initial state; snapshots stay. */
  reset(): Promise<void>;
  /** Starts over with other settings and items, without snapshots. */
  remake(initialState: InitialState): Promise<void>;
  /**
   * Follows a change of the twin: is limited by other settings at once, and begins with other items
   * at the next reset. What it holds stays, and its snapshots follow too. `toInitialState` makes the
   * initial state that a sandbox with these options has now.
   */
  follow(toInitialState: ToInitialState): Promise<void>;
  /** What a snapshot keeps, as it is at this moment. */
  save(): Promise<SandboxState>;
  /**
   * Restores a saved state, of this or another sandbox of the twin: all of it, or nothing if it
   * rejects.
   */
  restore(state: SandboxState): Promise<void>;
  /** The parts that take memory: its store, its initial items, and its snapshots. */
  held(): Held[];
  /** Frees what it holds, and ends the streams of its journal. */
  close(): Promise<void>;
};

/** Makes the initial state of a sandbox with these options. */
export type ToInitialState = (options: SandboxOptions) => Promise<InitialState>;

export type SandboxParts = {
  initialState: InitialState;
  open: OpenStore;
  openJournal: () => Journal;
  admit?: Admit;
};

/**
 * Makes a sandbox. Its own parts are made when first needed, because there may be very many
 * sandboxes.
 */
export function createSandbox(
  name: string,
  { initialState, open, openJournal, admit }: SandboxParts,
): Sandbox {
  let initial = initialState;
  const clock = createClock();
  const limiter = createLimiter({ clock, ...rulesOf(initial.settings) });
  const store = open(initial.seeds, admit);
  const seed = () => initial.settings.seed;
  const faults = createFaultRules({ seed });
  const latency = createLatency({ seed });
  let draw: Random | undefined;
  const snapshots = createSnapshots();
  let journal: Journal | undefined;
  let closed = false;
  let last: Promise<unknown> | undefined;
  /** Changes of the whole sandbox run one after another, so that none sees another half done. */
  const inTurn = <T>(change: () => Promise<T>): Promise<T> => {
    const turn = last ? last.then(change, change) : change();
    last = turn;
    const done = () => {
      if (last === turn) last = undefined;
    };
    turn.then(done, done);
    return turn;
  };
  const restore = async (state: SandboxState) => {
    await store.load(state.collections);
    useInitialState(state.initialState);
    limiter.load(rulesOf(initial.settings), state.limits);
    clock.load(state.clock);
  };
  const restart = async (next: InitialState) => {
    await restore({
      initialState: next,
      collections: next.seeds,
      limits: new Map(),
      clock: { offset: 0 },
    });
    faults.clear();
    latency.reset();
    draw = undefined;
    journal?.clear();
  };
  const sandbox: Omit<Sandbox, 'settings'> & { settings: SandboxSettings } = {
    name,
    settings: initial.settings,
    store,
    limiter,
    clock,
    faults,
    latency,
    random: () => (draw ??= createRandom(`${seed()}: values`))(),
    snapshots,
    // Not a getter, which would make the whole sandbox slow to read.
    journal() {
      if (!journal) {
        journal = openJournal();
        if (closed) journal.close();
      }
      return journal;
    },
    reset: () => inTurn(() => restart(initial)),
    remake: (next) =>
      inTurn(async () => {
        await restart(next);
        snapshots.clear();
      }),
    follow: (toInitialState) =>
      inTurn(async () => {
        useInitialState(await toInitialState(initial.options));
        limiter.follow(rulesOf(initial.settings));
        for (const { state, ...snapshot } of snapshots.list())
          snapshots.put({
            ...snapshot,
            state: {
              ...state,
              initialState: await toInitialState(state.initialState.options),
            },
          });
      }),
    save: () =>
      inTurn(async () => {
        const saving = store.save();
        const state = { initialState: initial, limits: limiter.save(), clock: clock.save() };
        return { ...state, collections: await saving };
      }),
    restore: (state) => inTurn(() => restore(state)),
    held: () => [
      store,
      initial.seeds,
      ...snapshots.list().flatMap(({ state }) => [state.collections, state.initialState.seeds]),
    ],
    close: async () => {
      closed = true;
      journal?.close();
      await store.close();
    },
  };
  const useInitialState = (next: InitialState) => {
    initial = next;
    sandbox.settings = next.settings;
  };
  return sandbox;
}

function rulesOf({ rateLimits: mode, policy }: SandboxSettings) {
  return { mode, policy };
}
