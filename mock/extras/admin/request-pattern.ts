import { createContext, Script } from 'node:vm';
import { headerValues } from '../../../common/http/header-values.ts';
import { parseJson } from '../../../common/json.ts';
import type { Entry } from '../../journal/entry.ts';
import type { Filter } from '../../journal/journal.ts';
import { NestingError, parseExact } from '../../json/exact-json.ts';
import { refuse } from './refusal.ts';

/** Conditions on a text, all of which must hold. `equalToJson` is a value, or JSON text. */
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

/** The supported part of a WireMock request pattern, and fields of the journal. */
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

// Only what runs as a script can be stopped.
const script = new Script('act()');

/**
 * Gives the ids of the entries that match a pattern as they are shown, with keys filtered. Refuses
 * one that cannot be used, or that takes longer than a second.
 */
export function findMatching(pattern: RequestPattern, entries: readonly Entry[]): number[] {
  const act = () => entries.filter(compileEntry(pattern)).map(({ id }) => id);
  try {
    return script.runInContext(createContext({ act }), { timeout: maxMatchMilliseconds });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
  }
  const advice = 'Simplify its regular expressions, or ask for fewer requests with "since".';
  refuse(
    'invalid_body',
    `The pattern takes too long, more than ${maxMatchMilliseconds} ms. ${advice}`,
  );
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
    rules.push(({ request }) => holds(headerValues(request.headers, name)));
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
  const { equalTo, contains, doesNotContain, matches, doesNotMatch, absent } = pattern;
  const toForm = (text: string) => (pattern.caseInsensitive ? text.toLowerCase() : text);
  const toTest = (source: string | undefined, name: string) =>
    source === undefined ? undefined : toExpression(source, `${where}/${name}`);
  const wanted = toTest(matches, 'matches');
  const unwanted = toTest(doesNotMatch, 'doesNotMatch');
  const expected = toJson(pattern.equalToJson, `${where}/equalToJson`);
  const ignoresExtra = pattern.ignoreExtraElements === true;
  /** Each condition of `some` must hold for at least one value, each of `every` for all. */
  const some = [
    equalTo !== undefined && ((value: string) => toForm(value) === toForm(equalTo)),
    contains !== undefined && ((value: string) => value.includes(contains)),
    wanted && ((value: string) => wanted.test(value)),
    pattern.equalToJson !== undefined &&
      ((value: string) => isEqualJson(expected, value, ignoresExtra)),
  ].filter((holds) => typeof holds === 'function');
  const every = [
    doesNotContain !== undefined && ((value: string) => !value.includes(doesNotContain)),
    unwanted && ((value: string) => !unwanted.test(value)),
  ].filter((holds) => typeof holds === 'function');
  return (values) =>
    !(absent && values.length > 0) &&
    some.every((holds) => values.some(holds)) &&
    every.every((holds) => values.every(holds));
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
    return parseExact(given);
  } catch (error) {
    const bound = error instanceof NestingError ? `; ${error.message}` : '';
    refuse('invalid_body', `"${where}" must be JSON, as a value or as a string${bound}.`);
  }
}

function isEqualJson(expected: unknown, text: string, ignoreExtra: boolean): boolean {
  const actual = parseJson(text);
  return actual !== undefined && isEqual(expected, actual, ignoreExtra);
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
