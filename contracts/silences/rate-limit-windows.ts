import { clockAhead, quotaOf } from '../limits/quota.ts';
import { readLength, type Shown } from '../limits/window-length.ts';
import { allAnswers, type Reader } from './reading.ts';

/** Windows of which the end lies further ahead than this many seconds are those of a day. */
const longest = 3600;

/** The longest window, and by how much clocks may differ, in seconds. */
const [day, tolerance] = [86_400, 5];

/**
 * Which window the headers show, where they show both; how long the shorter one lasts, and when it
 * begins.
 */
export const readRateLimitWindows: Reader = (source) => {
  const withReset = allAnswers(source).flatMap((one): Shown[] => {
    const { reset } = quotaOf(one);
    if (reset === undefined || one.case.credential !== 'valid') return [];
    const ahead = reset - (one.endedAt + clockAhead(one)) / 1000;
    // Any other is no end of a window, whatever it is.
    return ahead >= -tolerance && ahead <= day + tolerance ? [{ one, reset, ahead }] : [];
  });
  if (withReset.length === 0) return undefined;
  const shown = withReset.map(({ one }) => one);
  if (areOfDay(withReset)) return { answer: 'day', shown };
  const byKey = [...Map.groupBy(withReset, ({ one }) => one.request.keyName).values()];
  const areBoth = byKey.some((of) => new Set(of.map(({ one }) => quotaOf(one).limit)).size > 1);
  const { seconds, from } = readLength(byKey.map(ofShorterWindow));
  const answer = {
    ...(areBoth && { shows: 'least-remaining' }),
    ...(seconds !== undefined && { seconds }),
    ...(from && { from }),
  };
  return Object.keys(answer).length === 0 ? undefined : { answer, shown };
};

/** Whether all windows are those of the day, of a limit that is no larger than that of a day. */
function areOfDay(withReset: readonly Shown[]): boolean {
  const endWithDay =
    withReset.every(({ reset }) => reset % day === 0) && withReset.some(({ ahead }) => ahead > 61);
  const isFewer = withReset.some(({ one }) => {
    const { limit = 0 } = quotaOf(one);
    return limit > 0 && limit <= 1000;
  });
  return isFewer && (endWithDay || withReset.every(({ ahead }) => ahead > longest));
}

/** The answers of a key that show the shorter of its windows. */
function ofShorterWindow(shown: readonly Shown[]): Shown[] {
  const limits = shown.map(({ one }) => quotaOf(one).limit ?? Number.POSITIVE_INFINITY);
  const least = Math.min(...limits);
  return shown.filter(({ ahead }, index) => ahead <= longest && limits[index] === least);
}

/** What an answer says of each thing about windows; a word stands for those of the twin. */
export function toWindowParts(answer: unknown): unknown {
  if (answer === 'day') return { shows: answer };
  return typeof answer === 'string' ? { shows: answer, seconds: 60, from: 'utc' } : answer;
}
