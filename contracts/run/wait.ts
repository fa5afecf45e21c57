import { scheduler } from 'node:timers/promises';

/**
 * Resolves after this many milliseconds, or when `signal` aborts; immediately if they are negative.
 */
export async function wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
  // Tests replace the scheduler's wait, which nothing else uses.
  await scheduler.wait(Math.max(0, milliseconds), signal && { signal }).catch(() => {});
}

/** Unix milliseconds with microseconds, so that calls can be put in order. */
export function now(): number {
  return performance.timeOrigin + performance.now();
}
