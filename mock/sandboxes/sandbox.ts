import { type ControlledClock, createClock } from '../clock.ts';
import { createDomains, type Domains } from '../domains/domains-state.ts';
import { createFaultRules, type FaultRules } from '../faults/fault-rules.ts';
import { createLatency, type Latency } from '../faults/latency.ts';
import { createRandom, type Random } from '../faults/random.ts';
import type { Journal, LocalJournal } from '../journal/journal.ts';
import { createLimiter, type Limiter } from '../limits/limiter.ts';
import type { Admit, Store } from '../state/store.ts';
import { initialControl, saveControl } from './control-state.ts';
import type { Held } from './room.ts';
import type { CloseReason, OpenedSandbox, OpenSandbox, Replacement } from './sandbox-backend.ts';
import type { SandboxOptions, SandboxSettings } from './sandbox-options.ts';
import type { InitialState, SandboxState } from './sandbox-state.ts';
import { createSnapshots, type Snapshots } from './sandbox-state.ts';

/**
 * Everything that a request can change, isolated from other sandboxes: items, counters, bans,
 * clock and domains.
 */
export type Sandbox = {
  readonly name: string;
  readonly settings: SandboxSettings;
  readonly store: Store;
  readonly limiter: Limiter;
  readonly clock: ControlledClock;
  readonly faults: FaultRules;
  readonly latency: Latency;
  readonly domains: Domains;
  /** Random numbers for requests without a seed. */
  readonly random: Random;
  readonly snapshots: Snapshots;
  readonly refresh: OpenedSandbox['refresh'];
  readonly change: OpenedSandbox['change'];
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
  close(reason: CloseReason): Promise<void>;
};

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

/**
 * Makes a sandbox. Its own parts are made when first needed, because there may be very many
 * sandboxes.
 */
export function createSandbox(
  name: string,
  { initialState, open, openJournal, admit, now }: SandboxParts,
): Sandbox {
  let initial = initialState;
  const clock = createClock(now);
  const limiter = createLimiter({ clock, ...rulesOf(initial.settings) });
  const seed = () => initial.settings.seed;
  const faults = createFaultRules({ seed });
  const latency = createLatency({ seed });
  const domains = createDomains();
  const snapshots = createSnapshots();
  const opened = open({
    name,
    initialState: () => initial,
    begin,
    admit,
    clock,
    limiter,
    faults,
    latency,
    domains,
    snapshots,
  });
  const { store } = opened;
  let draw: Random | undefined;
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
  const replace = async (replacement: Replacement) => {
    await opened.replace(replacement);
    const { state } = replacement;
    useInitialState(state.initialState);
    limiter.load(rulesOf(initial.settings), state.limits);
    clock.load(state.clock);
    domains.load(state.domains);
  };
  const restore = (state: SandboxState) => {
    const { options } = state.initialState;
    const { domains: _, ...present } = saveControl({ clock, latency, faults, domains }, options);
    const control = {
      ...present,
      clock: state.clock,
      ...(state.domains && { domains: state.domains }),
    };
    return replace({ state, control, keepsSnapshots: true });
  };
  const restart = async (next: InitialState, { keepsSnapshots }: { keepsSnapshots: boolean }) => {
    const control = initialControl(next.options);
    const state: SandboxState = {
      initialState: next,
      collections: next.seeds,
      limits: new Map(),
      clock: control.clock,
    };
    await replace({ state, control, keepsSnapshots });
    faults.clear();
    latency.reset();
    draw = undefined;
    // A shared one was emptied with the rest, up to what was recorded before.
    if (!opened.journal) await journal?.clear();
  };
  const sandbox: Omit<Sandbox, 'settings'> & { settings: SandboxSettings } = {
    name,
    settings: initial.settings,
    store,
    limiter: opened.limiter,
    clock,
    faults: opened.faults,
    latency: opened.latency,
    domains,
    random: () => (draw ??= createRandom(`${seed()}: values`))(),
    snapshots: opened.snapshots,
    refresh: opened.refresh,
    change: opened.change,
    // Not a getter, which would make the whole sandbox slow to read.
    journal() {
      if (!journal) {
        const local = openJournal();
        journal = opened.journal?.(local) ?? local;
        if (closed) journal.close();
      }
      return journal;
    },
    reset: () => inTurn(() => restart(initial, { keepsSnapshots: true })),
    remake: (next) =>
      inTurn(async () => {
        await restart(next, { keepsSnapshots: false });
        snapshots.clear();
      }),
    follow: (toInitialState) =>
      inTurn(async () => {
        begin(await toInitialState(initial.options));
        await opened.follow?.(initial);
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
        const ofDomains = domains.save();
        const state = {
          initialState: initial,
          limits: limiter.save(),
          clock: clock.save(),
          ...(ofDomains && { domains: ofDomains }),
        };
        return { ...state, collections: await saving };
      }),
    restore: (state) => inTurn(() => restore(state)),
    held: () => [
      store,
      initial.seeds,
      ...snapshots.list().flatMap(({ state }) => [state.collections, state.initialState.seeds]),
    ],
    async close(reason) {
      // One that cannot be deleted goes on.
      if (reason === 'deleted') await opened.close(reason);
      closed = true;
      journal?.close();
      if (reason !== 'deleted') await opened.close(reason);
    },
  };
  function useInitialState(next: InitialState): void {
    initial = next;
    sandbox.settings = next.settings;
  }
  function begin(next: InitialState): void {
    useInitialState(next);
    limiter.follow(rulesOf(next.settings));
  }
  return sandbox;
}

function rulesOf({ rateLimits: mode, policy }: SandboxSettings) {
  return { mode, policy };
}
