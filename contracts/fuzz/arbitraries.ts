import type { Arbitrary } from 'fast-check';
import { toJson } from '../../common/json.ts';
import { Pattern } from '../../common/pattern.ts';
import { type Chooser, createWritePattern } from '../../common/pattern-text.ts';
import type { Api, Schema } from '../../openapi/index.ts';
import { type PlainSchema, toPlainSchemas } from '../../openapi/values/plain-schema.ts';

/** The library that makes random values; it is loaded only if a run is to fuzz. */
export type FastCheck = typeof import('fast-check');

/** How deep optional members are made, and how deep any are: a schema may hold itself. */
const [maxOptionalDepth, maxDepth] = [3, 8];

/** How many items, and how many characters, a list or a text gets beyond its least. */
const [moreItems, moreCharacters] = [4, 40];

/** The types that a schema without a type allows. */
const anyType = ['string', 'integer', 'boolean', 'null'];

/**
 * Creates the arbitrary of values that a schema of a request allows, each alternative as often as the
 * others. A schema with `not`, or one that nothing fits, may get values that do not fit.
 */
export function createValid(fc: FastCheck, document: Api): (schema: Schema) => Arbitrary<unknown> {
  const describe = document.schemas.describeSent;

  const ofSchema = (schema: Schema, depth: number): Arbitrary<unknown> => {
    if (depth > maxDepth) return fc.constant(null);
    const ways = toPlainSchemas(schema, describe);
    return fc.oneof(...(ways.length > 0 ? ways.map((one) => ofPlain(one, depth)) : [anything]));
  };
  const anything = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));

  const ofPlain = (plain: PlainSchema, depth: number): Arbitrary<unknown> => {
    const { schema } = plain;
    if ('const' in schema) return fc.constant(schema.const);
    if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
    return fc.oneof(...typesOf(plain).map((type) => ofType(type, plain, depth)));
  };

  const ofType = (type: string, plain: PlainSchema, depth: number): Arbitrary<unknown> => {
    const { schema } = plain;
    switch (type) {
      case 'null':
        return fc.constant(null);
      case 'boolean':
        return fc.boolean();
      case 'integer':
        return ofInteger(schema);
      case 'number':
        return ofNumber(schema);
      case 'array':
        return ofList(schema, depth);
      case 'object':
        return ofObject(plain, depth);
      default:
        return ofText(schema);
    }
  };

  const ofInteger = (schema: Schema): Arbitrary<unknown> => {
    const [least, most] = boundsOf(schema);
    const step = Number(schema.multipleOf ?? 1);
    const widest = schema.format === 'int32' ? 2 ** 31 - 1 : Number.MAX_SAFE_INTEGER;
    const min = Math.ceil(Math.max(least, -widest) / step);
    const max = Math.floor(Math.min(most, widest) / step);
    if (min > max) return fc.constant(min * step);
    return fc.integer({ min, max }).map((one) => one * step);
  };

  const ofNumber = (schema: Schema): Arbitrary<unknown> => {
    if (schema.multipleOf !== undefined) return ofInteger(schema);
    const [min, max] = boundsOf({ ...schema, type: 'number' });
    const isBounded = Number.isFinite(min) || Number.isFinite(max);
    const limits = isBounded ? { min: Math.max(min, -1e300), max: Math.min(max, 1e300) } : {};
    return fc.double({ ...limits, noNaN: true, noDefaultInfinity: true }).map((one) => one || 0);
  };

  const ofText = (schema: Schema): Arbitrary<string> => {
    const { format, pattern, minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema;
    const least = Number(minLength);
    const most = Math.min(Number(maxLength), least + moreCharacters);
    const fits = (text: string) =>
      [...text].length >= least && [...text].length <= Number(maxLength);
    const ofFormat = formats[String(format)]?.(fc);
    if (ofFormat && pattern === undefined) return ofFormat;
    if (typeof pattern === 'string') return ofPattern(fc, { pattern, least, most, fits });
    const length = { minLength: least, maxLength: Math.max(least, most) };
    return fc.oneof(
      fc.string({ ...length, unit: 'grapheme-ascii' }),
      fc.string({ ...length, unit: 'binary' }),
    );
  };

  const ofList = (schema: Schema, depth: number): Arbitrary<unknown> => {
    const { items, minItems = 0, maxItems = Number.POSITIVE_INFINITY, uniqueItems } = schema;
    const minLength = Number(minItems);
    const wanted = depth > maxOptionalDepth ? minLength : minLength + moreItems;
    const length = { minLength, maxLength: Math.min(Number(maxItems), wanted) };
    const item = typeof items === 'object' ? ofSchema(items as Schema, depth + 1) : anything;
    return uniqueItems === true
      ? fc.uniqueArray(item, { ...length, selector: (one) => toJson(one) })
      : fc.array(item, length);
  };

  const ofObject = ({ properties, required }: PlainSchema, depth: number): Arbitrary<unknown> => {
    const names = Object.keys(properties).filter(
      (name) => required.includes(name) || depth <= maxOptionalDepth,
    );
    const members = [...new Set([...names, ...required])].map(
      (name) => [name, ofSchema(properties[name] ?? {}, depth + 1)] as const,
    );
    return fc.record(Object.fromEntries(members), {
      requiredKeys: required,
      noNullPrototype: true,
    });
  };

  return (schema) => ofSchema(schema, 0);
}

