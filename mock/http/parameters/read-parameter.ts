import { fromToken, toToken } from '../../../common/json-pointer.ts';
import { fitsRange, isJsonMedia } from '../../../common/media-type.ts';
import type { Api, Parameter, Schema } from '../../../openapi/index.ts';
import { parseQuietly } from '../../json/exact-json.ts';
import { quote } from '../../json/quote.ts';
import type { CompileSchema } from '../../json/validator.ts';
import { createToFormValue } from '../bodies/forms.ts';
import { createReadWritten, type Sources, type TextTree, toQueryPairs } from './read-written.ts';
import { createToTyped, membersOf, shapesOf, typesIn } from './typed-value.ts';

/** Describes a problem of a parameter; the JSON pointer begins with the parameter's name. */
export type ParameterProblem = {
  parameter: Parameter;
  pointer: string;
  /** A sentence that begins with the name. */
  sentence: string;
};

/** The value and text of a parameter, or its problems; empty for a missing parameter. */
type ReadParameter = { value?: unknown; text?: string; problems?: ParameterProblem[] };

/** Makes the reader of one of these parameters, by the types of its schema. */
export function createReadParameter(
  document: Api,
  parameter: Parameter,
  all: readonly Parameter[],
  compile: CompileSchema,
): (sources: Sources) => ReadParameter {
  const { name, schema, required, allowsEmpty, content } = parameter;
  const toTyped = createToTyped(document, compile);
  const validate = compile(schema);
  const readWritten = createReadWritten(parameter, createIsMember(document, parameter, all));
  const isJson = content !== undefined && takesJson(document, parameter);
  const isForm = content?.mediaType === 'application/x-www-form-urlencoded';
  const toFormValue = isForm ? createToFormValue(document, content, toTyped) : undefined;
  const shapes = content ? (['text'] as const) : shapesOf(document, schema);
  const expected = shapes.length === 1 && !content ? expectation(document, schema) : undefined;
  const at = `/${toToken(name)}`;
  const toProblem = (problem: string): ParameterProblem => ({
    parameter,
    pointer: at,
    sentence: `"${name}" ${problem}.`,
  });
  const toValue = (tree: TextTree): unknown => {
    if (isJson && typeof tree === 'string') return parseQuietly(tree);
    if (toFormValue && typeof tree === 'string') {
      const pairs = toQueryPairs(tree);
      return pairs && toFormValue(pairs);
    }
    return content ? tree : toTyped(schema, tree);
  };
  return (sources) => {
    let found: ReadParameter = {};
    for (const shape of shapes) {
      const { tree, problem } = readWritten(sources, shape);
      if (problem !== undefined) found = { problems: [toProblem(problem)], ...found };
      if (tree === undefined) continue;
      const text = typeof tree === 'string' ? { text: tree } : {};
      if (tree === '' && allowsEmpty) return { value: '', ...text };
      const typed = toValue(tree);
      if (typed === undefined)
        return { problems: [toProblem(isForm ? 'must be a form' : 'must be JSON')] };
      const problems = validate(typed, JSON.stringify(tree).length, at);
      // A number stays as it is written.
      const isWritten = !content && ['number', 'bigint'].includes(typeof typed);
      if (!problems) return { value: isWritten ? tree : typed, ...text };
      if (expected !== undefined && typeof tree === 'string')
        return { problems: [toProblem(`must be ${expected}, but is ${quote(tree)}`)] };
      found = {
        problems: problems.map(({ pointer, problem }) => {
          const isNamed = problem.startsWith(`"${pointer.slice(1)}"`);
          const rest = isNamed ? problem.slice(pointer.length + 1) : ` ${problem}`;
          const label = namePart(parameter, pointer.slice(at.length), typed);
          return { parameter, pointer, sentence: label + rest };
        }),
      };
    }
    if (!found.problems && required) return { problems: [toProblem('is required')] };
    return found;
  };
}

const inWords: Readonly<Record<string, string>> = {
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
};

/**
 * Returns the requirement on an enum, a number or a boolean in words; undefined for other values.
 */
function expectation(document: Api, given: Schema): string | undefined {
  const { type, enum: values, minimum, maximum, ...others } = document.schemas.resolve(given);
  if (Array.isArray(values)) return `one of ${values.join(', ')}`;
  const what = typeof type === 'string' && Object.hasOwn(inWords, type) ? inWords[type] : undefined;
  const isMore = ['multipleOf', 'exclusiveMinimum', 'exclusiveMaximum'].some(
    (one) => one in others,
  );
  if (what === undefined || isMore) return undefined;
  if (minimum !== undefined && maximum !== undefined)
    return `${what} from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return `${what} of at least ${minimum}`;
  return maximum === undefined ? what : `${what} of at most ${maximum}`;
}

/** JSON, or any type where the value is no mere text. */
function takesJson(document: Api, { content, schema }: Parameter): boolean {
  const mediaType = content?.mediaType ?? '';
  if (isJsonMedia(mediaType)) return true;
  return mediaType.endsWith('/*') && fitsRange('application/json', mediaType)
    ? !typesIn(document)(schema).has('string')
    : false;
}

/**
 * Returns a test for query parameters that are members of an object: names in its schema, or else
 * names of no other parameter and no API key.
 */
function createIsMember(
  document: Api,
  { name, schema, in: place }: Parameter,
  all: readonly Parameter[],
): (key: string) => boolean {
  const { names, isOpen } = membersOf(document, schema);
  const others = all.filter((other) => other.in === place && other.name !== name);
  const deep = others.filter(({ style }) => style === 'deepObject').map((one) => `${one.name}[`);
  const keys = document.securitySchemes.flatMap((one) =>
    one.type === 'apiKey' && one.in === place ? one.parameter : [],
  );
  const exploded = others.filter(({ style, explode }) => style === 'form' && explode);
  const taken = new Set([
    ...keys,
    ...others.map((other) => other.name),
    ...exploded.flatMap((other) => [...membersOf(document, other.schema).names]),
  ]);
  const isTaken = (key: string) => taken.has(key) || deep.some((start) => key.startsWith(start));
  return (key) => names.has(key) || (isOpen && !isTaken(key));
}

/**
 * Names a part of a parameter's value in messages, such as `"tag" (item 2)` or
 * `"filter[age][from]"`. The pointer leads from the value to the part.
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
