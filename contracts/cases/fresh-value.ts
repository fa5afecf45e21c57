import { membersOf, toJson } from '../../common/json.ts';
import type { Api, Schema } from '../../openapi/index.ts';
import {
  exampleValue,
  fitsText,
  flagOf,
  isFlag,
  secretFor,
  toPlain,
  toPlainObject,
  variedText,
} from './example-value.ts';
import { hasPlaceholder } from './placeholders.ts';

/** Twelve hexadecimal digits that no other request of any run has. */
export const freshText = '{{run}}{{fresh}}';
const digits = freshText;

/** How many these are. */
export const freshLength = 12;

const forms = new Map<unknown, string>([
  // A service may tie a user or a site to the whole domain.
  ['email', `x@${digits}.example.com`],
  ['uri', `https://${digits}.example.com/`],
  ['uuid', `00000000-0000-4000-8000-${digits}`],
  ['date-time', '{{instant}}'],
  ['binary', digits],
]);

/** As long as the longest of them becomes, and the shortest. */
const [longest, shortest] = [36, freshLength];

/** The same digits in capitals. */
const capitals = digits.toUpperCase();

/** Texts with such digits, for patterns. */
const texts = [digits, `a${digits}`, `A${digits}`, capitals, `A${capitals}`];

/** Digits that show what a pattern makes of them. */
const samples = ['0123456789ab', 'fedcba987654', '000000000000', 'ffffffffffff'];

/**
 * A value for a property of which no two items have the same: another one in each request.
 * Undefined where none is sure to fit.
 */
export function freshValue(schema: Schema): string | undefined {
  const { enum: values, const: constant, pattern, format } = schema;
  const types = [schema.type].flat();
  if (values !== undefined || constant !== undefined) return undefined;
  if (types.includes('integer')) return isWide(schema) ? '{{number}}' : undefined;
  if (!types.includes('string')) return undefined;
  if (pattern === undefined && format === undefined) return plainText(schema);
  if (pattern === undefined) return fits(schema, longest) ? forms.get(format) : undefined;
  if (format !== undefined) return undefined;
  return texts.find((text) =>
    samples.every((sample) => fitsText(schema, withDigits(text, sample))),
  );
}

/** Returns such digits, filled up to the length that a text needs. */
function plainText({ minLength = 0, maxLength = Infinity }: Schema): string | undefined {
  const least = Math.max(Number(minLength), freshLength);
  const isRoomy = Number(maxLength) >= least && least <= maxFilled;
  return isRoomy ? digits + 'x'.repeat(least - freshLength) : undefined;
}

/** How long texts are made at most. */
const maxFilled = 1000;

function fits({ minLength = shortest, maxLength = longest }: Schema, length: number): boolean {
  return Number(minLength) <= shortest && Number(maxLength) >= length;
}

/** A text with other digits in the place of those that a request makes new. */
function withDigits(text: string, others: string): string {
  return text.replaceAll(digits, others).replaceAll(capitals, others.toUpperCase());
}

/** Whether a number may be any from 1 to the largest of 32 bits. */
export function isWide({
  minimum = 0,
  maximum = 2 ** 31,
  multipleOf = 1,
  ...rest
}: Schema): boolean {
  const [min, max] = [rest.exclusiveMinimum ?? 0, rest.exclusiveMaximum ?? 2 ** 31];
  const isBounded = [minimum, min].every((one) => Number(one) <= 1);
  return isBounded && [maximum, max].every((one) => Number(one) >= 2 ** 31 - 1) && multipleOf === 1;
}

/** A number that no rounding makes a whole one but 0. */
const part = 0.25;

/** Returns a number that can be no id, as it is not whole; undefined where none is sure to fit. */
export function partValue(schema: Schema): number | undefined {
  const { minimum = 0, maximum = 1, exclusiveMinimum = 0, exclusiveMaximum = 1 } = schema;
  const isIn = Number(minimum) <= part && Number(maximum) >= part;
  const isWithin = Number(exclusiveMinimum) < part && Number(exclusiveMaximum) > part;
  const isFree = schema.enum === undefined && schema.const === undefined;
  const isWhole = String(schema.format).startsWith('int') || schema.multipleOf !== undefined;
  const isNumber = [schema.type].flat().includes('number') && !isWhole;
  return isNumber && isFree && isIn && isWithin ? part : undefined;
}

/**
 * Replaces a text or number that may refer to an item by one that no item has; unchanged if none
 * surely fits. Within an object, a number is likely a count: 0 if allowed.
 */
