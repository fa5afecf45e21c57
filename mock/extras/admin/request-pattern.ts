import { setImmediate as nextTurn } from 'node:timers/promises';
import { createContext, Script } from 'node:vm';
import type { Entry, Message } from '../../journal/entry.ts';
import type { Filter } from '../../journal/filter.ts';
import { NestingError, parseExact } from '../../json/exact-json.ts';
import { refuse } from './refusal.ts';

/** What holds of a text: all that is given must. `equalToJson` is a value, or JSON text. */
export type TextPattern = {
  equalTo?: string;
  caseInsensitive?: boolean;
  contains?: string;
  doesNotContain?: string;
  matches?: string;
  doesNotMatch?: string;
  absent?: true;
  equalToJson?: unknown;
  ignoreExtraElements?: boolean;
};

/**
 * What WireMock calls a request pattern, as far as it is known here, and what the journal knows
 * besides.
 */
export type RequestPattern = Pick<Filter, 'operation' | 'status' | 'key' | 'step' | 'unmatched'> & {
  method?: string;
  url?: string;
  urlPattern?: string;
  urlPath?: string;
  urlPathPattern?: string;
  queryParameters?: Record<string, TextPattern>;
  headers?: Record<string, TextPattern>;
  bodyPatterns?: TextPattern[];
};

type Holds = (entry: Entry) => boolean;

const urlFields = ['url', 'urlPattern', 'urlPath', 'urlPathPattern'] as const;

/**
 * How long a pattern is compiled and matched at most, in milliseconds: some expressions take years
 * for a text of forty letters.
 */
const maxMatchMilliseconds = 1000;

/** How many entries are made and matched before others have their turn. */
const batchSize = 20;

// Only what runs as a script can be stopped.
const script = new Script('act()');

/**
 * Gives the ids of the entries that match a pattern as they are shown, with keys filtered. Refuses
 * one that cannot be used, or that takes longer than a second.
 */
export async function findMatching(
  pattern: RequestPattern,
  entries: Iterable<Entry>,
): Promise<number[]> {
  const within = createTimeBox();
  const holds = within(() => compileEntry(pattern));
  const ids: number[] = [];
  for (const batch of inBatches(entries)) {
    ids.push(...within(() => batch.filter(holds)).map(({ id }) => id));
    await nextTurn();
  }
  return ids;
}

/**
 * Makes what runs functions for a second in all; making entries does not count, as the pattern
 * cannot help it.
 */
function createTimeBox(): <T>(act: () => T) => T {
  const global: { act?: () => unknown } = {};
  const context = createContext(global);
  let left = maxMatchMilliseconds;
  return (act) => {
    const start = performance.now();
    global.act = act;
    try {
      if (left > 0) return script.runInContext(context, { timeout: Math.ceil(left) });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    } finally {
      left -= performance.now() - start;
    }
    const advice = 'Simplify its regular expressions, or ask for fewer requests with "since".';
    refuse(
      'invalid_body',
      `The pattern takes too long, more than ${maxMatchMilliseconds} ms. ${advice}`,
    );
  };
}

