import { clockAhead, quotaOf } from '../limits/quota.ts';
import type { Answered } from '../transcript/exchange.ts';
import { allAnswers, type Reader } from './reading.ts';

/** An answer with a Reset in Unix seconds, and how many seconds that lies ahead. */
type Shown = { one: Answered; reset: number; ahead: number };

/** The longest windows, and by how much clocks may differ, in seconds. */
const [hour, day, tolerance] = [3600, 86_400, 5];

/** Which window the headers show; nothing where they may show both and one was seen alone. */
export const readRateLimitWindows: Reader = (source) => {
  const withReset = allAnswers(source).flatMap((one): Shown[] => {
    const { reset } = quotaOf(one);
    if (reset === undefined || one.case.credential !== 'valid') return [];
    const ahead = reset - (one.endedAt + clockAhead(one)) / 1000;
    // Any other is no end of a window, whatever it is.
    return ahead >= -tolerance && ahead <= day + tolerance ? [{ one, reset, ahead }] : [];
  });
  const shown = withReset.map(({ one }) => one);
  if (areOfDay(withReset)) return { answer: 'day', shown };
  const byKey = [...Map.groupBy(shown, ({ request }) => request.keyName).values()];
  const areBoth = byKey.some((of) => new Set(of.map((one) => quotaOf(one).limit)).size > 1);
  return areBoth ? { answer: 'least-remaining', shown } : undefined;
};

/** Whether all windows are those of the day, of a limit that is no larger than that of a day. */
function areOfDay(withReset: readonly Shown[]): boolean {
  const endWithDay =
    withReset.every(({ reset }) => reset % day === 0) && withReset.some(({ ahead }) => ahead > 61);
  const isFewer = withReset.some(({ one }) => {
    const { limit = 0 } = quotaOf(one);
    return limit > 0 && limit <= 1000;
  });
  return isFewer && (endWithDay || withReset.every(({ ahead }) => ahead > hour));
}
