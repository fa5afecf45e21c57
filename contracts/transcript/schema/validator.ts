import { format, type OutputUnit, validate } from '@cfworker/json-schema';
import { toJson, withDoubles } from '../../../common/json.ts';
import { once, oncePer } from '../../../common/once-per.ts';
import { Pattern } from '../../../common/pattern.ts';
import type { Api, Mark, Operation, Schema } from '../../../openapi/index.ts';
import { chooseContent } from '../../../openapi/model/content.ts';
import { findIn } from '../../../openapi/model/responses.ts';
import { withoutUnasked } from '../../../openapi/model/unasked.ts';
import { schemaIn } from '../../document/stated.ts';
import type { Place } from '../place.ts';
import { sampleOf } from '../sample.ts';
import { noJson, type SchemaProblem, toProblems, toRangeProblem } from './problems.ts';

/**
 * Finds the problems of a value, once for each object; empty if it fits. Large integers may be
 * bigints. Only the first items of a long list are checked.
 */
export type FindProblems = (value: unknown) => SchemaProblem[];

// The library's pattern takes exponential time, and the text comes from the target.
format.url = (text) => URL.canParse(text);

const int64 = { min: -(2n ** 63n), max: 2n ** 63n - 1n };

/** Prepares the schema of the answers of an operation that have a status and a media type. */
export function compileAnswerOf(
  document: Api,
  { responses }: Operation,
  { status, mediaType }: { status: number; mediaType?: string | undefined },
): FindProblems | undefined {
  const schema = schemaIn(findIn(responses, status), mediaType);
  return schema && compileAnswer(document, schema);
}

/** Prepares the schema of a part of an answer, once. */
export function compileAnswer(document: Api, schema: Schema): FindProblems {
  return compilersOf(document.schemas).writeOnly(schema);
}

/** Prepares the schema of a part of a request body, once. */
export function compileSent(document: Api, schema: Schema): FindProblems {
  return compilersOf(document.schemas).readOnly(schema);
}

/** Prepares the schema of the bodies of an operation that have a media type. */
export function compileBodyOf(
  document: Api,
  { body }: Operation,
  mediaType = '',
): FindProblems | undefined {
  const { schema = body?.schema } = chooseContent(body?.variants ?? [], mediaType) ?? {};
  return schema && compileSent(document, schema);
}

/**
 * Creates a lookup that resolves references on demand. The library would walk the whole document
 * for each schema, and read every "$id" in an example as a schema's.
 */
function createLookup({ schemas }: Document, strip: Strip): Record<string, Schema> {
  return new Proxy<Record<string, Schema>>(
    {},
    { get: (_, $ref) => strip(schemas.follow(String($ref)) as Schema | undefined) },
  );
}

type Strip = <Node extends Schema | undefined>(node: Node) => Node;

/** Creates a function that removes from schemas the requirements that a mark lifts. */
function createStrip(unasked: ReturnType<Finder>): Strip {
  if (unasked.size === 0) return (node) => node;
  const strip = oncePer((node: Schema) => withoutUnasked(node, unasked));
  return (node) => (typeof node === 'object' ? (strip(node) as typeof node) : node);
}

type Document = Pick<Api, 'schemas'>;

type Finder = ReturnType<Api['schemas']['createFindUnasked']>;

const compilersOf = oncePer((schemas: Api['schemas']) => {
  const create = (mark: Mark) => {
    const findUnasked = once(() => schemas.createFindUnasked(mark));
    return oncePer((schema: Schema) => compile({ schemas }, schema, findUnasked));
  };
  return { readOnly: create('readOnly'), writeOnly: create('writeOnly') };
});

/**
 * Gives how many references are followed for a value of so many characters: alternatives that lead
 * to the same one multiply with each level of the value. Of a value that takes more, no problem is
 * found.
 */
const maxLooks = (size: number) => 50_000 + 10 * size;

function judgeInTime(...given: Parameters<typeof validateByPatterns>): OutputUnit[] {
  try {
    return validateByPatterns(...given).errors;
  } catch (error) {
    // The library throws one too where it has found too many errors for one call.
    if (error instanceof RangeError) return [];
    throw error;
  }
}

function compile(document: Document, schema: Schema, findUnasked: () => Finder): FindProblems {
  const strip = once(() => createStrip(findUnasked()(schema)));
  let looks = 0;
  const lookup = createLookup(document, (node) => {
    if (--looks < 0) throw new RangeError('The schema follows too many references.');
    return strip()(node);
  });
  const found = new WeakMap<object, SchemaProblem[]>();
  const find = (value: unknown, body: unknown): SchemaProblem[] => {
    const plain = withDoubles(value);
    looks = maxLooks(toJson(value).length);
    const errors = judgeInTime(plain, strip()(schema), lookup);
    const reported = value === body ? errors : errors.filter((error) => !isOfLength(error));
    const outside = largeIntegers(value).flatMap((place) => {
      const described = schemaAt(document, schema, place);
      return described?.format === 'int64' ? [toRangeProblem(place, described, value)] : [];
    });
    return [...toProblems(reported, { document, schema, value: body, plain }), ...outside];
  };
  return (body) => {
    if (body === undefined) return [noJson];
    const value = sampleOf(body);
    if (typeof value !== 'object' || value === null) return find(value, body);
    const problems = found.get(value) ?? find(value, body);
    found.set(value, problems);
    return problems;
  };
}

/** The library makes its patterns itself, of the class that is global while it runs. */
function validateByPatterns(value: unknown, schema: Schema, lookup: Record<string, Schema>) {
  const { RegExp: native } = globalThis;
  globalThis.RegExp = Pattern as unknown as RegExpConstructor;
  try {
    return validate(value as never, schema, '2020-12', lookup, false);
  } finally {
    globalThis.RegExp = native;
  }
}

/**
 * Whether an error says that a list lacks items, which may be among those that were not checked.
 */
function isOfLength({ keyword, instanceLocation }: OutputUnit): boolean {
  return instanceLocation === '#' && ['minItems', 'contains', 'minContains'].includes(keyword);
}

/** The schema of what lies at a place, as far as properties and items lead there. */
function schemaAt(document: Document, root: Schema, place: Place): Schema | undefined {
  const found = place.reduce<Schema | undefined>((schema, key) => {
    const { items } = document.schemas.resolve(schema ?? {});
    return /^\d+$/.test(key) && items
      ? (items as Schema)
      : document.schemas.describeSchema(schema ?? {}).properties[key];
  }, root);
  return found && document.schemas.resolve(found);
}

/** The places of integers that no int64 can be. */
function largeIntegers(value: unknown, place: Place = []): Place[] {
  if (typeof value === 'bigint') return value < int64.min || value > int64.max ? [place] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => largeIntegers(inner, [...place, key]));
}
