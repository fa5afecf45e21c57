/**
 * How long the shorter window of a key lasts, and whether it follows UTC or begins with the first
 * call after the one before it.
 */
export type MinuteWindow = { seconds: number; from: 'utc' | 'first-call' };

/** How many milliseconds lie between two windows whose indexes are next to each other. */
export function minuteStep({ seconds, from }: MinuteWindow = { seconds: 60, from: 'utc' }): number {
  return from === 'utc' ? seconds * 1000 : 1;
}

/**
 * The window that holds an instant: the index under which its calls are counted, and its end in
 * Unix milliseconds. One that begins with a call is counted under its beginning; `calls` are those
 * of the windows that are known, the most recently used one last.
 */
export function minuteAt(
  { seconds, from }: MinuteWindow,
  calls: ReadonlyMap<number, number>,
  now: number,
): { index: number; end: number } {
  const length = seconds * 1000;
  if (from === 'utc') {
    const index = Math.floor(now / length);
    return { index, end: (index + 1) * length };
  }
  const holds = (begin: number) => begin <= now && now < begin + length;
  const begin = [...calls.keys()].findLast(holds) ?? now;
  return { index: begin, end: begin + length };
}
