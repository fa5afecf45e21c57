import { isObject } from '../../common/json.ts';
import { Pattern } from '../../common/pattern.ts';
import { type Chooser, createWritePattern } from '../../common/pattern-text.ts';
import type { Api, DescribeSchema, Schema } from '../../openapi/index.ts';
import { mostAlike, type PlainSchema, toPlainSchemas } from '../../openapi/values/plain-schema.ts';
import { formsOfSecrets, isSecret, makeSecret, secretPrefix } from './made-secrets.ts';

/** How deep an example may hold values; a schema may hold itself. */
const maxDepth = 6;
const maxItems = 20;
const maxLength = 1000;

/** Keywords that leave few texts. */
const fixing = ['const', 'format', 'pattern', 'example', 'examples', 'default'];

/** The length that a text may have at least that another takes the place of. */
const leastFree = 12;

/** Texts of the formats that JSON Schema and OpenAPI know. */
const formats: Readonly<Record<string, string>> = {
  date: '2030-12-05',
  time: '12:30:00Z',
  'date-time': '2030-12-05T12:30:00Z',
  duration: 'PT5M',
  email: 'rex@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  uuid: '7d444840-9dc0-41d1-b245-5ffdce74fad2',
  byte: 'dGV4dA==',
  // Numbers that are written as texts: none that an item may have as its id.
  ...Object.fromEntries(['int32', 'int64', 'uint32', 'uint64'].map((name) => [name, '0'])),
  ...Object.fromEntries(['decimal', 'double', 'float'].map((name) => [name, '0.25'])),
};

/** Texts that are tried where a pattern is asked for: those that mean nothing first. */
const meaningless = ['text', '1', 'a', 'A', 'ABC', '12345', 'abc-123'];
const meaning = [
  ...['2030-12-05', 'en'],
  // A pattern may ask for an address: that of nobody.
  ...['rex@example.com', 'https://example.com/', 'https://example.com', 'example.com', '192.0.2.1'],
];
const candidates = [...meaningless, ...meaning];

/**
 * A value for a request that fits a schema as far as can be said: its own example, or else the
 * least that it asks for. Undefined where none can be made, such as for most patterns. `name` is that
 * of what holds the value: secrets are random.
 */
export function exampleValue(document: Api, schema: Schema, name = '', depth = 0): unknown {
  const plain = toPlain(document, schema);
  if (plain === undefined || depth > maxDepth) return undefined;
  const { schema: described } = plain;
  if (isFlag(described)) return flagOf(described);
  const { examples, example, default: byDefault, const: constant, enum: values } = described;
  const own =
    (Array.isArray(examples) ? examples[0] : undefined) ?? example ?? constant ?? byDefault;
  if (own !== undefined) return own;
  if (Array.isArray(values)) return narrowest(values)[0];
  const type = [described.type].flat().find((one) => one !== 'null') ?? [described.type].flat()[0];
  if (type === 'null') return null;
  if (type === 'boolean') return flagOf(described);
  if (type === 'integer' || type === 'number') return numberOf(described, type);
  if (type === 'array') return listOf(document, described, { name, depth });
  if (type === 'object' || described.properties) return objectOf(document, plain, depth);
  return secretFor(name, described) ?? textOf(described);
}

/** The values of an `enum` but for those that stand for all items, if there are others. */
export function narrowest(values: readonly unknown[]): readonly unknown[] {
  const others = values.filter((one) => !/^(?:all|any|every\w*|\*)$/i.test(String(one)));
  return others.length > 0 ? others : values;
}

/** Tells whether a schema is that of a boolean, by its type or by all values that it lists. */
export function isFlag({ type, enum: values }: Schema): boolean {
  const types = Array.isArray(values) ? values.map((one) => typeof (one ?? true)) : [type].flat();
  const others = types.filter((one) => one !== 'null');
  return others.length > 0 && others.every((one) => one === 'boolean');
}

/** Returns the boolean that a schema asks for, or false: one more that is true may end another's. */
export function flagOf({ const: constant, default: byDefault, enum: values }: Schema): unknown {
  const isAsked = Array.isArray(values) && !values.includes(false);
  const given = [constant, byDefault].find((one) => typeof one === 'boolean' || one === null);
  return given ?? (isAsked ? values[0] : false);
}

/** The length of secrets where a schema leaves it open, and the fewest characters of one. */
const [usualSecret, leastSecret] = [20, 4];

