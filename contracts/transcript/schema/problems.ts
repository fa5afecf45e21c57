import type { OutputUnit } from '@cfworker/json-schema';
import { count } from '../../../common/cli/count.ts';
import { isObject, toJson } from '../../../common/json.ts';
import { valueIn } from '../../../common/property-path.ts';
import type { Api, Schema } from '../../../openapi/index.ts';
import { toTag } from '../../../openapi/values/plain-schema.ts';
import { nameOf, type Place, toPlace, toText } from '../place.ts';
import { chooseErrors, type SchemaError } from './errors.ts';
import { nodeOf } from './node.ts';

/** A problem of a value, in words that need no knowledge of schemas. */
export type SchemaProblem = {
  /**
   * The actual value and the stated rule, with its section where the document names one; no full
   * stop.
   */
  problem: string;
  /** The expected value, with its place. */
  expected: string;
  /** The actual value as JSON, cut at 120 characters. */
  actual: string;
  /** The same for problems that differ only in the item of a list. */
  kind: string;
  /** The same for problems of a list's items and of such an item alone. */
  fault: string;
  /** The positions of the items that show it, where the value is a list. */
  items: readonly number[];
};

/** Whether a problem is that of a token, which stands in a recording of ours for a secret. */
export function isOfHiddenValue({ actual }: SchemaProblem): boolean {
  return /"(?:key|made|redacted)-(?:\d+|more)"$/.test(actual);
}

type JudgedValue = {
  document: Pick<Api, 'schemas'>;
  schema: Schema;
  /**
   * The value as it was sent, and as the validator took it: with other names where those are no
   * text.
   */
  value: unknown;
  plain: unknown;
};

const maxTextLength = 60;
const maxJsonLength = 120;
const maxValues = 8;

/** Puts what the validator found into words, once for all items of a list with the same fault. */
export function toProblems(errors: readonly OutputUnit[], judged: JudgedValue): SchemaProblem[] {
  const chosen = chooseErrors(errors, (error) => findNamed(error, judged));
  const kinds = Map.groupBy(chosen, kindOf);
  const problems = [...kinds].map(([kind, [first, ...others]]) => {
    const { problem, ...rest } = inWords(first as SchemaError, judged);
    const more = count(others.length, 'more item');
    const items = [first as SchemaError, ...others].flatMap(({ instanceLocation }) =>
      itemsAt(toPlace(instanceLocation)),
    );
    return {
      problem: others.length === 0 ? problem : `${problem}; the same in ${more}`,
      ...rest,
      kind,
      fault: faultOf(first as SchemaError),
      items,
    };
  });
  // Two parts of an allOf may state the same.
  return [...new Map(problems.map((one) => [one.problem, one])).values()];
}

/** An integer that no int64 can be. */
export function toRangeProblem(
  place: Place,
  { 'x-source': source }: Schema,
  value: unknown,
): SchemaProblem {
  const integer = valueIn(value, place);
  const name = nameOf(value, place);
  return {
    problem: `${name} is ${found(integer)}; a 64-bit integer is stated${cited(source as string | undefined)}`,
    expected: `${name}: a 64-bit integer`,
    actual: `${name}: ${excerpt(integer)}`,
    kind: `${toKind(place)} int64`,
    fault: `${withoutItems(toKind(place))} int64`,
    items: itemsAt(place),
  };
}

/** The problem of a body that is not JSON. */
export const noJson: SchemaProblem = {
  problem: 'the body is empty or not JSON',
  expected: 'a JSON body',
  actual: 'an empty body, or not JSON',
  kind: 'no JSON',
  fault: 'no JSON',
  items: [],
};

/** Returns the index of the alternative that the discriminator beside a oneOf names. */
function findNamed(
  { keywordLocation, instanceLocation }: SchemaError,
  { document, schema, plain }: JudgedValue,
): string | undefined {
  const { schema: outer } = nodeOf(document, schema, keywordLocation);
  const value = valueIn(plain, toPlace(instanceLocation));
  const alternatives = (outer.oneOf ?? []) as Schema[];
  const index = alternatives.findIndex(({ $ref }) => {
    const tag = toTag(outer, $ref, true);
    return tag !== undefined && isObject(value) && value[tag.name] === tag.value;
  });
  return index === -1 ? undefined : String(index);
}

function itemsAt([first]: Place): number[] {
  return /^\d+$/.test(String(first)) ? [Number(first)] : [];
}

function inWords(
  error: SchemaError,
  judged: JudgedValue,
): Omit<SchemaProblem, 'kind' | 'fault' | 'items'> {
  const { document, schema, value: root, plain } = judged;
  const node = nodeOf(document, schema, error.keywordLocation);
  const at = toPlace(error.instanceLocation);
  const value = valueIn(root, at) ?? valueIn(plain, at);
  const actual = `${nameOf(root, at)}: ${excerpt(value)}`;
  const missing = missingBy(error);
  if (missing !== undefined) {
    const lacking = nameOf(root, [...at, missing]);
    return {
      problem: `${lacking} is missing; ${node.name === undefined ? 'it is required' : `${node.name} requires it`}${cited(node.source)}`,
      expected: lacking,
      actual,
    };
  }
  const {
    is = `is ${found(value)}`,
    but,
    expected = but.replace(/ (?:is|are) stated$/, ''),
  } = wordsOf(error, value, node.schema);
  const name = nameOf(root, at);
  return {
    problem: `${name} ${is}; ${but}${cited(node.source)}`,
    expected: `${name}: ${expected}`,
    actual,
  };
}

