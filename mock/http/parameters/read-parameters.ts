import type { IncomingMessage } from 'node:http';
import { toComparedPath } from '../../../common/path-template.ts';
import type { Api, Parameter } from '../../../openapi/index.ts';
import { isOtherwiseDescribed } from '../../../openapi/model/operation.ts';
import {
  type Answer,
  type AnswerForm,
  toErrorAnswer,
  toStatedErrorAnswer,
} from '../../answers/answer.ts';
import type { ParameterValues } from '../../behaviours/behaviour.ts';
import { quote } from '../../json/quote.ts';
import type { CompileSchema } from '../../json/validator.ts';
import { createReadParameter, type ParameterProblem } from './read-parameter.ts';
import {
  decodeQuery,
  type RawPairs,
  type Sources,
  toCookiePairs,
  toQueryPairs,
} from './read-written.ts';

/** Holds the parameters of a request, or its refusal if a parameter is wrong. */
export type GivenParameters =
  | {
      /** Holds the parameters of the query that are one text. */
      texts: Readonly<Record<string, string>>;
      values: ParameterValues;
      refusal?: never;
      wrong?: never;
    }
  | { texts?: never; values?: never; refusal: Answer; wrong?: WrongParameter };

/** A wrong parameter; it is in the query unless `in` says otherwise. */
export type WrongParameter = {
  parameter: string;
  problem: string;
  in?: Exclude<Parameter['in'], 'query'>;
};

/** Reads the parameters of a request, by its path and query. */
export type ReadParameters = (request: IncomingMessage & { path?: string }) => GivenParameters;

/**
 * Returns the pinned treatment of a wrong value: `value` replaces it, `form` shapes the refusal, an
 * empty object ignores it. Undefined refuses the value as usual.
 */
export type ReadWrongValue = (
  parameter: string,
  text: string,
) => { value?: string; form?: AnswerForm } | undefined;

export type ReadParametersOptions = {
  /** Whether to refuse undescribed parameters of the query, or the form of the refusal. */
  refusesOthers?: boolean | AnswerForm;
  readWrongValue?: ReadWrongValue | undefined;
  /** The status for a wrong value, where that is not the one of its error. */
  unfitStatus?: number;
  /** Whether a wrong value in the path is a 404. */
  isPathNotFound?: boolean;
};

const malformedQuery = toErrorAnswer(
  'malformed_request',
  'The query of the URL is not valid percent-encoded UTF-8.',
);

/**
 * Makes the reader of parameters, of every place and style, by the types of their schemas. An
 * integer is written in decimal digits. Undescribed parameters are ignored, unless `refusesOthers`.
 */
export function createReadParameters(
  document: Api,
  { path, parameters }: { path?: string; parameters: readonly Parameter[] },
  compile: CompileSchema,
  options: ReadParametersOptions = {},
): ReadParameters {
  const { refusesOthers = false, readWrongValue } = options;
  const readers = parameters
    .filter((parameter) => !isOtherwiseDescribed(parameter))
    .map((one) => [one, createReadParameter(document, one, parameters, compile)] as const);
  const known = parameters.filter((one) => one.in === 'query').map(({ name }) => name);
  const inPath = parameters.filter((one) => one.in === 'path');
  const matchPath = createMatchPath(document.basePath + (path ?? ''), document, inPath);
  return (request) => {
    const sources = toSources(request, matchPath);
    if (!sources) return { refusal: malformedQuery };
    const { queryPairs } = sources;
    const unknown = refusesOthers ? queryPairs.find(([name]) => !known.includes(name)) : undefined;
    if (unknown) {
      const form = typeof refusesOthers === 'object' ? refusesOthers : undefined;
      return { refusal: inForm(toUnknownAnswer(unknown[0], known), form) };
    }
    const texts: Record<string, string> = {};
    const values: ParameterValues = {
      query: {},
      path: {},
      header: {},
      cookie: {},
      querystring: {},
    };
    const problems: ParameterProblem[] = [];
    for (const [{ name, in: place }, read] of readers) {
      const given = read(sources);
      if (given.problems) {
        const [, raw = ''] = queryPairs.find(([key]) => key === name) ?? [];
        const other = place === 'query' ? readWrongValue?.(name, decodeQuery(raw)) : undefined;
        if (other?.form) return toRefusal(given.problems, options, other.form);
        if (!other) problems.push(...given.problems);
        if (other?.value !== undefined) texts[name] = values.query[name] = other.value;
      } else if ('value' in given) {
        values[place][name] = given.value;
        if (place === 'query' && given.text !== undefined) texts[name] = given.text;
      }
    }
    return problems.length > 0 ? toRefusal(problems, options) : { texts, values };
  };
}