/**
 * A placeholder for a secret that fits a schema: each request gets another one at random. Undefined
 * where the property of this name holds none, or none is sure to fit.
 */
export function secretFor(name: string, schema: Schema): string | undefined {
  const { type = 'string', format, pattern, minLength = 0, maxLength: most = maxLength } = schema;
  const isFixed = schema.enum !== undefined || schema.const !== undefined;
  const isText = [type].flat().includes('string') && !isFixed;
  const isToken = format === 'uuid' || format === 'byte' || !Object.hasOwn(formats, String(format));
  if (!isSecret(name, schema) || !isText || !isToken) return undefined;
  const least = Math.max(Number(minLength), leastSecret);
  const length = Math.min(Math.max(least, usualSecret), Number(most), maxLength);
  const lengths = pattern === undefined ? [] : Array.from({ length: 64 }, (_, index) => index + 1);
  // In base64, four characters are a group.
  const own = format === 'byte' ? length - (length % 4) : length;
  const forms = format === 'uuid' ? ['uuid'] : [own, ...lengths].flatMap(formsOfSecrets);
  const form = forms.find((one) => {
    const samples = Array.from({ length: 10 }, () => makeSecret(one));
    return samples.every((text) => fitsText({ ...schema, minLength: least }, text));
  });
  return form && `{{${secretPrefix}${form}}}`;
}

/**
 * Returns a schema as one of its alternatives has it, its parts folded into one level: the first, or
 * that which a value is most `like`. Properties that only others require are left out.
 */
export function toPlain(
  { schemas }: Api,
  node: Schema,
  { describe = schemas.describeSent, like }: { describe?: DescribeSchema; like?: unknown } = {},
): PlainSchema | undefined {
  if (!isObject(schemas.resolve(node))) return undefined;
  const [way, ...others] = mostAlike(like, toPlainSchemas(node, describe));
  if (!way) return undefined;
  const isOfOther = (name: string) =>
    !way.required.includes(name) && others.some(({ required }) => required.includes(name));
  const own = Object.entries(way.properties).filter(([name]) => !isOfOther(name));
  // What is required need not be described.
  const asked = way.required.map((name) => [name, way.properties[name] ?? {}] as const);
  return { ...way, properties: Object.fromEntries([...own, ...asked]) };
}

/** Returns the same of a schema of an object. */
export function toPlainObject(...given: Parameters<typeof toPlain>): PlainSchema {
  return toPlain(...given) ?? { schema: {}, properties: {}, required: [] };
}

/** A schema whose lists have an item: no form or query has an empty list. */
export function withItem(document: Api, schema: Schema): Schema {
  const { schema: plain = {} } = toPlain(document, schema) ?? {};
  const isList = [plain.type].flat().includes('array');
  return isList ? { ...plain, minItems: Math.max(Number(plain.minItems ?? 1), 1) } : schema;
}

function numberOf(
  { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf = 1 }: Schema,
  type: 'integer' | 'number',
): number | undefined {
  const step = Number(multipleOf);
  const above = Number(exclusiveMinimum ?? Number.NEGATIVE_INFINITY);
  const least = Math.max(Number(minimum ?? Number.NEGATIVE_INFINITY), above);
  const below = Number(exclusiveMaximum ?? Number.POSITIVE_INFINITY);
  const most = Math.min(Number(maximum ?? Number.POSITIVE_INFINITY), below);
  const start = least > 1 || most < 1 ? (Number.isFinite(least) ? least : most) : 1;
  const fits = (value: number) =>
    value >= least &&
    value <= most &&
    value !== above &&
    value !== below &&
    (type === 'number' || Number.isInteger(value));
  const onStep = Math.ceil(start / step) * step;
  const tried = [onStep, onStep + step, onStep - step, (least + most) / 2];
  return tried.find(fits);
}

function listOf(
  document: Api,
  schema: Schema,
  { name, depth }: { name: string; depth: number },
): unknown[] | undefined {
  const { minItems = 0, items = {}, uniqueItems } = schema;
  const count = Number(minItems);
  if (count > maxItems) return undefined;
  if (uniqueItems === true && count > 1) {
    const { schema: item = {} } = toPlain(document, items as Schema) ?? {};
    const { type, enum: values } = item;
    if (Array.isArray(values)) return values.length < count ? undefined : values.slice(0, count);
    // Free texts become new ones, each another; others stay as they are.
    const isBound = fixing.some((keyword) => item[keyword] !== undefined);
    if (type !== 'string' || isBound || Number(item.maxLength ?? maxLength) < leastFree)
      return undefined;
  }
  const item = count > 0 ? exampleValue(document, items as Schema, name, depth + 1) : undefined;
  return count > 0 && item === undefined ? undefined : Array.from({ length: count }, () => item);
}

