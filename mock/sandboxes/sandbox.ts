import { type ControlledClock, createClock } from '../clock.ts';
import { createFaultRules, type FaultRules } from '../faults/fault-rules.ts';
import { createLatency, type Latency } from '../faults/latency.ts';
import { createLimiter, type Limiter, type LimitMode } from '../limits/limiter.ts';
import type { LimitPolicy } from '../limits/plans.ts';
import type { Store } from '../state/store.ts';

/** What a sandbox begins with: the seed of its items, how many of each kind there are, and how calls are limited. */
export type SandboxSettings = { seed: number; pets: number; policy: LimitPolicy; rateLimits: LimitMode };

/** All that a request can change, apart from everybody else's: items, counters, bans and clock. */
export type Sandbox = {
  readonly name: string;
  readonly settings: SandboxSettings;
  readonly store: Store;
  readonly limiter: Limiter;
  readonly clock: ControlledClock;
  readonly faults: FaultRules;
  readonly latency: Latency;
  /** Brings everything back to the start. */
  reset(): Promise<void>;
};

/** Makes a sandbox over a store that holds its first items. */
export function createSandbox(name: string, { settings, store }: { settings: SandboxSettings; store: Store }): Sandbox {
  const clock = createClock();
  const limiter = createLimiter({ clock, mode: settings.rateLimits, policy: settings.policy });
  const faults = createFaultRules({ seed: () => settings.seed });
  const latency = createLatency({ seed: () => settings.seed });
  return {
    name,
    settings,
    store,
    limiter,
    clock,
    faults,
    latency,
    reset: async () => {
      await store.reset();
      limiter.reset();
      clock.reset();
      faults.clear();
      latency.reset();
    },
  };
}
