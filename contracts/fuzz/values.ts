import { isSame, membersOf as membersIn, parseJson, toJson } from '../../common/json.ts';
import type { Api, Schema } from '../../openapi/index.ts';
import { type PlainSchema, toPlainSchemas } from '../../openapi/values/plain-schema.ts';
import { exampleValue, isFlag } from '../cases/example-value.ts';
import { isWide } from '../cases/fresh-value.ts';
import { hasPlaceholder } from '../cases/placeholders.ts';
import { withOwnItems } from '../cases/references.ts';
import { compileSent } from '../transcript/schema/validator.ts';
import { boundsOf } from './arbitraries.ts';

/** A value with a name for people. */
export type NamedValue<Value> = readonly [what: string, value: Value];

/** The longest text and list that is sent because a schema allows that many, or one less. */
const [longestText, longestList] = [10_000, 50];

/** A number that is no id of an item. */
const beyondAll = 1_073_741_831;

/** Values of each type. */
const samples: readonly NamedValue<unknown>[] = [
  ['null', null],
  ['a number', beyondAll],
  ['an object', {}],
  ['a text', 'text'],
  ['a list', []],
  ['true', true],
  ['a fraction', 1.5],
  ['a list of null', [null]],
  ['an object with a member', { a: 0 }],
];

/** The bounds of what a schema allows, within and beyond: enumerated values, lengths, numbers, members. */
function edgesOf(document: Api, plain: PlainSchema): NamedValue<unknown>[] {
  const { schema } = plain;
  const { minLength, maxLength, minItems, maxItems, uniqueItems, enum: values } = schema;
  if (Array.isArray(values))
    return [
      ...values.map((one): NamedValue<unknown> => [JSON.stringify(one), one]),
      ['a value that is not listed', `no-such-${values[0]}`],
    ];
  const texts = [minLength ?? 0, Number(minLength ?? 0) - 1, maxLength, Number(maxLength) + 1]
    .map(Number)
    .filter((length) => length >= 0 && length <= longestText && isOfText(schema))
    .map((length): NamedValue<unknown> => [`a text of ${length} characters`, 'x'.repeat(length)]);
  const [least, most] = boundsOf(schema);
  const step = schema.type === 'number' ? 0.5 : 1;
  const numbers = [least, least - step, most, most + step, 0, -1, 2 ** 31 - 1, 2 ** 31]
    .filter((one) => isOfNumber(schema) && Number.isSafeInteger(Math.trunc(one)))
    .map((one): NamedValue<unknown> => [String(one), one]);
  const item = ownExample(document, (schema.items ?? {}) as Schema) ?? 'x';
  const lists = [minItems, Number(minItems) - 1, maxItems, Number(maxItems) + 1, 0, 1]
    .map(Number)
    .filter((length) => length >= 0 && length <= longestList && isOf(schema, 'array'))
    .map(
      (length): NamedValue<unknown> => [`a list of ${length}`, Array.from({ length }, () => item)],
    );
  const same = parseJson((toJson(item) ?? '').replaceAll('{{fresh}}', 'twice'));
  const twice: NamedValue<unknown>[] = uniqueItems
    ? [['a list with an item twice', [same, same]]]
    : [];
  return [...texts, ...numbers, ...lists, ...twice, ...membersOf(document, plain)];
}

/** Objects without each member that is required, and with one more than is described. */
function membersOf(document: Api, { schema, required }: PlainSchema): NamedValue<unknown>[] {
  const whole = isOf(schema, 'object') ? ownExample(document, schema) : undefined;
  if (typeof whole !== 'object' || whole === null) return [];
  return [
    ...required.map((name): NamedValue<unknown> => {
      const { [name]: _, ...others } = whole as Record<string, unknown>;
      return [`no ${name}`, others];
    }),
    ['one more member', { ...whole, undescribed: 1 }],
  ];
}

/** An example of a schema that names nobody: what the document shows may be a person or an item. */
export function ownExample(document: Api, schema: Schema): unknown {
  const value = exampleValue(document, schema);
  return withOwnItems(document, undefined, { schema, value });
}

/** A value to try, its name for people, and whether the schema allows it. */
export type TriedValue = { what: string; value: unknown; isValid: boolean };

/**
 * Returns values to try for a schema, each once: those at its bounds, and those that break one rule;
 * first what servers most often stumble over.
 */
export function triedValues(document: Api, schema: Schema): TriedValue[] {
  const ways = toPlainSchemas(schema, document.schemas.describeSent);
  const findProblems = compileSent(document, schema);
  const all = [...samples, ...ways.flatMap((one) => edgesOf(document, one))];
  const isFirst = ([, value]: NamedValue<unknown>, index: number) =>
    all.findIndex(([, other]) => isSame(value, other)) === index;
  return all
    .filter(isFirst)
    .map(([what, value]) => ({ what, value, isValid: findProblems(value).length === 0 }));
}

/** Numbers below this one may be the ids of items of others. */
const beyondIds = 2 ** 30;

/**
 * Texts by which a target reaches a person or a server, and those that reach nobody (RFC 2606, 5737).
 * Each part has a greatest length: a long text would take seconds.
 */
const reaching =
  /[^\s@]@[^\s@]|:\/\/|(?:[a-z\d-]{1,63}\.){1,9}[a-z]{2}|(?:\d{1,3}\.){3}\d|\+\d{6}/i;
const ofNobody =
  /(?:[^\s@:/]{1,64}@|[a-z]{1,9}:\/\/)?(?:[a-z\d-]{1,63}\.){0,9}example\.(?:com|net|org)|192\.0\.2\.\d/gi;

/**
 * Whether a value can affect items of the run alone: a number may be the id of another's item where a
 * schema leaves it open, a flag that is set may unset that of another, and an address is somebody's.
 */
export function isHarmless(document: Api, node: Schema, value: unknown): boolean {
  const schema = document.schemas.resolve(node);
  if (typeof value === 'string' && hasPlaceholder(value)) return true;
  if (isFlag(schema)) return !value;
  if (Array.isArray(value)) {
    const items = (schema.items ?? {}) as Schema;
    return value.every((one) => isHarmless(document, items, one));
  }
  const members = membersIn(value);
  if (members) {
    const { properties } = document.schemas.describeSent(schema);
    return Object.entries(members).every(([name, one]) =>
      isHarmless(document, properties[name] ?? {}, one),
    );
  }
  if (schema.enum !== undefined || schema.const !== undefined) return true;
  if (isOfNumber(schema) && value === true) return false;
  if (typeof value === 'string' && reaching.test(value.replace(ofNobody, ''))) return false;
  const number = typeof value === 'boolean' ? 0 : Number(value);
  return !(isWide(schema) && number > 0 && number < beyondIds);
}

function isOf({ type }: Schema, name: string): boolean {
  return [type].flat().includes(name);
}

export function isOfText(schema: Schema): boolean {
  return isOf(schema, 'string') && schema.enum === undefined;
}

export function isOfNumber(schema: Schema): boolean {
  return isOf(schema, 'integer') || isOf(schema, 'number');
}