function objectOf(
  document: Api,
  { schema, properties, required }: PlainSchema,
  depth: number,
): unknown {
  const { minProperties = 0, additionalProperties: others = true } = schema;
  const count = Math.min(Number(minProperties), maxItems) - required.length;
  const keys = Array.from({ length: Math.max(count, 0) }, (_, index) => `key${index + 1}`);
  const optional = Object.keys(properties).filter((name) => !required.includes(name));
  const added = [...optional, ...(others === false ? [] : keys)].slice(0, keys.length);
  const schemaOf = (name: string) =>
    properties[name] ??
    (keys.includes(name) ? (isObject(others) ? others : { type: 'string' }) : {});
  const members = [...required, ...added].map(
    (name) => [name, exampleValue(document, schemaOf(name), name, depth + 1)] as const,
  );
  return members.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(members);
}

function textOf(schema: Schema): string | undefined {
  const { format, minLength = 0 } = schema;
  const least = Number(minLength);
  if (least > maxLength) return undefined;
  const known = formats[String(format)];
  const texts = known === undefined ? candidates : [known];
  const padded = known === undefined ? texts.map((text) => text.padEnd(least, 'x')) : [];
  return [...texts, ...padded, ''].find((text) => fitsText(schema, text)) ?? textOfPattern(schema);
}

/** Chooses the first of what a pattern allows, and as little of it as there may be. */
const plainest: Chooser = {
  number: { int: ({ min }) => min },
  helpers: { arrayElement: ([first]) => first as never },
};

/** Chooses what a number says: as long as a pattern allows others, each number gives another text. */
function chooserOf(number: number): Chooser {
  let left = number;
  const next = (count: number) => {
    const chosen = left % count;
    left = Math.floor(left / count);
    return chosen;
  };
  return {
    number: { int: ({ min, max }) => min + next(max - min + 1) },
    helpers: { arrayElement: (list) => list[next(list.length)] as never },
  };
}

/** The text of a pattern that a number stands for, or the plainest; undefined where none fits. */
function textOfPattern(schema: Schema, number?: number): string | undefined {
  const { pattern, minLength = 0 } = schema;
  const write = typeof pattern === 'string' ? createWritePattern(pattern) : undefined;
  const chooser = () => (number === undefined ? plainest : chooserOf(number));
  const spread = number === undefined ? 0 : maxSpread;
  const texts = write ? [write(chooser(), spread), write(chooser(), 0, Number(minLength))] : [];
  return texts.find((text) => fitsText(schema, text));
}

/** How much longer than its least a text is that a number stands for. */
const maxSpread = 6;

/** How the names of placeholders for texts of a pattern begin; the schema follows, in base64. */
export const variedPrefix = 'varied.';

/**
 * A placeholder for a text of a pattern where the document shows none: each request gets another one,
 * as long as there are others. They are not the run's alone.
 */
export function variedText({ pattern, minLength, maxLength: most, ...schema }: Schema) {
  const bounds = { pattern, minLength, maxLength: most };
  const fitting = (text: string) => fitsText(bounds, text);
  const isShown = [...fixing, 'enum'].some((name) => name in schema);
  const isMeant = !meaningless.some(fitting) && meaning.some(fitting);
  const texts =
    isShown || isMeant ? [] : [1, 2, 3, 4].map((number) => textOfPattern(bounds, number));
  const areOthers = new Set(texts).size > 2 && !texts.includes(undefined);
  const form = Buffer.from(JSON.stringify(bounds)).toString('base64url');
  return areOthers ? `{{${variedPrefix}${form}}}` : undefined;
}

/** The text that such a placeholder stands for in the request with a number. */
export function fillVaried(form: string, number: number): string {
  const schema = JSON.parse(Buffer.from(form, 'base64url').toString());
  return textOfPattern(schema, number) ?? '';
}

/** Whether a text has the length and the form that a schema asks for. */
export function fitsText(
  { pattern, minLength = 0, maxLength: most }: Schema,
  text: string,
): boolean {
  if (text.length < Number(minLength) || text.length > Number(most ?? Infinity)) return false;
  return typeof pattern !== 'string' || new Pattern(pattern).test(text);
}
