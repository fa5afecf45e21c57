import { toErrorAnswer, toJsonAnswer } from '../answers/answer.ts';
import { type ControlledClock, isInstant, parseInstant } from '../clock.ts';
import { parseDelay } from '../faults/delay.ts';
import type { LatencySettings } from '../faults/latency.ts';
import { quote } from '../json/quote.ts';
import type { AdminHandlers } from './admin.ts';

/**
 * What the clock shows: the instant as ISO 8601 and in Unix milliseconds, and whether it stands
 * still.
 */
export type ClockView = { currentInstant: string; currentEpochMillis: number; frozen: boolean };

const usage =
  'Send {"action":"freeze","instant":"2030-12-05T00:00:00Z"}, {"action":"advance","durationMillis":60000} or {"action":"reset"}.';

/** Read and move the clock, with the actions of MockServer. */
export const clockHandlers: AdminHandlers = {
  getClock: ({ sandbox }) => toJsonAnswer(toClockView(sandbox.clock)),
  setClock({ sandbox: { clock }, body }) {
    const problem = apply(clock, (body ?? {}) as Record<string, unknown>);
    return problem
      ? toErrorAnswer('invalid_body', `${problem} ${usage}`)
      : toJsonAnswer(toClockView(clock));
  },
};

function toClockView(clock: ControlledClock): ClockView {
  const now = clock.now();
  return {
    currentInstant: new Date(now).toISOString(),
    currentEpochMillis: now,
    frozen: clock.frozen,
  };
}

function apply(clock: ControlledClock, change: Record<string, unknown>): string | undefined {
  const { action, instant, durationMillis, ...others } = change;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) return `${quote(unknown)} is unknown.`;
  if (action !== 'freeze' && action !== 'advance' && action !== 'reset')
    return '"action" must be freeze, advance or reset.';
  if (instant !== undefined && action !== 'freeze')
    return '"instant" is only for the action freeze.';
  if (durationMillis !== undefined && action !== 'advance')
    return '"durationMillis" is only for the action advance.';
  if (action === 'reset') return void clock.reset();
  if (action === 'freeze') {
    const at =
      instant === undefined
        ? clock.now()
        : typeof instant === 'string'
          ? parseInstant(instant)
          : Number.NaN;
    return isInstant(at)
      ? void clock.freeze(at)
      : '"instant" must be a date and time in ISO 8601, from 1970 on.';
  }
  if (!Number.isSafeInteger(durationMillis) || (durationMillis as number) < 0)
    return `"durationMillis" must be a whole number from 0 to ${Number.MAX_SAFE_INTEGER}.`;
  return isInstant(clock.now() + (durationMillis as number))
    ? void clock.advance(durationMillis as number)
    : 'The clock cannot move that far.';
}

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
