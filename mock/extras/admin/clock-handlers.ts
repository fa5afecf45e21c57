import { toJsonAnswer } from '../../answers/answer.ts';
import { type ClockState, type ControlledClock, isInstant, parseInstant } from '../../clock.ts';
import { parseDelay } from '../../faults/delay.ts';
import type { LatencySettings } from '../../faults/fault-rules.ts';
import type { MoveClock } from '../../sandboxes/move-clock.ts';
import type { AdminHandlers } from './admin.ts';
import { refuse } from './refusal.ts';

/**
 * The clock's view: the instant as ISO 8601 and in Unix milliseconds, and whether the clock is
 * frozen.
 */
export type ClockView = { currentInstant: string; currentEpochMillis: number; frozen: boolean };

type ClockChange = {
  action: 'freeze' | 'advance' | 'reset';
  instant?: string;
  durationMillis?: number;
};

/** Read and move the clock, with the actions of MockServer. */
export function createClockHandlers(move: MoveClock): AdminHandlers {
  return {
    getClock: ({ sandbox }) => toJsonAnswer(toClockView(sandbox.clock)),
    async setClock({ sandbox, body }) {
      await move(sandbox, (clock) => toClockState(clock, body as ClockChange));
      return toJsonAnswer(toClockView(sandbox.clock));
    },
  };
}

function toClockView(clock: ControlledClock): ClockView {
  const now = clock.now();
  return {
    currentInstant: new Date(now).toISOString(),
    currentEpochMillis: now,
    frozen: clock.frozen,
  };
}

function toClockState(
  clock: ControlledClock,
  { action, instant, durationMillis }: ClockChange,
): ClockState {
  if (instant !== undefined && action !== 'freeze')
    refuse('invalid_body', '"instant" is only for the action freeze.');
  if ((durationMillis !== undefined) !== (action === 'advance'))
    refuse('invalid_body', 'The action advance, and no other, needs "durationMillis".');
  if (action === 'reset') return { offset: 0 };
  if (action === 'freeze') {
    const at = instant === undefined ? clock.now() : parseInstant(instant);
    if (!isInstant(at))
      refuse('invalid_body', '"instant" must be a date and time in ISO 8601, from 1970 on.');
    return { frozenAt: at };
  }
  const duration = Number(durationMillis);
  if (!isInstant(clock.now() + duration)) refuse('invalid_body', 'The clock cannot move that far.');
  const { frozenAt, offset } = clock.save();
  return frozenAt === undefined ? { offset: offset + duration } : { frozenAt: frozenAt + duration };
}

/** Show and change the latency of a sandbox. */
export const settingsHandlers: AdminHandlers = {
  getSettings: ({ sandbox }) => toJsonAnswer(sandbox.latency.settings),
  changeSettings: ({ sandbox: { latency }, body }) => {
    const change = body as Partial<LatencySettings>;
    const problem = change.delayDistribution && parseDelay(change.delayDistribution);
    if (typeof problem === 'string') refuse('invalid_body', `"delayDistribution": ${problem}`);
    latency.change(change);
    return toJsonAnswer(latency.settings);
  },
};
