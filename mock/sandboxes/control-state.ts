import type { ClockState, ControlledClock } from '../clock.ts';
import type { Domains, DomainsState } from '../domains/domains-state.ts';
import type { FaultRules, FaultsState } from '../faults/fault-rules.ts';
import type { Latency, LatencyState } from '../faults/latency.ts';
import type { SandboxOptions } from './sandbox-options.ts';

/** The version of the form in which control states are written; one that is read must have it. */
const controlVersion = 1;

/**
 * What control has changed of a sandbox, as JSON: its options, clock, delays, faults and domains.
 * Items and what keys have used are held apart, as they change with calls.
 */
export type ControlState = {
  version: typeof controlVersion;
  options: SandboxOptions;
  clock: ClockState;
  latency: LatencyState;
  faults: FaultsState;
  /** Left out where there are none. */
  domains?: DomainsState;
};

/** The parts of a sandbox that control changes. */
export type ControlledParts = {
  clock: ControlledClock;
  latency: Latency;
  faults: FaultRules;
  domains: Domains;
};

/** The control state of a sandbox. */
export function saveControl(
  { clock, latency, faults, domains }: ControlledParts,
  options: SandboxOptions,
): ControlState {
  const ofDomains = domains.save();
  return {
    version: controlVersion,
    options,
    clock: clock.save(),
    latency: latency.save(),
    faults: faults.save(),
    ...(ofDomains && { domains: ofDomains }),
  };
}

/** The control state of a sandbox that has just begun. */
export function initialControl(options: SandboxOptions): ControlState {
  return {
    version: controlVersion,
    options,
    clock: { offset: 0 },
    latency: { settings: { fixedDelay: null, delayDistribution: null } },
    faults: { named: 0, rules: [] },
  };
}

/** Brings the parts of a sandbox that begins with these options to a control state. */
export function loadControl(
  { clock, latency, faults, domains }: ControlledParts,
  state: ControlState,
): void {
  clock.load(state.clock);
  latency.load(state.latency);
  faults.load(state.faults);
  domains.load(state.domains);
}

/** Reads a control state that was written as JSON. Throws an Error for one of another version. */
export function parseControl(text: string): ControlState {
  const state = JSON.parse(text) as ControlState;
  if (state.version !== controlVersion)
    throw new Error(
      `The control state of a sandbox has version ${state.version}, and this twin reads version ${controlVersion}.`,
    );
  return state;
}
