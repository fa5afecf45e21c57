import type { ClockState } from '../clock.ts';
import type { DomainsState } from '../domains/domains-state.ts';
import type { LimiterState } from '../limits/limiter.ts';
import type { Collections } from '../state/store.ts';
import type { SandboxOptions, SandboxSettings } from './sandbox-options.ts';

/**
 * What a sandbox begins with: the options that it was given, its settings, and the items that they
 * make.
 */
export type InitialState = {
  options: SandboxOptions;
  settings: SandboxSettings;
  seeds: Collections;
};

/** What a snapshot stores: initial state, items, counters and bans, clock and domains of a sandbox. */
export type SandboxState = {
  initialState: InitialState;
  collections: Collections;
  limits: LimiterState;
  clock: ClockState;
  /** Left out where there are none. */
  domains?: DomainsState;
};
