import { randomUUID } from 'node:crypto';
import type { ClockState, ControlledClock } from '../clock.ts';
import type { Domains, DomainsState } from '../domains/domains-state.ts';
import type {
  FaultsState,
  Latency,
  LatencyState,
  MemoryFaultRules,
} from '../faults/fault-rules.ts';
import type { LimiterState, MemoryLimiter } from '../limits/limiter.ts';
import { byPeriod } from '../limits/windows.ts';
import type { Admit, Collections } from '../state/store.ts';
import type { MemoryCount } from '../state/tables.ts';
import { bytesOfTasks, type Tasks, type TasksState } from '../tasks/tasks.ts';
import type { SandboxOptions, SandboxSettings } from './sandbox-options.ts';

/** The initial state of a sandbox: its options, its settings, and the items created from them. */
export type InitialState = {
  options: SandboxOptions;
  settings: SandboxSettings;
  seeds: Collections;
};

/** Creates the initial state of a sandbox with these options. */
export type ToInitialState = (options: SandboxOptions) => Promise<InitialState>;

/** All that a sandbox is besides items: what control has set of it, and what its keys have used. */
export type SandboxState = {
  /** Tells when it began or was restored from other times; states of older versions have none. */
  start?: string | undefined;
  options: SandboxOptions;
  clock: ClockState;
  limits: LimiterState;
  latency: LatencyState;
  faults: FaultsState;
  /** Left out where there are none. */
  domains?: DomainsState;
  /** Left out where none was ever added. */
  tasks?: TasksState;
};

/**
 * The content of a snapshot: the items, and the state without start, delays, faults and the tasks
 * of one process.
 */
export type SavedState = Omit<SandboxState, 'start' | 'latency' | 'faults'> & {
  collections: Collections;
};

/** The parts of a saved state that take memory: its items and its tasks. */
export function heldBy({ collections, tasks }: SavedState): [Collections, MemoryCount] {
  return [collections, { bytes: bytesOfTasks(tasks?.list ?? []) }];
}

/** A sandbox as it is in the memory of this process. */
export type MemoryParts = {
  readonly name: string;
  /** Returns the current initial state. */
  initialState(): InitialState;
  /** Goes on as one that begins with this; what it holds stays. */
  begin(initialState: InitialState): void;
  start(): string | undefined;
  /** Forgets what this process noted since another start. */
  followStart(start: string | undefined): void;
  readonly admit: Admit | undefined;
  readonly clock: ControlledClock;
  readonly limiter: MemoryLimiter;
  readonly faults: MemoryFaultRules;
  readonly latency: Latency;
  readonly domains: Domains;
  readonly tasks: Tasks;
};

/** The state of a sandbox that has just begun. */
export function initialStateOf(options: SandboxOptions): SandboxState {
  return {
    start: randomUUID(),
    options,
    clock: { offset: 0 },
    limits: new Map(),
    latency: { settings: { fixedDelay: null, delayDistribution: null } },
    faults: { named: 0, rules: [] },
  };
}

/** The state of a sandbox as it is now. */
export function saveState(parts: MemoryParts): SandboxState {
  const domains = parts.domains.save();
  const tasks = parts.tasks.save();
  return {
    start: parts.start(),
    options: parts.initialState().options,
    clock: parts.clock.save(),
    limits: parts.limiter.save(),
    latency: parts.latency.save(),
    faults: parts.faults.save(),
    ...(domains && { domains }),
    ...(tasks && { tasks }),
  };
}

/** Brings a sandbox that begins with the options of a state to that state. */
export function loadState(parts: MemoryParts, state: SandboxState): void {
  parts.followStart(state.start);
  const { rateLimits: mode, policy } = parts.initialState().settings;
  parts.limiter.load({ mode, policy }, state.limits);
  parts.clock.load(state.clock);
  parts.latency.load(state.latency);
  parts.faults.load(state.faults);
  parts.domains.load(state.domains);
  // After the clock, which says what is due.
  parts.tasks.load(state.tasks);
}

/** A state as JSON, in which maps are lists of their entries. */
export function toStateText({ limits, ...rest }: SandboxState | SavedState): string {
  const fields = [...limits].map(([key, usage]) => [
    key,
    { ...usage, ...byPeriod(({ per }) => [...usage[per]]) },
  ]);
  return JSON.stringify({ ...rest, limits: fields });
}

/** Reads such a text. */
export function parseState<State extends SandboxState | SavedState = SandboxState>(
  text: string,
): State {
  const state = JSON.parse(text);
  for (const [, usage] of state.limits)
    Object.assign(
      usage,
      byPeriod(({ per }) => new Map(usage[per])),
    );
  return { ...state, limits: new Map(state.limits) };
}
