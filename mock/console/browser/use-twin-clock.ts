import { useEffect, useRef, useState } from 'preact/hooks';
import type { ClockView } from '../../admin/clock-handlers.ts';
import { useAdmin } from './use-admin.ts';
import { useLast } from './use-last.ts';

/** What the clock of the sandbox shows, in Unix milliseconds, or why it could not be read. */
export type TwinClock = { now?: number; frozen: boolean; problem?: string };

/** Reads the clock of the sandbox, and goes on with it from second to second. */
export function useTwinClock(): TwinClock {
  const { value: current, problem } = useAdmin<ClockView>('clock', { every: 1000 });
  const value = useLast(current);
  const read = useRef<{ value: ClockView; at: number }>(undefined);
  if (value && read.current?.value !== value) read.current = { value, at: performance.now() };
  const now =
    value && read.current
      ? value.currentEpochMillis + (value.frozen ? 0 : performance.now() - read.current.at)
      : undefined;
  const [, draw] = useState(0);

  const isRunning = value?.frozen === false;
  const nextSecond = now === undefined ? undefined : Math.floor(now / 1000) + 1;
  useEffect(() => {
    if (!isRunning || now === undefined || nextSecond === undefined) return;
    const timer = setTimeout(() => draw(nextSecond), nextSecond * 1000 - now);
    return () => clearTimeout(timer);
  });
  return {
    frozen: value?.frozen === true,
    ...(now !== undefined && { now }),
    ...(problem !== undefined && { problem }),
  };
}
