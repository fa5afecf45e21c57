import { membersOf } from '../../common/json.ts';
import type { Api, Schema } from '../../openapi/index.ts';
import type { Purpose } from '../cases/case.ts';
import type { Check } from '../clauses/check.ts';
import { statedSchema } from '../document/stated.ts';
import type { Answer } from '../transcript/exchange.ts';

const volatileHeaders = [
  'date',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'age',
  'via',
  'x-request-id',
  'retry-after',
];

/** The part of an answer that is compared. */
export type Aspect = NonNullable<Check['part']>;

/** A difference between two responses, with the value of each; undefined where it has none. */
export type Point = { name: string; onLeft: string | undefined; onRight: string | undefined };

type Compare = (left: Answer, right: Answer, document: Api) => Point[];

/** How answers to one case are compared; what a user would act on first comes first. */
export const aspects: Readonly<Record<Aspect, Compare>> = {
  status: ({ response: left }, { response: right, case: { purpose } }) =>
    toPoint(toSituation(purpose), String(left.status), String(right.status)),
  body: (left, right, document) => {
    const { operation } = right.case;
    const schema = operation && statedSchema(operation, right.response.status);
    return compareValues(contentOf(left), contentOf(right), { document, schema }).slice(
      0,
      maxPoints,
    );
  },
  headers: (left, right) => {
    const [onLeft, onRight] = [headerNames(left), headerNames(right)];
    const toSide = (names: Set<string>, name: string) => (names.has(name) ? name : undefined);
    return [...onLeft.symmetricDifference(onRight)].map((name) => ({
      name,
      onLeft: toSide(onLeft, name),
      onRight: toSide(onRight, name),
    }));
  },
};

/** Returns the special situation of a case in words; empty for a valid call. */
function toSituation(purpose: Purpose): string {
  switch (purpose.kind) {
    case 'unknown-id':
      return ' for an unknown id';
    case 'invalid-create':
      return ' to an invalid body';
    case 'credential':
      return ' to calls without a valid credential';
    case 'protocol':
      return purpose.rule === 'head' ? ' to HEAD' : ' to a method that is not described';
    case 'silence':
      return ` (silence ${purpose.silence})`;
    default:
      return '';
  }
}

function toPoint(name: string, onLeft: string | undefined, onRight: string | undefined): Point[] {
  return onLeft === onRight ? [] : [{ name, onLeft, onRight }];
}

function headerNames({ response: { headers } }: Answer): Set<string> {
  const names = headers.map(([name]) => name.toLowerCase());
  return new Set(names.filter((name) => !volatileHeaders.includes(name)));
}

/** How many members are compared at a level and reported of an answer, and how long a name is. */
const maxPoints = 100;
const maxName = 60;
const maxLevels = 4;

const nothing = Symbol('no content');

function contentOf({ response, case: { method } }: Answer): unknown {
  return method === 'HEAD' || response.size === 0 ? nothing : response.json;
}

/**
 * Returns the differences between two values in types and members. Optional members that the schema
 * describes may be absent.
 */
function compareValues(
  left: unknown,
  right: unknown,
  { document, schema }: { document: Api; schema: Schema | undefined },
  path: readonly string[] = [],
): Point[] {
  const described = schema && document.schemas.describeSchema(schema);
  const { properties = {}, required = [] } = described ?? {};
  const { type, additionalProperties, anyOf, oneOf } = described?.schema ?? {};
  const [members, others] = [membersOf(left), membersOf(right)];
  const hasMembers = members && others && !Array.isArray(left) && !Array.isArray(right);
  if (!hasMembers || path.length === maxLevels)
    return Array.isArray(type) || anyOf || oneOf
      ? []
      : toPoint(path.join('.') || 'the body', toType(left), toType(right));
  // The names in a map are data, and those of alternatives depend on which was chosen.
  const isMap = type !== undefined && Object.keys(properties).length === 0;
  const isFree = isMap || [additionalProperties, anyOf, oneOf].some(Boolean);
  const names = new Set([...Object.keys(members), ...Object.keys(others)]);
  return [...names].slice(0, maxPoints).flatMap((name) => {
    const own = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const inner = [...path, name.slice(0, maxName)];
    if (own === undefined && isFree) return [];
    if (Object.hasOwn(members, name) && Object.hasOwn(others, name))
      return compareValues(members[name], others[name], { document, schema: own }, inner);
    const toSide = (side: object) => (Object.hasOwn(side, name) ? inner.join('.') : undefined);
    return own && !required.includes(name)
      ? []
      : toPoint(inner.join('.'), toSide(members), toSide(others));
  });
}

/** The type of a value, without what is in it. */
function toType(value: unknown): string {
  if (value === nothing) return 'empty';
  if (value === undefined) return 'no JSON';
  if (value === null) return 'null';
  if (typeof value === 'bigint') return 'number';
  return Array.isArray(value) ? 'array' : typeof value;
}
