import type { IncomingMessage } from 'node:http';
import type { Operation } from '../../../openapi/index.ts';
import { documentedStatuses } from '../../documented/responses.ts';
import { maxDelay } from '../../faults/delay.ts';
import { decodeQuery, toQueryPairs } from '../../http/parameters/read-written.ts';
import { quote } from '../../json/quote.ts';

/** The preferences of a request; `delay` in milliseconds. */
export type Preferences = {
  code?: number;
  example?: string;
  dynamic?: boolean;
  seed?: string;
  delay?: number;
  /** The id of the item that the call creates, if new ids have its form. */
  id?: string;
  /** How strict the mock is for this request; other steps honour these. */
  auth?: 'check' | 'any';
  'unknown-ids'?: 'refuse' | 'example';
  stateless?: boolean;
  /** The names in a Prefer header that are not known. */
  ignored?: readonly string[];
};

/** The problem of a preference that cannot be applied, with the expected value. */
export type Problem = { problem: string };

type Name = Exclude<keyof Preferences, 'ignored'>;

const readers: {
  [name in Name]-?: (text: string, operation: Operation) => Preferences[name] | Problem;
} = {
  code: (text, operation) => {
    if (/^[2-5]\d\d$/.test(text)) return Number(text);
    const { problem } = toProblem('code', 'a status from 200 to 599', text);
    return { problem: `${problem} ${documentedStatuses(operation)}` };
  },
  example: (text) => (text === '' ? toProblem('example', 'the name of an example', text) : text),
  dynamic: (text) =>
    text === 'true' || text === 'false'
      ? text === 'true'
      : toProblem('dynamic', 'true or false', text),
  seed: (text) =>
    /^[\x20-\x7e]{1,100}$/.test(text)
      ? text
      : toProblem('seed', '1 to 100 visible ASCII characters', text),
  auth: (text) => toOneOf('auth', ['check', 'any'] as const, text),
  'unknown-ids': (text) => toOneOf('unknown-ids', ['refuse', 'example'] as const, text),
  stateless: (text) =>
    ['', 'true', 'false'].includes(text)
      ? text !== 'false'
      : toProblem('stateless', 'true or false', text),
  id: (text) =>
    /^[\x21-\x7e]{1,100}$/.test(text)
      ? text
      : toProblem('id', '1 to 100 visible ASCII characters without spaces', text),
  delay: (text) =>
    /^\d{1,5}$/.test(text) && Number(text) <= maxDelay
      ? Number(text)
      : toProblem('delay', `a whole number of milliseconds from 0 to ${maxDelay}`, text),
};

/** The names of the preferences that are known. */
export const preferenceNames = Object.keys(readers) as readonly Name[];

/**
 * Reads the preferences of a request from its Prefer header or, without one, from its query, as
 * `__code` and the like. Undefined if there are none.
 */
export function readPreferences(
  { headers, url = '' }: IncomingMessage,
  operation: Operation,
): Preferences | Problem | undefined {
  if (headers.prefer === undefined && !url.includes('__')) return undefined;
  const given =
    typeof headers.prefer === 'string' ? parsePrefer(headers.prefer) : readQueryPreferences(url);
  if ('problem' in given) return given;
  const preferences: Partial<Record<keyof Preferences, unknown>> = {};
  const ignored = [...given.keys()].filter((name) => !preferenceNames.includes(name as Name));
  if (ignored.length > 0) preferences.ignored = ignored;
  for (const name of preferenceNames) {
    const text = given.get(name);
    if (text === undefined) continue;
    const value = readers[name](text, operation);
    if (typeof value === 'object') return value;
    preferences[name] = value;
  }
  return Object.keys(preferences).length > 0 ? (preferences as Preferences) : undefined;
}

function readQueryPreferences(url: string): Map<string, string> | Problem {
  const preferences = new Map<string, string>();
  const pairs = toQueryPairs(url.split('?').slice(1).join('?')) ?? [];
  for (const name of preferenceNames) {
    const [first, ...more] = pairs.filter(([key]) => key === `__${name}`);
    if (more.length > 0) return { problem: `Query parameter "__${name}" must be given once.` };
    if (first) preferences.set(name, decodeQuery(first[1]));
  }
  return preferences;
}

function toOneOf<const Word extends string>(name: Name, words: readonly Word[], text: string) {
  return words.find((word) => word === text) ?? toProblem(name, words.join(' or '), text);
}

function toProblem(name: Name, expected: string, text: string): Problem {
  const got = text === '' ? 'has no value' : `is ${quote(text)}`;
  return { problem: `Preference "${name}" must be ${expected}, but ${got}.` };
}

/** A preference: a token, and its value if it has one (RFC 7240 §2). */
const preference = /^[ \t]*([\w!#$%&'*+.^`|~-]+)[ \t]*(?:=[ \t]*(.*))?$/s;

/**
 * The preferences of a Prefer header: names in lower case, the first of each name; an empty value
 * counts as none. Parameters and malformed preferences are dropped. A value that is not a token is
 * read as it is.
 */
export function parsePrefer(header: string): Map<string, string> {
  const preferences = new Map<string, string>();
  for (const element of splitOutsideQuotes(header, ',')) {
    const [first = ''] = splitOutsideQuotes(element, ';');
    const [, name, value = ''] = preference.exec(first) ?? [];
    if (name !== undefined && !preferences.has(name.toLowerCase()))
      preferences.set(name.toLowerCase(), unquote(value.trim()));
  }
  return preferences;
}

function splitOutsideQuotes(text: string, separator: ',' | ';'): string[] {
  const parts: string[] = [];
  let start = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') quoted = !quoted;
    else if (quoted && character === '\\') at += 1;
    else if (!quoted && character === separator) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, text.slice(start)];
}

function unquote(value: string): string {
  const inside = /^"((?:[^"\\]|\\.)*)"$/s.exec(value)?.[1];
  return inside === undefined ? value : inside.replace(/\\(.)/gs, '$1');
}

/**
 * A preference as written in a header; the value is quoted unless it is a token (RFC 9110 §5.6).
 */
export function toPreference(name: string, value: string): string {
  if (/^[\w!#$%&'*+.^`|~-]+$/.test(value)) return `${name}=${value}`;
  const printable = value.toWellFormed().replace(/[^\x20-\x7e]/gu, encodeURIComponent);
  return `${name}="${printable.replace(/["\\]/g, '\\$&')}"`;
}