const inWords: Readonly<Record<Parameter['in'], string>> = {
  query: 'Query parameter',
  path: 'Path parameter',
  header: 'Header parameter',
  cookie: 'Cookie parameter',
  querystring: 'Query string',
};

/** How many problems a message names. */
const maxNamed = 5;

/** The answer to wrong parameters, of which the message names the first five. */
function toRefusal(
  problems: readonly ParameterProblem[],
  { unfitStatus, isPathNotFound }: ReadParametersOptions,
  form?: AnswerForm,
): { refusal: Answer; wrong: WrongParameter } {
  const [first] = problems as [ParameterProblem];
  const { in: place } = first.parameter;
  const sentences = problems
    .slice(0, maxNamed)
    .map(({ parameter, sentence }) => `${inWords[parameter.in]} ${sentence}`);
  const more = problems.length - maxNamed;
  if (more > 0) sentences.push(`There are ${more} more problems.`);
  const all = problems.map((one) => ({
    in: one.parameter.in,
    name: sentName(one),
    pointer: one.pointer,
    problem: one.sentence,
  }));
  const refusal =
    isPathNotFound && place === 'path'
      ? toStatedErrorAnswer('not_found', sentences.join(' '))
      : toStatedErrorAnswer('invalid_parameter', sentences.join(' '), unfitStatus, all);
  return {
    refusal: inForm(refusal, form),
    wrong: {
      parameter: sentName(first),
      problem: first.sentence.replace(/^"[^"]*" /, '').replace(/\.$/, ''),
      ...(place !== 'query' && { in: place }),
    },
  };
}

/** The name of a parameter as it is sent, such as `filter[age]`. */
function sentName({ parameter, sentence }: ParameterProblem): string {
  return /^"([^"]*)"/.exec(sentence)?.[1] ?? parameter.name;
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

type MatchPath = (path: string) => Readonly<Record<string, string>>;

/**
 * Creates a reader of the parts of a path that stand for parameters, still encoded. Between two names
 * in a segment it is split so that listed values fit, or else as late as possible.
 */
function createMatchPath(
  template: string,
  { schemas }: Api,
  inPath: readonly Parameter[],
): MatchPath {
  const parts = template.split(/\{([^{}]+)\}/);
  const names = parts.filter((_, at) => at % 2 === 1);
  const toPattern = (formOf: (name: string) => string) => {
    const patterns = parts.map((part, at) =>
      at % 2 === 1 ? `(${formOf(part)})` : RegExp.escape(toComparedPath(part)),
    );
    return new RegExp(`^${patterns.join('')}$`);
  };
  const any = '[^/]+';
  const loose = toPattern(() => any);
  const strict = toPattern((name) => {
    const { enum: values } = schemas.resolve(inPath.find((one) => one.name === name)?.schema ?? {});
    const texts = Array.isArray(values) ? values.map((one) => encodeURIComponent(String(one))) : [];
    return texts.map((text) => RegExp.escape(text)).join('|') || any;
  });
  return (path) => {
    const found = strict.exec(path) ?? loose.exec(path) ?? [];
    return Object.fromEntries(names.map((name, at) => [name, found[at + 1] ?? '']));
  };
}

const none: RawPairs = [];

function toSources(
  { url = '', path = '', headers }: Parameters<ReadParameters>[0],
  matchPath: MatchPath,
): Sources | undefined {
  const start = url.indexOf('?');
  const query = start === -1 ? undefined : url.slice(start + 1);
  const queryPairs = query === undefined ? none : toQueryPairs(query);
  if (!queryPairs) return undefined;
  const inPath = matchPath(path);
  return {
    query,
    queryPairs,
    cookies: headers.cookie === undefined ? none : toCookiePairs(headers.cookie),
    inPath: (name) => (Object.hasOwn(inPath, name) ? inPath[name] : undefined),
    inHeader: (name) => {
      const value = headers[name.toLowerCase()];
      return Array.isArray(value) ? value.join(', ') : value;
    },
  };
}
