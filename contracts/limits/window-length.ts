import type { Answered } from '../transcript/exchange.ts';
import { quotaOf } from './quota.ts';

/** An answer with a Reset in Unix seconds, and how many seconds that lies ahead. */
export type Shown = { one: Answered; reset: number; ahead: number };

/** How long windows last and when they begin, as far as the answers show it. */
export type Length = { seconds?: number; from?: 'utc' | 'first-call' };

/** A window of a key: its end, and the first answer that showed it; times in Unix seconds. */
type Window = { reset: number; seenAt: number };

/** Resets of one window may differ by a second, as they are rounded. */
const rounding = 1;

/** How long before or after the end of a window a call still comes at once, in seconds. */
const soon = 1.5;

/** How many calls may be under way when the first answer of a window arrives. */
const underWay = 6;

/** Reset is in whole seconds, so that of shorter windows says nothing of when they begin. */
const shortestWithBegin = 10;

/** The lengths that windows commonly have, in seconds. */
const common = [10, 15, 20, 30, 60, 120, 300, 600, 900, 1800, 3600];

/** Reads how long the windows last and when they begin, from the answers to each key. */
export function readLength(byKey: readonly (readonly Shown[])[]): Length {
  const ofKeys = byKey.map(toWindows);
  if (ofKeys.some(doesMove)) return {};
  const windows = ofKeys.flat();
  const seconds = lengthOf(ofKeys);
  if (seconds !== undefined && seconds < shortestWithBegin) return { seconds };
  const ends = new Set(windows.map(({ reset }) => reset));
  const isAligned = [...ends].every((end) => end % (seconds ?? 60) === 0);
  const isFresh = byKey.flat().some(({ one }) => {
    const { limit = 0, remaining = 0 } = quotaOf(one);
    return remaining >= limit - underWay;
  });
  // One window that ends with the minute may have begun with its first call, by chance.
  const isSeen = isAligned ? ends.size > 1 : isFresh;
  return {
    ...(seconds !== undefined && { seconds }),
    ...(isSeen && { from: isAligned ? 'utc' : 'first-call' }),
  };
}

/** The windows of a key, one after another. */
function toWindows(shown: readonly Shown[]): Window[] {
  const windows: Window[] = [];
  for (const { reset, ahead } of shown.toSorted((left, right) => left.reset - right.reset)) {
    const seenAt = reset - ahead;
    const last = windows.at(-1);
    if (!last || reset - last.reset > rounding) windows.push({ reset, seenAt });
    else last.seenAt = Math.min(last.seenAt, seenAt);
  }
  return windows;
}

/** Whether an end moved before it was reached, as that of a bucket does. */
function doesMove(windows: readonly Window[]): boolean {
  return windows
    .slice(1)
    .some(({ seenAt }, index) => seenAt < (windows[index] as Window).reset - soon);
}

/** The length that windows show which follow each other; undefined for none. */
function lengthOf(ofKeys: readonly (readonly Window[])[]): number | undefined {
  const gaps = ofKeys.flatMap((windows) =>
    windows.slice(1).flatMap(({ reset, seenAt }, index) => {
      const before = windows[index] as Window;
      return seenAt - before.reset < soon ? [reset - before.reset] : [];
    }),
  );
  const gap = Math.min(...gaps);
  // One gap may be a second too long, which is much for a short window.
  if (gaps.length === 0 || (gaps.length === 1 && gap < shortestWithBegin)) return undefined;
  return common.find((length) => Math.abs(length - gap) <= rounding) ?? Math.max(1, gap);
}