function* inBatches<T>(all: Iterable<T>): Generator<T[]> {
  let batch: T[] = [];
  for (const entry of all) {
    batch.push(entry);
    if (batch.length < batchSize) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

function compileEntry(pattern: RequestPattern): Holds {
  const { queryParameters = {}, headers = {}, bodyPatterns = [] } = pattern;
  const method = pattern.method?.toUpperCase();
  const rules: Holds[] = [];
  if (method !== undefined && method !== 'ANY') rules.push((entry) => entry.method === method);
  const [urlRule] = compileUrl(pattern);
  if (urlRule) rules.push(urlRule);
  for (const [name, matcher] of Object.entries(queryParameters)) {
    const holds = compileText(matcher, `queryParameters/${name}`);
    rules.push(({ url }) =>
      holds(new URLSearchParams(url?.split('?').slice(1).join('?')).getAll(name)),
    );
  }
  for (const [name, matcher] of Object.entries(headers)) {
    const holds = compileText(matcher, `headers/${name}`);
    rules.push(({ request }) => holds(valuesOf(request, name)));
  }
  for (const [at, matcher] of bodyPatterns.entries()) {
    const holds = compileText(matcher, `bodyPatterns/${at}`);
    rules.push(({ request: { body } }) => holds(body === null ? [] : [body]));
  }
  return (entry) => rules.every((holds) => holds(entry));
}

function compileUrl(pattern: RequestPattern): Holds[] {
  const given = urlFields.filter((field) => pattern[field] !== undefined);
  if (given.length > 1)
    refuse('invalid_body', `Give one of ${urlFields.join(', ')}, not ${given.join(' and ')}.`);
  return given.map((field) => {
    const text = pattern[field] as string;
    const expression = field.endsWith('Pattern') ? toExpression(text, field) : undefined;
    return ({ url }) => {
      const part = field.startsWith('urlPath') ? url?.split('?')[0] : url;
      return typeof part === 'string' && (expression ? expression.test(part) : part === text);
    };
  });
}

/** Compiles what holds of the values of a field, of which there may be none or several. */
function compileText(pattern: TextPattern, where: string): (values: readonly string[]) => boolean {
  const { equalTo, caseInsensitive, contains, doesNotContain, matches, doesNotMatch, absent } =
    pattern;
  const rules: ((values: readonly string[]) => boolean)[] = [];
  if (absent) rules.push((values) => values.length === 0);
  if (equalTo !== undefined) {
    const toForm = (text: string) => (caseInsensitive ? text.toLowerCase() : text);
    rules.push((values) => values.some((value) => toForm(value) === toForm(equalTo)));
  }
  if (contains !== undefined)
    rules.push((values) => values.some((value) => value.includes(contains)));
  if (doesNotContain !== undefined)
    rules.push((values) => values.every((value) => !value.includes(doesNotContain)));
  if (matches !== undefined) {
    const expression = toExpression(matches, `${where}/matches`);
    rules.push((values) => values.some((value) => expression.test(value)));
  }
  if (doesNotMatch !== undefined) {
    const expression = toExpression(doesNotMatch, `${where}/doesNotMatch`);
    rules.push((values) => values.every((value) => !expression.test(value)));
  }
  if (pattern.equalToJson !== undefined) {
    const expected = toJson(pattern.equalToJson, `${where}/equalToJson`);
    rules.push((values) =>
      values.some((value) => isEqualJson(expected, value, pattern.ignoreExtraElements === true)),
    );
  }
  return (values) => rules.every((holds) => holds(values));
}

/** A regular expression for the whole of a text, as WireMock takes it. */
function toExpression(source: string, where: string): RegExp {
  try {
    return new RegExp(`^(?:${source})$`, 'u');
  } catch (error) {
    const reason = (error as Error).message.split(': ').at(-1);
    refuse('invalid_body', `"${where}" is not a valid regular expression: ${reason}.`);
  }
}

function toJson(given: unknown, where: string): unknown {
  if (typeof given !== 'string') return given;
  try {
    return parseExact(given).value;
  } catch (error) {
    const bound = error instanceof NestingError ? `; ${error.message}` : '';
    refuse('invalid_body', `"${where}" must be JSON, as a value or as a string${bound}.`);
  }
}

function isEqualJson(expected: unknown, text: string, ignoreExtra: boolean): boolean {
  try {
    return isEqual(expected, parseExact(text).value, ignoreExtra);
  } catch {
    return false;
  }
}

function isEqual(expected: unknown, actual: unknown, ignoreExtra: boolean): boolean {
  if (typeof expected !== 'object' || expected === null) return expected === actual;
  if (
    typeof actual !== 'object' ||
    actual === null ||
    Array.isArray(expected) !== Array.isArray(actual)
  )
    return false;
  const names = Object.keys(expected);
  const isSame = (name: string) =>
    Object.hasOwn(actual, name) &&
    isEqual(
      (expected as Record<string, unknown>)[name],
      (actual as Record<string, unknown>)[name],
      ignoreExtra,
    );
  return (
    names.every(isSame) &&
    (names.length === Object.keys(actual).length || (ignoreExtra && !Array.isArray(actual)))
  );
}

function valuesOf({ headers }: Message, name: string): string[] {
  const found = Object.entries(headers).find(([one]) => one.toLowerCase() === name.toLowerCase());
  return found ? [found[1]].flat() : [];
}
