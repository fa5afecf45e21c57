import type { IncomingMessage } from 'node:http';
import { fitsRange, isJsonMedia } from '../../../contracts/description/content.ts';
import {
  type ApiDocument,
  describeSchema,
  type Operation,
  type Parameter,
} from '../../../contracts/description/document.ts';
import { fromToken, toToken } from '../../../contracts/description/json-pointer.ts';
import { isOtherwiseDescribed } from '../../../contracts/description/operation.ts';
import type { ParameterValues } from '../../behaviours/behaviour.ts';
import { parseExact } from '../../json/exact-json.ts';
import type { CompileSchema } from '../../json/validator.ts';
import {
  createReadWritten,
  type RawPairs,
  type Sources,
  toCookiePairs,
  toQueryPairs,
} from './read-written.ts';
import type { TextTree } from './text-tree.ts';
import { createToTyped, membersOf, shapesOf, typesIn } from './typed-value.ts';

/** What is wrong with a parameter: a JSON pointer that begins with its name, and the rest of a sentence. */
export type ParameterProblem = {
  parameter: Parameter;
  pointer: string;
  /** A sentence that begins with the name. */
  sentence: string;
};

/** What a request gives of the parameters of an operation. */
export type GivenParameters = {
  /** Those of the query that are one text. */
  texts: Record<string, string>;
  values: ParameterValues;
  problems: ParameterProblem[];
};

/** Reads the parameters of a request, by its path and query; undefined where the query is no UTF-8. */
export type ReadParameters = (
  request: IncomingMessage & { path: string },
) => GivenParameters | undefined;

/** Makes the reader of these parameters, of every place and style, by the types of their schemas. */
export function createReadParameters(
  document: ApiDocument,
  operation: Pick<Operation, 'path'>,
  parameters: readonly Parameter[],
  compile: CompileSchema,
): ReadParameters {
  const readers = parameters
    .filter((parameter) => !isOtherwiseDescribed(parameter) && isRead(parameter))
    .map((parameter) => createReader(document, parameter, parameters, compile));
  const matchPath = createMatchPath(document.basePath + operation.path);
  return (request) => {
    const sources = toSources(request, matchPath);
    if (!sources) return undefined;
    const texts: Record<string, string> = {};
    const values: ParameterValues = {
      query: {},
      path: {},
      header: {},
      cookie: {},
      querystring: {},
    };
    const problems: ParameterProblem[] = [];
    for (const { parameter, read } of readers) {
      const given = read(sources);
      if (given.problems) problems.push(...given.problems);
      if (!('value' in given)) continue;
      const { name, in: place } = parameter;
      values[place][name] = given.value;
      if (place === 'query' && given.text !== undefined) texts[name] = given.text;
    }
    return { texts, values, problems };
  };
}

/** Styles that hardly a document has, and forms within parameters, are taken as they are. */
function isRead({ style, content }: Parameter): boolean {
  const isForm = content?.mediaType === 'application/x-www-form-urlencoded';
  return !isForm && style !== 'label' && style !== 'matrix';
}

type Given = { value?: unknown; text?: string; problems?: ParameterProblem[] };

function createReader(
  document: ApiDocument,
  parameter: Parameter,
  all: readonly Parameter[],
  compile: CompileSchema,
): { parameter: Parameter; read: (sources: Sources) => Given } {
  const { name, schema, required, allowsEmpty, content } = parameter;
  const toTyped = createToTyped(document, compile);
  const validate = compile(schema);
  const readWritten = createReadWritten(parameter, createIsMember(document, parameter, all));
  const isJson = content !== undefined && takesJson(document, parameter);
  const shapes = content ? (['text'] as const) : shapesOf(document, schema);
  const at = `/${toToken(name)}`;
  const toProblem = (problem: string): ParameterProblem => ({
    parameter,
    pointer: at,
    sentence: `"${name}" ${problem}.`,
  });
  const toValue = (tree: TextTree): { value: unknown; doubles: unknown } | undefined => {
    if (isJson && typeof tree === 'string') {
      const parsed = parseQuietly(tree);
      return parsed && { value: parsed.value, doubles: parsed.doubles };
    }
    const value = content ? tree : toTyped(schema, tree);
    return { value, doubles: value };
  };
  const read = (sources: Sources): Given => {
    let found: Given = {};
    for (const shape of shapes) {
      const { tree, problem } = readWritten(sources, shape);
      if (problem !== undefined) found = { problems: [toProblem(problem)], ...found };
      if (tree === undefined) continue;
      const text = typeof tree === 'string' ? { text: tree } : {};
      if (tree === '' && allowsEmpty) return { value: '', ...text };
      const typed = toValue(tree);
      if (!typed) return { problems: [toProblem('must be JSON')] };
      const problems = validate(typed.doubles, JSON.stringify(tree).length, at);
      if (!problems) return { value: typed.value, ...text };
      found = {
        problems: problems.map(({ pointer, problem }) => {
          const isNamed = problem.startsWith(`"${pointer.slice(1)}"`);
          const rest = isNamed ? problem.slice(pointer.length + 1) : ` ${problem}`;
          const label = namePart(parameter, pointer.slice(at.length), typed.doubles);
          return { parameter, pointer, sentence: label + rest };
        }),
      };
    }
    if (!found.problems && required) return { problems: [toProblem('is required')] };
    return found;
  };
  return { parameter, read };
}

