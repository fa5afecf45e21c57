import type { WithQuota } from './quota.ts';
import { fallOf, type Step, stepsOf } from './steps.ts';
import type { Transcript } from './transcript.ts';

/** A step with a pause before it, and one without, in milliseconds. */
const longPause = 800;
const shortPause = 300;

/** Reset of a bucket is when it will be full, so it moves with each call, in seconds. */
const resetShift = 2;

/** The most that a bucket of a limit a minute takes in within a time: half as much again, and one that was under way. */
export function mostRefill(limit: number, milliseconds: number): number {
  return (limit / 60_000) * milliseconds * 1.5 + 1;
}

/**
 * The keys whose Remaining rises the more, the longer nobody calls: a bucket that refills all the time. The interface does not
 * say that a window is all at once; a counter that rises or stands still by itself does so without a pause too.
 */
export function refillingKeys(transcript: Pick<Transcript, 'exchanges'>): Set<string> {
  const byKey = Map.groupBy(stepsOf(transcript, { shift: resetShift }), ({ after }) => after.request.keyName ?? '');
  return new Set([...byKey].filter(([, steps]) => isRefilled(steps)).map(([name]) => name));
}

/** Whether a key ever gained by a pause what a bucket may gain; a fixed window gives nothing back before its end. */
export function gainsByPauses(transcript: Pick<Transcript, 'exchanges'>): boolean {
  return stepsOf(transcript, { shift: resetShift }).some(
    (step) =>
      pauseOf(step) >= shortPause && fallOf(step) < 1 && -fallOf(step) <= mostRefill(step.after.quota.limit, pauseOf(step)),
  );
}

function isRefilled(steps: readonly Step[]): boolean {
  const long = steps.filter((step) => pauseOf(step) >= longPause);
  const short = steps.filter((step) => pauseOf(step) < shortPause && long.some(({ after }) => isAlike(after, step.after)));
  if (long.length < 2 || short.length < 2) return false;
  const usual = short.reduce((sum, step) => sum + fallOf(step), 0) / short.length;
  return long.every((step) => {
    const { limit, remaining } = step.after.quota;
    const back = usual - fallOf(step);
    const expected = (limit / 60_000) * pauseOf(step);
    const isFull = remaining >= limit - 1;
    return back >= 1 && (isFull || back >= expected / 2 - 1) && back <= mostRefill(limit, pauseOf(step)) + 1;
  });
}

function isAlike(one: WithQuota, other: WithQuota): boolean {
  return one.case.operation === other.case.operation && one.quota.limit === other.quota.limit;
}

function pauseOf({ before, after }: Step): number {
  return after.sentAt - before.endedAt;
}