/** The property that is not there. */
function missingBy({ keyword, error }: SchemaError): string | undefined {
  const [, name] = /^Instance does not have required property "(.*)"\.$/s.exec(error) ?? [];
  return keyword === 'required' ? name : undefined;
}

/**
 * The words for a problem: `is` replaces the value, `but` states the rule, `expected` is the rule
 * without a verb.
 */
type Words = { is?: string; but: string; expected?: string };

function wordsOf(error: SchemaError, value: unknown, schema: Schema): Words {
  const { [error.keyword]: bound } = schema;
  switch (error.keyword) {
    case 'type':
    case 'const':
    case 'enum':
      return { but: `${allowedBy(schema, error.keyword)} is stated` };
    case 'anyOf':
    case 'oneOf': {
      const [, matches = '0'] = /\((\d+) matches\)/.exec(error.error) ?? [];
      const number = Array.isArray(bound) ? bound.length : 0;
      return matches === '0'
        ? {
            but: `it matches none of the ${number} stated alternatives`,
            expected: `one of ${number} alternatives`,
          }
        : {
            but: `it matches ${matches} of the ${number} alternatives, where exactly one is stated`,
            expected: `exactly one alternative`,
          };
    }
    case 'not':
      return { but: 'what is stated excludes it', expected: 'something else' };
    case 'false':
      return { is: 'is there', but: 'nothing is stated there', expected: 'nothing' };
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
    case 'multipleOf':
      return { but: `${bounds[error.keyword]} ${bound} is stated` };
    case 'pattern':
      return { but: `a string that matches ${toText(String(bound), maxTextLength)} is stated` };
    case 'format':
      return { but: `${formats[String(bound)] ?? `a string in the format ${bound}`} is stated` };
    case 'uniqueItems':
      return { is: 'has an item twice', but: 'items that differ are stated' };
    case 'minLength':
    case 'minItems':
    case 'minProperties':
      return sizeWords('at least', Number(bound), value);
    case 'maxLength':
    case 'maxItems':
    case 'maxProperties':
      return sizeWords('at most', Number(bound), value);
    default:
      return {
        but: `the "${error.keyword}" of its schema does not allow it`,
        expected: `what "${error.keyword}" allows`,
      };
  }
}

const bounds = {
  minimum: 'at least',
  maximum: 'at most',
  exclusiveMinimum: 'more than',
  exclusiveMaximum: 'less than',
  multipleOf: 'a multiple of',
};

const formats: Readonly<Record<string, string>> = {
  date: 'a date such as 2030-12-05',
  time: 'a time such as 12:30:00Z',
  'date-time': 'a date and time such as 2030-12-05T12:30:00Z',
  email: 'an email address',
  uri: 'a URI',
  uuid: 'a UUID',
  ipv4: 'an IPv4 address',
  ipv6: 'an IPv6 address',
  hostname: 'a host name',
};

/** Describes the values that a type, a constant or an enumeration allows. */
function allowedBy({ type, const: constant, enum: values }: Schema, keyword: string): string {
  if (keyword === 'const') return excerpt(constant);
  if (keyword === 'type') return joined([type].flat().map((name) => withArticle(String(name))));
  if (keyword !== 'enum' || !Array.isArray(values)) return 'nothing';
  if (values.length === 1) return excerpt(values[0]);
  const shown = values.slice(0, maxValues).map(excerpt);
  const more = values.length - shown.length;
  return `one of ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function found(value: unknown): string {
  if (typeof value === 'string') return `the string ${toText(value, maxTextLength)}`;
  if (typeof value === 'number' || typeof value === 'bigint') return `the number ${toJson(value)}`;
  if (value === null || typeof value === 'boolean') return String(value);
  if (value === undefined) return 'something else';
  return Array.isArray(value) ? 'an array' : 'an object';
}

function sizeWords(atMost: string, bound: number, value: unknown): Words {
  const [one, many] =
    typeof value === 'string'
      ? ['character', 'characters']
      : Array.isArray(value)
        ? ['item', 'items']
        : ['property', 'properties'];
  const size = typeof value === 'string' ? [...value].length : Object.keys(value ?? {}).length;
  return {
    is: `has ${count(size, one, many)}`,
    but: `${atMost} ${bound} ${bound === 1 ? 'is' : 'are'} stated`,
    expected: `${atMost} ${count(bound, one, many)}`,
  };
}

function excerpt(value: unknown): string {
  if (typeof value === 'string') return toText(value, maxTextLength);
  const text = toJson(value);
  return text.length > maxJsonLength ? `${text.slice(0, maxJsonLength - 3)}...` : text;
}

function withArticle(type: string): string {
  if (type === 'null') return 'null';
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

function joined(parts: readonly string[]): string {
  return parts.length < 2
    ? (parts[0] ?? 'nothing')
    : `${parts.slice(0, -1).join(', ')} or ${parts.at(-1)}`;
}

function cited(source: string | undefined): string {
  return source === undefined ? '' : ` (${source})`;
}

function kindOf(error: SchemaError): string {
  const { keyword, keywordLocation, instanceLocation } = error;
  const at = toKind(toPlace(instanceLocation));
  return [
    at,
    keyword,
    keywordLocation === instanceLocation ? '' : keywordLocation,
    missingBy(error) ?? '',
  ].join(' ');
}

function faultOf(error: SchemaError): string {
  const at = withoutItems(toKind(toPlace(error.instanceLocation)));
  return [at, error.keyword, missingBy(error) ?? ''].join(' ');
}

function withoutItems(kind: string): string {
  return kind.replace(/^\*(?:\/|$)/, '');
}

/** A place with the items of a list all alike. */
function toKind(place: Place): string {
  return place.map((key) => (/^\d+$/.test(key) ? '*' : key)).join('/');
}