/** JSON, or any type where the value is no mere text. */
function takesJson(document: ApiDocument, { content, schema }: Parameter): boolean {
  const mediaType = content?.mediaType ?? '';
  if (isJsonMedia(mediaType)) return true;
  return mediaType.endsWith('/*') && fitsRange('application/json', mediaType)
    ? !typesIn(document)(schema).has('string')
    : false;
}

/**
 * Which parameters of a query are members of an object whose members are written as parameters:
 * those that its schema names, or else those that no other parameter has.
 */
function createIsMember(
  document: ApiDocument,
  { name, schema, in: place }: Parameter,
  all: readonly Parameter[],
): (key: string) => boolean {
  const { names, isOpen } = membersOf(document, schema);
  const others = new Set(
    all.filter((other) => other.in === place && other.name !== name).map((other) => other.name),
  );
  return (key) => names.has(key) || (isOpen && !others.has(key));
}

function parseQuietly(text: string): ReturnType<typeof parseExact> | undefined {
  try {
    return parseExact(text);
  } catch {
    return undefined;
  }
}

type MatchPath = (path: string) => Readonly<Record<string, string>>;

/** The parts of a path that stand for parameters, still encoded. */
function createMatchPath(template: string): MatchPath {
  const names: string[] = [];
  const pattern = template
    .split(/(\{[^{}]+\})/)
    .map((part) => {
      if (!part.startsWith('{')) return RegExp.escape(part);
      names.push(part.slice(1, -1));
      return '([^/]+?)';
    })
    .join('');
  const regexp = new RegExp(`^${pattern}$`);
  return (path) => {
    const found = regexp.exec(path) ?? [];
    return Object.fromEntries(names.map((name, at) => [name, found[at + 1] ?? '']));
  };
}

const none: RawPairs = [];

function toSources(
  { url = '', path, headers }: IncomingMessage & { path: string },
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

/** Whether a parameter is one text of the query, which needs nothing of this. */
export function isPlainText(document: ApiDocument, parameter: Parameter): boolean {
  const { in: place, style, content, schema, allowsEmpty } = parameter;
  if (place !== 'query' || style !== 'form' || content || allowsEmpty) return false;
  const { type, enum: values } = describeSchema(document, schema).schema ?? {};
  return typeof type === 'string'
    ? ['string', 'integer', 'number', 'boolean'].includes(type)
    : values === undefined && typesIn(document)(schema).size === 0;
}

/**
 * What a message calls a part of a parameter's value: the parameter as it is sent, and what of it,
 * such as `"tag" (item 2)` or `"filter[age][from]"`. The pointer leads from the value to the part.
 */
function namePart(
  { name, in: place, style, explode, content }: Parameter,
  pointer: string,
  value: unknown,
): string {
  const keys = pointer.split('/').slice(1).map(fromToken);
  const parts: string[] = [];
  let label = name;
  let inner = value;
  for (const [depth, key] of keys.entries()) {
    const isItem = Array.isArray(inner);
    const isOwn = depth === 0 && style === 'form' && explode && !content && place === 'query';
    if (isItem) parts.push(`item ${Number(key) + 1}`);
    else if (isOwn) label = key;
    else if (style === 'deepObject' && parts.length === 0) label += `[${key}]`;
    else parts.push(key);
    inner = (inner as Readonly<Record<string, unknown>> | null | undefined)?.[key];
  }
  return parts.length === 0 ? `"${label}"` : `"${label}" (${parts.join(', ')})`;
}
