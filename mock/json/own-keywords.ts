import { createRequire } from 'node:module';
import type { Ajv } from 'ajv';
import type { DataValidationCxt, SchemaValidateFunction } from 'ajv/dist/types/index.js';
import type { Api, Schema } from '../../openapi/index.ts';
import { toTag } from '../../openapi/values/plain-schema.ts';
import { toExact } from './exact-json.ts';

// Parts of Ajv are loaded with it.
const require = createRequire(import.meta.url);

/**
 * Replaces the keywords of Ajv that are slow, or wrong with fractions and large integers, of which
 * `exactOf` is given if the document has some.
 */
export function useOwnKeywords(ajv: Ajv, exactOf: Api['exact']['of'] | undefined): void {
  useFastUniqueItems(ajv);
  useExactMultipleOf(ajv);
  useDiscriminators(ajv);
  useDependentSchemas(ajv);
  if (exactOf) useExactBounds(ajv, exactOf);
}

/**
 * Lets a validator judge a value by the alternative that its discriminator names, whatever others
 * it fits. A value that names no known one must fit any, and a value that names none exactly one.
 */
function useDiscriminators(ajv: Ajv): void {
  const oneOf = ajv.getKeyword('oneOf');
  if (typeof oneOf !== 'object' || !('code' in oneOf)) return;
  ajv.removeKeyword('oneOf').addKeyword({
    ...oneOf,
    code: (context) => byTag(context.parentSchema) ?? oneOf.code(context),
  });
  const macro = (_: unknown, parent: Schema) => byTag(parent) ?? {};
  ajv.removeKeyword('discriminator').addKeyword({ keyword: 'discriminator', macro });
}

/** Lets `unevaluatedProperties` know properties of objects to which no dependent schema applies. */
function useDependentSchemas(ajv: Ajv): void {
  const keyword = ajv.getKeyword('dependentSchemas');
  if (typeof keyword !== 'object' || !('code' in keyword)) return;
  const { Name } = require('ajv/dist/compile/codegen/index.js') as typeof import('ajv');
  const { evaluatedPropsToName } =
    require('ajv/dist/compile/util.js') as typeof import('ajv/dist/compile/util.js');
  ajv.removeKeyword('dependentSchemas').addKeyword({
    ...keyword,
    before: 'unevaluatedProperties',
    code(context) {
      // Ajv lists these where the first dependent schema applies, and has no list elsewhere.
      const { gen, it } = context;
      if (it.props !== true && !(it.props instanceof Name))
        it.props = evaluatedPropsToName(gen, it.props);
      keyword.code(context);
    },
  });
}

/** Lists the keywords that bound values, and say nothing of their types and members. */
const bounding =
  'minLength maxLength pattern format minimum maximum exclusiveMinimum exclusiveMaximum multipleOf ' +
  'minItems maxItems uniqueItems minProperties maxProperties';

/**
 * Lets a validator judge types, members and listed values alone: not bounds, nor which of the
 * members of an object go together. A value may fit several alternatives.
 */
export function useShapesAlone(ajv: Ajv): void {
  for (const keyword of bounding.split(' '))
    ajv.removeKeyword(keyword).addKeyword({ keyword, validate: () => true });
  const isShape = (one: Schema) =>
    Object.keys(one).some((key) => key !== 'required' && !key.startsWith('x-'));
  const macro = (alternatives: Schema[]) =>
    alternatives.some(isShape) ? { anyOf: alternatives } : {};
  ajv.removeKeyword('oneOf').addKeyword({ keyword: 'oneOf', macro });
}

