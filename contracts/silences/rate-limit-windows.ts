import type { Answered } from '../transcript/exchange.ts';
import { clockAhead, quotaOf } from '../transcript/limits/quota.ts';
import { allAnswers, type Reader } from './reading.ts';

/** An answer with a Reset, and how many seconds that lies ahead. */
type Shown = { one: Answered; reset: number; ahead: number };

/** Which window the headers show. When windows end, and how long they are, is said besides. */
export const readRateLimitWindows: Reader = (source) => {
  const withReset = allAnswers(source).flatMap((one): Shown[] => {
    const { reset } = quotaOf(one);
    const isKnown = reset !== undefined && one.case.credential === 'valid';
    return isKnown ? [{ one, reset, ahead: reset - (one.endedAt + clockAhead(one)) / 1000 }] : [];
  });
  if (withReset.length === 0) return undefined;
  const shown = withReset.map(({ one }) => one);
  const isDay = withReset.every(({ ahead }) => ahead > 3600);
  const isFewer = withReset.some(({ one }) => {
    const { limit = 0 } = quotaOf(one);
    return limit > 0 && limit <= 1000;
  });
  if (isDay && isFewer) return { answer: 'day', shown };
  const byKey = [...Map.groupBy(withReset, ({ one }) => one.request.keyName).values()];
  const areBoth = byKey.some((of) => new Set(of.map(({ one }) => quotaOf(one).limit)).size > 1);
  const ends = describeEnds(byKey);
  return {
    answer: 'least-remaining',
    shown,
    ...(ends !== undefined && { beyondTwin: ends }),
    ...(!areBoth && {
      unsure: ['only one window of each key was shown, so this may be the only one that ever is'],
    }),
  };
};

/**
 * When windows end and how long they are, where the twin's do otherwise: those follow UTC. Undefined
 * where these do too.
 */
function describeEnds(byKey: readonly (readonly Shown[])[]): string | undefined {
  const ofKeys = byKey.map((shown) =>
    [...new Set(shown.map(({ reset }) => reset))].toSorted((left, right) => left - right),
  );
  if (ofKeys.flat().every((reset) => reset % 60 === 0)) return undefined;
  const gaps = ofKeys.flatMap((resets) =>
    resets.slice(1).map((reset, index) => reset - (resets[index] as number)),
  );
  const [gap] = gaps;
  const twins = 'those of the twin last a minute or a day, and follow UTC';
  if (gap === undefined) {
    const longest = Math.max(...byKey.flat().map(({ ahead }) => ahead));
    // Reset and Date are whole seconds, so that a second is too many.
    return `a window lasts about ${Math.max(1, Math.round(longest - 1))} s or more, and does not end with a minute of UTC; ${twins}`;
  }
  return gaps.every((one) => one === gap && one > 1)
    ? `the windows last ${gap} s; ${twins}`
    : 'Reset moves while calls are made; the windows of the twin are fixed, and follow UTC';
}