export function unlikeAny(
  document: Api,
  { schema: node, value, place }: { schema: Schema; value: unknown; place: string },
): unknown {
  if (hasPlaceholder(String(value))) return value;
  const type = typeof value === 'string' ? 'string' : 'number';
  const schema: Schema = { type, ...toPlain(document, node)?.schema };
  if (typeof value === 'string') {
    const isMadeUp = value === exampleValue(document, node);
    return freshValue(schema) ?? (isMadeUp ? variedText(schema) : undefined) ?? value;
  }
  const uneven = partValue(schema);
  if (uneven !== undefined) return uneven;
  if (schema.enum !== undefined || schema.const !== undefined) return value;
  if (place.includes('.')) return mayBeNone(schema) ? 0 : value;
  // A number of 32 bits would be rounded as a float.
  return schema.format === 'float' ? value : (freshValue({ ...schema, type: 'integer' }) ?? value);
}

function mayBeNone({ minimum = 0, maximum = 0, exclusiveMinimum = -1, ...rest }: Schema): boolean {
  const isIn = Number(minimum) <= 0 && Number(maximum) >= 0;
  return isIn && Number(exclusiveMinimum) < 0 && Number(rest.exclusiveMaximum ?? 1) > 0;
}

/** Whether a value is, or holds, a new whole number, which may be more than is meant: `replicas`. */
export function holdsNumber(value: unknown): boolean {
  return (toJson(value) ?? '').includes('{{number}}');
}

/** Numbers that deployments count up to for no item: twice this still has 32 bits. */
const beyondIds = 2 ** 30;

/**
 * A value of an item and the name of its property, whether the run sent it, and two texts that no
 * item has, one of digits.
 */
export type HeldValue = {
  name?: string;
  value: unknown;
  isOwn: boolean;
  marker: string;
  fresh: string;
};

/** Another value of a simple property that names no item; undefined where none is sure to fit. */
export function otherValue(document: Api, schema: Schema, held: HeldValue): unknown {
  const { schema: plain } = toPlainObject(document, schema, { like: held.value ?? undefined });
  const { type, enum: values } = plain;
  const types = [type].flat();
  if (types.includes('boolean') || isFlag(plain)) {
    const flag = flagOf(plain);
    return flag === held.value ? undefined : flag;
  }
  if (Array.isArray(values)) return values.find((one) => one !== held.value && one !== null);
  if (plain.const !== undefined) return undefined;
  if (types.includes('integer') || types.includes('number')) return otherNumber(plain, held);
  const other = types.includes('string')
    ? (secretFor(held.name ?? '', plain) ?? otherText(document, plain, held))
    : exampleValue(document, schema, held.name);
  return other !== undefined && !isMerged(other, held.value) ? other : undefined;
}

/** A number beyond all ids; next to one that the run sent, which may be small, another small one. */
function otherNumber(schema: Schema, { value, isOwn }: HeldValue): number | undefined {
  const { minimum = -Infinity, maximum = Infinity, multipleOf, ...rest } = schema;
  const now = Number(value ?? Math.max(0, Number(minimum)));
  const isAny = [schema.type].flat().includes('integer') && isWide(schema);
  const near = Number.isInteger(now) ? now + 1 : now / 2;
  const next = now < beyondIds && (isAny || !isOwn) ? now + 1 + beyondIds : near;
  const isIn = next >= Number(minimum) && next <= Number(maximum) && multipleOf === undefined;
  const isBelow = next < Number(rest.exclusiveMaximum ?? Infinity);
  return isIn && isBelow && Math.abs(next) <= Number.MAX_SAFE_INTEGER ? next : undefined;
}

/** A text that the run makes up: no example of a document, nor one so short that it may be an id. */
function otherText(document: Api, schema: Schema, { marker, fresh }: HeldValue): unknown {
  const { type, format, pattern, minLength = 0, maxLength = Infinity } = schema;
  if (format === undefined && pattern === undefined) {
    if (Number(maxLength) >= marker.length + 10) return marker;
    return fits(schema, freshLength) ? fresh : undefined;
  }
  const text = withDigits(freshValue(schema) ?? '{{', fresh);
  if (!text.includes('{{')) return text;
  return pattern === undefined
    ? exampleValue(document, { type, format, minLength, maxLength })
    : undefined;
}

/** Whether a value is the same after a merge patch (RFC 7396) with another one. */
function isMerged(patch: unknown, value: unknown): boolean {
  const [members, held] = [membersOf(patch), membersOf(value)];
  if (!members || !held || Array.isArray(patch) || Array.isArray(value))
    return toJson(patch) === toJson(value);
  return Object.entries(members).every(
    ([name, member]) => Object.hasOwn(held, name) && isMerged(member, held[name]),
  );
}
