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
  const rest = (amount: number, unit: string) => (amount === 0 ? '' : ` ${amount} ${unit}`);
  if (milliseconds < minute) return `${part(second)} s`;
  if (milliseconds < hour) return `${part(minute)} min${rest(part(second, minute), 's')}`;
  if (milliseconds < day) return `${part(hour)} h${rest(part(minute, hour), 'min')}`;
  return milliseconds < 2 * year ? countOf(part(day), 'day') : countOf(part(year), 'year');
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
export function toUtcText(instant: number | string): string {
  return `${new Date(instant).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** A number that is written in decimal, or else the text as it is, for the twin to judge. */
export function toNumberOrText(text: string): number | string {
  const trimmed = text.trim();
  return /^-?\d+(?:\.\d+)?$/.test(trimmed) ? Number(trimmed) : text;
}

/** A number for people: `1,000`. */
export function number(value: number): string {
  return value.toLocaleString('en');
}

/** A number of things, of which one is named: `1 item`, `1,000 items`. */
export function countOf(count: number, one: string): string {
  return `${number(count)} ${one}${count === 1 ? '' : 's'}`;
}

/** How many items there are of each collection, in words. */
export function countItems(items: Readonly<Record<string, number>>): string {
  const counts = Object.entries(items).map(([name, count]) => `${number(count)} ${name}`);
  return counts.length === 0 ? 'no items' : counts.join(', ');
}