/** A host of nobody (RFC 2606): a target may write to an address, or call it. */
function hostOf(fc: FastCheck): Arbitrary<string> {
  return fc.stringMatching(/^[a-z]{1,12}$/).map((label) => `${label}.example.com`);
}

/** Texts of the formats that JSON Schema and OpenAPI know. */
const formats: Readonly<Record<string, (fc: FastCheck) => Arbitrary<string>>> = {
  uuid: (fc) => fc.uuid(),
  email: (fc) => hostOf(fc).map((host) => `x@${host}`),
  uri: (fc) => fc.tuple(hostOf(fc), fc.webPath()).map(([host, path]) => `https://${host}${path}`),
  url: (fc) => hostOf(fc).map((host) => `https://${host}/`),
  hostname: hostOf,
  ipv4: (fc) => fc.nat(254).map((last) => `192.0.2.${last}`),
  ipv6: (fc) => fc.nat(65_535).map((last) => `2001:db8::${last.toString(16)}`),
  'date-time': (fc) => instantOf(fc),
  date: (fc) => instantOf(fc).map((text) => text.slice(0, 10)),
  time: (fc) => instantOf(fc).map((text) => text.slice(11)),
  byte: (fc) => fc.string({ maxLength: 20 }).map((text) => Buffer.from(text).toString('base64')),
};

function instantOf(fc: FastCheck): Arbitrary<string> {
  const range = { min: new Date('1970-01-01'), max: new Date('2100-01-01') };
  return fc.date({ ...range, noInvalidDate: true }).map((date) => date.toISOString());
}

/** Texts of a pattern, written as those of the mock are, with choices that are made anew. */
function ofPattern(
  fc: FastCheck,
  {
    pattern,
    least,
    most,
    fits,
  }: { pattern: string; least: number; most: number; fits: (text: string) => boolean },
): Arbitrary<string> {
  const write = createWritePattern(pattern);
  const expression = new Pattern(pattern);
  if (!write) return fc.constant('');
  const draw = fc.infiniteStream(fc.nat());
  return fc.tuple(draw, fc.integer({ min: least, max: most })).map(([numbers, length]) => {
    const next = (count: number) => Number(numbers.next().value) % count;
    const chooser: Chooser = {
      number: { int: ({ min, max }) => min + next(max - min + 1) },
      helpers: { arrayElement: (list) => list[next(list.length)] as never },
    };
    const texts = [write(chooser, 2), write(chooser, 20, length), write(chooser, 0, least)];
    return texts.find((text) => fits(text) && expression.test(text)) ?? (texts[0] as string);
  });
}

/** The types of what a schema describes, as it names them or as its keywords tell. */
function typesOf({ schema, properties }: PlainSchema): readonly string[] {
  if (schema.type !== undefined) return [schema.type].flat() as string[];
  if (Object.keys(properties).length > 0 || schema.additionalProperties !== undefined)
    return ['object'];
  if (schema.items !== undefined) return ['array'];
  return (schema.pattern ?? schema.format ?? schema.minLength ?? schema.maxLength)
    ? ['string']
    : anyType;
}

/** The smallest and the largest number that a schema allows: of integers, whole ones. */
export function boundsOf(schema: Schema): [least: number, most: number] {
  const isWhole = schema.type !== 'number';
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  const above = Number(exclusiveMinimum ?? Number.NEGATIVE_INFINITY);
  const below = Number(exclusiveMaximum ?? Number.POSITIVE_INFINITY);
  const gap = (bound: number) => (Number.isFinite(bound) ? Math.max(Math.abs(bound), 1) * 1e-9 : 0);
  return [
    Math.max(
      Number(minimum ?? Number.NEGATIVE_INFINITY),
      isWhole ? Math.floor(above) + 1 : above + gap(above),
    ),
    Math.min(
      Number(maximum ?? Number.POSITIVE_INFINITY),
      isWhole ? Math.ceil(below) - 1 : below - gap(below),
    ),
  ];
}
