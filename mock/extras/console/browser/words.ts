import type { DnsRecord } from '../../../domains/dns-records.ts';

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
  if (milliseconds < 60 * day) return countOf(part(day), 'day');
  if (milliseconds < 2 * year) return countOf(part(year / 12), 'month');
  return countOf(part(year), 'year');
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

/** A number that is written in decimal, or else the text as it is, for the twin to judge. */
export function toNumberOrText(text: string): number | string {
  const trimmed = text.trim();
  return /^-?\d+(?:\.\d+)?$/.test(trimmed) ? Number(trimmed) : text;
}

/**
 * A number that is written, as JSON to the digit; any other text as a string of JSON, for the twin to
 * judge.
 */
export function toNumberJson(text: string): string {
  const trimmed = text.trim();
  const isNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(trimmed);
  return isNumber ? trimmed : JSON.stringify(text);
}

/** A number of things, of which one is named: `1 item`, `1,000 items`. */
export function countOf(count: number, one: string): string {
  return `${count.toLocaleString('en')} ${one}${count === 1 ? '' : 's'}`;
}

/** How many items there are of each collection, in words. */
export function countItems(items: Readonly<Record<string, number>>): string {
  const counts = Object.entries(items).map(
    ([name, count]) => `${count.toLocaleString('en')} ${name}`,
  );
  return counts.length === 0 ? 'no items' : counts.join(', ');
}

/** An instant in ISO 8601, as people read it, in UTC. */
export function toTime(instant: string): string {
  return `${instant.slice(0, 10)} ${instant.slice(11, 19)} UTC`;
}

/**
 * How many characters a block has at most. What a browser takes to lay one out grows with the square
 * of the characters that its fonts lack.
 */
const maxBlock = 2000;

/** Cuts a text, at line breaks where there are any; a cut within a line does not show. */
export function toBlocks(text: string): string[] {
  const blocks: string[] = [];
  let start = 0;
  while (text.length - start > maxBlock) {
    const line = text.lastIndexOf('\n', start + maxBlock);
    const isPair = /[\ud800-\udbff]/.test(text[start + maxBlock - 1] ?? '');
    const end = line > start ? line : start + maxBlock - (isPair ? 1 : 0);
    blocks.push(text.slice(start, end));
    start = line > start ? end + 1 : end;
  }
  blocks.push(text.slice(start));
  return blocks;
}

/** Records as lines of text: name, TTL, type and value. */
export function toZoneText(records: readonly DnsRecord[]): string {
  return records.map(({ name, ttl, type, value }) => [name, ttl, type, value].join(' ')).join('\n');
}

/** Reads such lines; what is wrong with a value, the twin says. */
export function readZoneText(text: string): { records: unknown[]; problem?: string } {
  const lines = text.split('\n').map((line) => line.trim());
  const records: unknown[] = [];
  for (const [at, line] of lines.entries()) {
    if (line === '') continue;
    const [, name, ttl, type, value] = /^(\S+)\s+(\d+)\s+(\S+)\s+(.+)$/.exec(line) ?? [];
    if (name === undefined || type === undefined)
      return { records, problem: `Line ${at + 1} must be a name, a TTL, a type and a value.` };
    records.push({ name, type: type.toUpperCase(), ttl: Number(ttl), value });
  }
  return { records };
}
