const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
/** The mean of the Gregorian calendar. */
const year = 365.2425 * day;

/** A length of time in its largest units, of milliseconds rounded down: `4 min 10 s`, `5 years`. */
export function toSpan(milliseconds: number): string {
  const part = (unit: number, within = Number.POSITIVE_INFINITY) =>
    Math.floor((milliseconds % within) / unit);
  if (milliseconds < minute) return `${part(second)} s`;
  const rest = (amount: number, unit: string) => (amount === 0 ? '' : ` ${amount} ${unit}`);
  if (milliseconds < hour) return `${part(minute)} min${rest(part(second, minute), 's')}`;
  if (milliseconds < day) return `${part(hour)} h${rest(part(minute, hour), 'min')}`;
  if (milliseconds < 60 * day) return count(part(day), 'day');
  if (milliseconds < 2 * year) return count(part(year / 12), 'month');
  return count(part(year), 'year');
}

/**
 * How far an instant is from another, both in Unix milliseconds: `in 34 s`, `2 days ago`, `now`. A
 * second that has begun counts towards what is to come.
 */
export function toCountdown(instant: number, now: number): string {
  if (instant > now) return `in ${toSpan(Math.ceil((instant - now) / second) * second)}`;
  return now - instant < second ? 'now' : `${toSpan(now - instant)} ago`;
}

/** An instant in UTC, in ISO 8601 as short as it is exact: `2030-12-05T00:00:00Z`. */
export function toIsoText(instant: number): string {
  return new Date(instant).toISOString().replace('.000Z', 'Z');
}

/** An instant in UTC, to the second, for people: `2030-12-05 00:00:00 UTC`. */
export function toUtcText(instant: number): string {
  return new Date(instant)
    .toISOString()
    .replace(/\.\d+Z$/, ' UTC')
    .replace('T', ' ');
}

function count(number: number, unit: string): string {
  return `${number.toLocaleString('en')} ${unit}${number === 1 ? '' : 's'}`;
}
