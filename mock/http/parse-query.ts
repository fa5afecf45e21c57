import type { ApiDocument, Parameter, Schema } from '../../contracts/description/document.ts';
import { resolveSchema } from '../../contracts/description/document.ts';
import { toToken } from '../../contracts/description/json-pointer.ts';
import {
  type Answer,
  type AnswerForm,
  toErrorAnswer,
  toStatedErrorAnswer,
} from '../answers/answer.ts';
import type { ParameterValues } from '../behaviours/behaviour.ts';
import { parseInteger, toDouble } from '../json/exact-json.ts';
import { quote } from '../json/quote.ts';
import type { CompileSchema } from '../json/validator.ts';

/**
 * The query parameters that the operation describes, as text, or the 400 that answers the request
 * and which of them is wrong.
 */
export type ParsedQuery =
  | {
      values: Readonly<Record<string, string>>;
      /** All parameters, where one of them is more than a text of the query. */
      typed?: ParameterValues;
      refusal?: never;
      wrong?: never;
    }
  | { values?: never; typed?: never; refusal: Answer; wrong?: WrongParameter };

/** A parameter that is wrong; of the query where it does not say where it is. */
export type WrongParameter = {
  parameter: string;
  problem: string;
  in?: Exclude<Parameter['in'], 'query'>;
};

/** The 400 for a query that is not valid percent-encoded UTF-8. */
export const malformedQuery = toErrorAnswer(
  'malformed_request',
  'The query of the URL is not valid percent-encoded UTF-8.',
);

/** Reads the query of a URL. */
export type ParseQuery = (url: string) => ParsedQuery;

type Convert = (text: string) => unknown;

/**
 * What becomes of a wrong value where that is pinned: it is ignored, another takes its place, or it
 * is refused in a form of its own.
 */
export type ReadWrongValue = (
  parameter: string,
  text: string,
) => { value?: string; form?: AnswerForm } | undefined;

export type ParseQueryOptions = {
  /** Whether an undescribed parameter is refused, and the form of that. */
  refusesOthers?: boolean | AnswerForm;
  readWrongValue?: ReadWrongValue | undefined;
  /** The status for a wrong value, where that is not the one of its error. */
  unfitStatus?: number;
};

/** What is read of a parameter that is one text of the query. */
export type QueryParameter = Pick<Parameter, 'name' | 'in' | 'required' | 'schema'>;

/**
 * Compiles an operation's query parameters. Text is read literally: an integer is written in
 * decimal digits, a parameter is given once. Undescribed parameters are ignored, unless
 * `refusesOthers`.
 */
export function createParseQuery(
  document: ApiDocument,
  operation: { parameters: readonly QueryParameter[] },
  compile: CompileSchema,
  { refusesOthers = false, readWrongValue, unfitStatus }: ParseQueryOptions = {},
): ParseQuery {
  const readers = operation.parameters
    .filter((parameter) => parameter.in === 'query')
    .map((parameter) => createReader(document, parameter, compile));
  const required = readers.filter((reader) => reader.required);
  const known = new Set(readers.map(({ name }) => name));
  const none: ParsedQuery = { values: {} };
  return (url) => {
    const start = url.indexOf('?');
    if (start === -1 && required.length === 0) return none;
    const given = start === -1 ? new Map<string, string[]>() : splitQuery(url.slice(start + 1));
    if (!given) return { refusal: malformedQuery };
    const unknown = refusesOthers ? given.keys().find((name) => !known.has(name)) : undefined;
    if (unknown !== undefined) {
      const form = typeof refusesOthers === 'object' ? refusesOthers : undefined;
      return { refusal: inForm(toUnknownAnswer(unknown, [...known]), form) };
    }
    const values: Record<string, string> = {};
    for (const { name, required, problemOf } of readers) {
      const texts = given.get(name);
      if (!texts && !required) continue;
      const problem =
        texts?.length === 1
          ? problemOf(texts[0] as string)
          : texts
            ? 'must be given once'
            : 'is required';
      if (problem) {
        const other = readWrongValue?.(name, texts?.[0] ?? '');
        if (!other || other.form)
          return {
            refusal: inForm(toRefusal(name, problem, unfitStatus), other?.form),
            wrong: { parameter: name, problem },
          };
        if (other.value !== undefined) values[name] = other.value;
        continue;
      }
      values[name] = texts?.[0] as string;
    }
    return { values };
  };
}

function toRefusal(name: string, problem: string, status: number | undefined): Answer {
  const sentence = `"${name}" ${problem}.`;
  return toStatedErrorAnswer('invalid_parameter', `Query parameter ${sentence}`, status, [
    { in: 'query', pointer: `/${toToken(name)}`, problem: sentence },
  ]);
}

function inForm(answer: Answer, form: AnswerForm | undefined): Answer {
  return form ? { ...answer, form } : answer;
}

function toUnknownAnswer(name: string, known: readonly string[]): Answer {
  const expected = known.length === 0 ? 'This operation has none' : `Use ${known.join(', ')}`;
  return toErrorAnswer(
    'invalid_parameter',
    `There is no query parameter ${quote(name)}. ${expected}.`,
  );
}

function createReader(
  document: ApiDocument,
  { name, required, schema }: QueryParameter,
  compile: CompileSchema,
) {
  const resolved = resolveSchema(document, schema);
  const convert = converterFor(resolved);
  const validate = compile(schema);
  const expected = expectation(resolved);
  const problemOf = (text: string): string | undefined => {
    const value = convert(text);
    const problems = value === undefined ? [] : validate(value);
    if (!problems) return undefined;
    const [first] = expected === undefined ? problems : [];
    return first?.pointer === ''
      ? first.problem.replace(/^It |\.$/g, '')
      : `must be ${expected ?? 'a valid string'}, but is ${quote(text)}`;
  };
  return { name, required, problemOf };
}

function converterFor({ type }: Schema): Convert {
  if (type === 'integer')
    return (text) => {
      const integer = parseInteger(text);
      return integer === undefined ? undefined : toDouble(integer);
    };
  if (type === 'number') return (text) => (/^-?\d+(\.\d+)?$/.test(text) ? Number(text) : undefined);
  if (type === 'boolean')
    return (text) => (text === 'true' ? true : text === 'false' ? false : undefined);
  return (text) => text;
}

/** What a value must be, in words; undefined of a text, of which its schema says more. */
function expectation({ type, enum: values, minimum, maximum }: Schema): string | undefined {
  if (Array.isArray(values)) return `one of ${values.join(', ')}`;
  const what =
    type === 'integer'
      ? 'an integer'
      : type === 'number'
        ? 'a number'
        : type === 'boolean'
          ? 'true or false'
          : undefined;
  if (what === undefined) return undefined;
  if (minimum !== undefined && maximum !== undefined)
    return `${what} from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return `${what} of at least ${minimum}`;
  return maximum === undefined ? what : `${what} of at most ${maximum}`;
}

/**
 * The names and values of a query, in their order; undefined where it is not valid percent-encoded
 * UTF-8.
 */
export function splitQuery(query: string): Map<string, string[]> | undefined {
  const given = new Map<string, string[]>();
  try {
    for (const pair of query.split('&')) {
      if (pair === '') continue;
      const [name = '', ...rest] = pair.split('=');
      const key = decode(name);
      const texts = given.get(key);
      if (texts) texts.push(decode(rest.join('=')));
      else given.set(key, [decode(rest.join('='))]);
    }
    return given;
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

function decode(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '));
}
