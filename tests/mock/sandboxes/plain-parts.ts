import { createClock } from '../../../mock/clock.ts';
import { createDomains } from '../../../mock/domains/domains-state.ts';
import { createFaultRules, createLatency } from '../../../mock/faults/fault-rules.ts';
import { createLimiter } from '../../../mock/limits/limiter.ts';
import type { InitialState, MemoryParts } from '../../../mock/sandboxes/sandbox-state.ts';
import type { Admit } from '../../../mock/state/store.ts';
import { createTasks } from '../../../mock/tasks/tasks.ts';
import { plainSettings } from './plain-settings.ts';

/** A sandbox in memory, without what is around it. */
export function createPlainParts(
  name: string,
  { options = {}, seeds = {} }: Partial<InitialState> = {},
  { admit, now }: { admit?: Admit | undefined; now?: () => number } = {},
): MemoryParts {
  let initial: InitialState = { options, settings: plainSettings, seeds };
  let start: string | undefined;
  const clock = createClock(now);
  const seed = () => 7;
  const { policy, rateLimits: mode } = plainSettings;
  return {
    name,
    initialState: () => initial,
    begin: (next) => {
      initial = next;
    },
    start: () => start,
    followStart: (next) => {
      start = next;
    },
    admit,
    clock,
    limiter: createLimiter({ clock, policy, mode }),
    faults: createFaultRules({ seed }),
    latency: createLatency({ seed }),
    domains: createDomains(),
    tasks: createTasks({ holder: 'a', onChange() {} }),
  };
}
