import { toErrorAnswer, toJsonAnswer } from '../answers/answer.ts';
import { parseDelay } from '../faults/delay.ts';
import type { LatencySettings } from '../faults/latency.ts';
import type { AdminHandlers } from './admin.ts';

/** Show and change the latency of a sandbox. */
export const settingsHandlers: AdminHandlers = {
  getSettings: ({ sandbox }) => toJsonAnswer(sandbox.latency.settings()),
  changeSettings: ({ sandbox: { latency }, body }) => {
    const change = body as Partial<LatencySettings>;
    const problem = change.delayDistribution && parseDelay(change.delayDistribution);
    if (typeof problem === 'string')
      return toErrorAnswer('invalid_body', `"delayDistribution": ${problem}`);
    latency.change(change);
    return toJsonAnswer(latency.settings());
  },
};
