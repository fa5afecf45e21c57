import type { Answered } from '../transcript/exchange.ts';
import { quotaOf } from './quota.ts';

/** An answer with a Reset in Unix seconds, and how many seconds that lies ahead. */
export type Shown = { one: Answered; reset: number; ahead: number };

/** How long windows last and when they begin, as far as the answers show it. */
export type Length = {
  seconds?: number;
  from?: 'utc' | 'first-call';
  /** What of it the twin has no setting for. */
  beyondTwin?: string;
  unsure?: string[];
  /** Which of the two is taken to be as usual, as no answer shows it. */
  assumed?: ('seconds' | 'from')[];
};

/** A window of a key: its end, and the first answer that showed it; times in Unix seconds. */
type Window = { reset: number; seenAt: number; ahead: number; isFresh: boolean };

/** Resets of one window may differ by a second, as they are rounded. */
const rounding = 1;

/** How long after the end of a window a call still comes at once, in seconds. */
const soon = 1.5;

/** How many calls may be under way when the first answer of a window arrives. */
const underWay = 6;

/** Reset is in whole seconds, so that of shorter windows says nothing of when they begin. */
const shortestWithBegin = 10;

/** The lengths that windows commonly have, in seconds. */
const common = [10, 15, 20, 30, 60, 120, 300, 600, 900, 1800, 3600];

/** Reads how long the windows last and when they begin, from the answers to each key. */
export function readLength(byKey: readonly (readonly Shown[])[]): Length {
  const ofKeys = byKey.map(toWindows).filter((windows) => windows.length > 0);
  const windows = ofKeys.flat();
  if (windows.length === 0) return {};
  if (ofKeys.some(doesMove))
    return {
      beyondTwin:
        'Reset moves while calls are made; the windows of the twin are fixed, and end when Reset says',
    };
  const farthest = Math.max(...byKey.flat().map(({ ahead }) => ahead));
  const known = lengthOf(ofKeys);
  if (known === undefined && farthest < shortestWithBegin) return {};
  const seconds = known ?? (farthest <= 60 + rounding ? 60 : toCommon(farthest));
  const unsure =
    known === undefined
      ? [
          `no window was seen from its beginning to its end; it lasts ${Math.floor(farthest)} s or more, and ${seconds} s are taken`,
        ]
      : [];
  if (seconds < shortestWithBegin)
    return { seconds, unsure: ['Reset is rounded, so the length may be a second off'] };
  const begin = readBegin(windows, seconds, unsure);
  const assumed = [
    ...(known === undefined ? (['seconds'] as const) : []),
    ...(begin.from !== undefined && !showsBegin(windows) ? (['from'] as const) : []),
  ];
  return { seconds, ...begin, ...(assumed.length > 0 && { assumed }) };
}

/** Whether windows show when they begin: several do, or one that was seen from its first call on. */
function showsBegin(windows: readonly Window[]): boolean {
  const ends = new Set(windows.map(({ reset }) => reset));
  const [end = 0] = ends;
  const isWithMinute = end % 60 === 0;
  return ends.size > 1 || (!isWithMinute && windows.some(({ isFresh }) => isFresh));
}

/** When windows of a length begin. */
function readBegin(windows: readonly Window[], seconds: number, doubts: string[]): Length {
  const phases = new Set(windows.map(({ reset }) => reset % seconds));
  const fresh = windows.filter(({ isFresh }) => isFresh);
  const areWhole = fresh.every(({ ahead }) => ahead >= seconds - 2);
  const unsure = (more: string[]) => (more.length > 0 ? { unsure: more } : {});
  if (phases.size === 1 && phases.has(0)) {
    const isOne = new Set(windows.map(({ reset }) => reset)).size === 1;
    if (!isOne || fresh.length === 0 || !areWhole) return { from: 'utc', ...unsure(doubts) };
    return unsure([...doubts, 'the only window began with the first call, and with UTC']);
  }
  if (phases.size === 1 && fresh.length > 0 && !areWhole)
    return {
      beyondTwin: `the windows of all keys end at one instant, ${[...phases]} s after those of UTC; those of the twin follow UTC or begin with the first call`,
      ...unsure(doubts),
    };
  return { from: 'first-call', ...unsure(doubts) };
}

/** The windows of a key, one after another. */
function toWindows(shown: readonly Shown[]): Window[] {
  const windows: Window[] = [];
  for (const { one, reset, ahead } of shown.toSorted((left, right) => left.reset - right.reset)) {
    const seenAt = reset - ahead;
    const last = windows.at(-1);
    const { limit = 0, remaining = 0 } = quotaOf(one);
    if (last && reset - last.reset <= rounding) {
      if (seenAt < last.seenAt) Object.assign(last, { seenAt, ahead });
      last.isFresh ||= remaining >= limit - underWay;
    } else windows.push({ reset, seenAt, ahead, isFresh: remaining >= limit - underWay });
  }
  return windows;
}

/** Whether an end moved before it was reached. */
function doesMove(windows: readonly Window[]): boolean {
  return windows.some(({ seenAt }, index) => {
    const before = windows[index - 1];
    return before !== undefined && seenAt < before.reset - soon;
  });
}

/** The length that windows show which follow each other, or begin with a call; undefined for none. */
function lengthOf(ofKeys: readonly (readonly Window[])[]): number | undefined {
  const gaps = ofKeys.flatMap((windows) =>
    windows.slice(1).flatMap(({ reset, seenAt }, index) => {
      const before = windows[index] as Window;
      return seenAt - before.reset < soon ? [reset - before.reset] : [];
    }),
  );
  const gap = Math.min(...gaps);
  // One gap may be a second too long, which is much for a short window.
  const isSure = gaps.length > 1 || (gaps.length === 1 && gap >= shortestWithBegin);
  if (isSure) return rounded(gap);
  if (gaps.length === 1) return undefined;
  const fresh = ofKeys.flat().filter(({ isFresh }) => isFresh);
  // Windows that end with a minute, or at one instant, may have begun long before their first calls.
  const ends = new Set(fresh.map(({ reset }) => reset));
  if (ends.size < 2 || [...ends].every((end) => end % 60 === 0)) return undefined;
  const aheads = fresh.map(({ ahead }) => ahead);
  const [least, most] = [Math.min(...aheads), Math.max(...aheads)];
  return most - least <= rounding + 0.5 ? rounded(Math.floor(most)) : undefined;
}

/** A length is a second too long or too short where Reset is rounded. */
function rounded(seconds: number): number {
  return common.find((length) => Math.abs(length - seconds) <= rounding) ?? Math.max(1, seconds);
}

/** The shortest common length that is no shorter. */
function toCommon(seconds: number): number {
  return common.find((length) => length >= seconds - rounding) ?? Math.floor(seconds);
}