/** Returns what alternatives ask of values, of which some name one that is a `$ref`. */
function byTag(schema: Schema): Schema | undefined {
  const keyword = schema.oneOf === undefined ? 'anyOf' : 'oneOf';
  const alternatives = (schema[keyword] ?? []) as Schema[];
  const tags = alternatives.map(({ $ref }) => toTag(schema, $ref, true));
  const named = tags.filter((tag) => tag !== undefined);
  if (!named[0]) return undefined;
  const { name } = named[0];
  const isTagged = { type: 'object', required: [name] };
  const names = (values: unknown[]) => ({ ...isTagged, properties: { [name]: { enum: values } } });
  const each = alternatives.flatMap((one, index) => {
    const value = tags[index]?.value;
    return value === undefined ? [] : [{ if: { not: names([value]) }, else: one }];
  });
  const all = names(named.map(({ value }) => value));
  const others = [
    { if: all, else: { anyOf: alternatives } },
    { if: isTagged, else: { [keyword]: alternatives } },
  ];
  return { allOf: [...each, ...others] };
}

const bounds: Readonly<Record<string, (value: number | bigint, limit: number) => boolean>> = {
  minimum: (value, limit) => value >= limit,
  maximum: (value, limit) => value <= limit,
  exclusiveMinimum: (value, limit) => value > limit,
  exclusiveMaximum: (value, limit) => value < limit,
};

/** Lets a validator compare integers to the digit, with bounds as the document has them. */
function useExactBounds(ajv: Ajv, exactOf: NonNullable<Api['exact']['of']>): void {
  for (const [keyword, isWithin] of Object.entries(bounds)) {
    const validate: SchemaValidateFunction = (bound: number, value: number, _, place) => {
      const limit = exactOf(bound);
      validate.errors = [{ keyword, params: { limit } }];
      return isWithin(place ? toExact(value, place) : value, limit);
    };
    ajv
      .removeKeyword(keyword)
      .addKeyword({ keyword, type: 'number', schemaType: 'number', validate });
  }
}

/** Lets a validator tell multiples by decimals: 19.99 / 0.01 is no integer of doubles. */
function useExactMultipleOf(ajv: Ajv): void {
  ajv.removeKeyword('multipleOf').addKeyword({
    keyword: 'multipleOf',
    type: 'number',
    schemaType: 'number',
    validate: (divisor: number, value: number, _?: unknown, place?: DataValidationCxt) =>
      isMultipleOf(place ? toExact(value, place) : value, divisor),
  });
}

/** Tells whether a number is a multiple of another, by the decimals that are written for them. */
function isMultipleOf(value: number | bigint, divisor: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor))
    return Number(value) % divisor === 0;
  const [left, right] = [toDecimal(value), toDecimal(divisor)];
  const least = Math.min(left.exponent, right.exponent);
  return scaled(left, least) % scaled(right, least) === 0n;
}

/** An integer, and the power of ten that it is multiplied with. */
type Decimal = { digits: bigint; exponent: number };

function toDecimal(value: number | bigint): Decimal {
  const [mantissa = '', power = '0'] = String(value).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), exponent: Number(power) - fraction.length };
}

function scaled({ digits, exponent }: Decimal, least: number): bigint {
  return digits * 10n ** BigInt(exponent - least);
}

/**
 * Lets a validator find equal items (`uniqueItems`) by their text. Ajv compares each with each
 * where they are objects: one MiB of them took minutes.
 */
function useFastUniqueItems(ajv: Ajv): void {
  ajv.removeKeyword('uniqueItems').addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    validate: (isUnique: boolean, items: unknown[]) =>
      !isUnique || new Set(items.map(toComparedText)).size === items.length,
    error: { message: 'must not have two equal items' },
  });
}

/**
 * Returns a text that equal values of JSON share (JSON Schema §4.2.2): the order of properties does
 * not matter.
 */
function toComparedText(value: unknown): string {
  return JSON.stringify(value, (_, inner) => {
    if (typeof inner === 'number' && !Number.isFinite(inner)) return `${inner}`;
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner;
    return Object.fromEntries(
      Object.entries(inner).sort(([left], [right]) => (left < right ? -1 : 1)),
    );
  });
}
