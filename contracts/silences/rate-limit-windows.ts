import { clockAhead, quotaOf } from '../limits/quota.ts';
import { type Length, readLength, type Shown } from '../limits/window-length.ts';
import type { Answered } from '../transcript/exchange.ts';
import { allAnswers, countParts, type Reader, type Reading } from './reading.ts';

/** Windows of which the end lies further ahead than this many seconds are those of a day. */
const longest = 3600;

/** The longest window, and by how much clocks may differ, in seconds. */
const [day, tolerance] = [86_400, 5];

/** Which window the headers show, how long the shorter one lasts, and when it begins. */
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
  const isDay = withReset.every(({ ahead }) => ahead > longest) || endsWithDay(withReset);
  const isFewer = withReset.some(({ one }) => {
    const { limit = 0 } = quotaOf(one);
    return limit > 0 && limit <= 1000;
  });
  if (isDay && isFewer) return readDay(withReset);
  const byKey = [...Map.groupBy(withReset, ({ one }) => one.request.keyName).values()];
  const areBoth = byKey.some((of) => new Set(of.map(({ one }) => quotaOf(one).limit)).size > 1);
  const ofMinute = byKey.map(ofShorterWindow);
  const length: Length = isDay ? {} : readLength(ofMinute);
  const { seconds, from, beyondTwin, unsure = [] } = length;
  const assumed = [...(areBoth ? [] : ['shows']), ...(length.assumed ?? [])];
  const shows = 'least-remaining';
  const isOfTwin = seconds === 60 && from === 'utc';
  const doubts = [
    ...(areBoth
      ? []
      : ['only one window of each key was shown, so this may be the only one that ever is']),
    ...unsure,
  ];
  return {
    answer: isOfTwin
      ? shows
      : { shows, ...(seconds !== undefined && { seconds }), ...(from && { from }) },
    shown,
    parts: countParts({
      shows: areBoth ? shown : [],
      minute: shown,
      seconds: seconds === undefined ? [] : ofMinute.flat().map(({ one }) => one),
      from: from === undefined ? [] : ofMinute.flat().map(({ one }) => one),
    }),
    ...(assumed.length > 0 && { assumed }),
    ...(beyondTwin !== undefined && { beyondTwin }),
    ...(doubts.length > 0 && { unsure: doubts }),
  };
};

/** Whether all windows end with the day of UTC, and some of them are no minute. */
function endsWithDay(withReset: readonly Shown[]): boolean {
  return (
    withReset.every(({ reset }) => reset % 86_400 === 0) &&
    withReset.some(({ ahead }) => ahead > 61)
  );
}

/** The answers of a key that show the shorter of its windows. */
function ofShorterWindow(shown: readonly Shown[]): Shown[] {
  const limits = shown.map(({ one }) => quotaOf(one).limit ?? Number.POSITIVE_INFINITY);
  const least = Math.min(...limits);
  return shown.filter(({ ahead }, index) => ahead <= longest && limits[index] === least);
}

function readDay(withReset: readonly Shown[]): Reading {
  const shown: Answered[] = withReset.map(({ one }) => one);
  const isOfUtc = withReset.every(({ reset }) => reset % 86_400 === 0);
  return {
    answer: 'day',
    shown,
    parts: countParts({ shows: shown, day: shown }),
    ...(!isOfUtc && {
      beyondTwin: 'the day does not end with that of UTC; the day of the twin does',
    }),
  };
}

/**
 * What an answer says of each thing about windows. Where only one window was shown, a reading says
 * no more than whether that was the day.
 */
export function toWindowParts(answer: unknown, reading?: Pick<Reading, 'parts'>): unknown {
  const {
    shows = 'least-remaining',
    seconds = 60,
    from = 'utc',
  } = typeof answer === 'object' ? (answer as Fields) : { shows: answer };
  const all = { shows, dayAlone: shows === 'day' ? 'yes' : 'no', seconds, from };
  if (!reading?.parts) return shows === 'day' ? { shows, dayAlone: all.dayAlone } : all;
  const { parts } = reading;
  return Object.fromEntries(
    Object.entries(all).filter(([name]) => name === 'dayAlone' || Object.hasOwn(parts, name)),
  );
}

type Fields = Readonly<Record<string, unknown>>;
