import { type ApiDocument, resolveSchema, type Schema } from '../description/document.ts';
import { fromFragmentToken } from '../description/json-pointer.ts';
import { Pattern } from '../description/pattern.ts';
import { valueIn } from '../description/property-path.ts';

/** A place within a JSON value: the keys and indexes that lead there. */
export type Place = readonly string[];

const maxKeyLength = 40;

/** The place that the fragment of a JSON pointer names (RFC 6901 §6), such as `#/3/id`. */
export function toPlace(fragment: string): Place {
  return fragment.split('/').slice(1).map(fromFragmentToken);
}

/** A place as a person writes it: `[3].id`, and `the body` for the whole. */
export function nameOf(root: unknown, place: Place): string {
  if (place.length === 0) return 'the body';
  return place
    .map((key, depth) => {
      if (Array.isArray(valueIn(root, place.slice(0, depth)))) return `[${key}]`;
      if (/^[\p{L}_$][\p{L}\p{N}_$]{0,39}$/u.test(key)) return depth === 0 ? key : `.${key}`;
      return `[${toText(key, maxKeyLength)}]`;
    })
    .join('');
}

/** A text in quotes, cut at a length, in which every character can be seen. */
export function toText(text: string, maxLength: number): string {
  const characters = [...text.slice(0, maxLength * 2)];
  const isCut = text.length > maxLength * 2 || characters.length > maxLength;
  const shown = isCut ? `${characters.slice(0, maxLength - 3).join('')}...` : text;
  return JSON.stringify(shown).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (char) => {
    const code = (char.codePointAt(0) as number).toString(16);
    return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
  });
}

/** Keywords of which a text in a URL cannot be told to fulfil them. */
const others = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'properties', 'contentMediaType'] as const;

/**
 * Whether the interface says what a parameter of this value asks for: false where its schema excludes
 * the value, and undefined where the schema says too little, or too much, to tell.
 */
export function isWithin(document: ApiDocument, given: Schema, value: string): boolean | undefined {
  const schema = resolveSchema(document, given);
  if (others.some((keyword) => schema[keyword] !== undefined)) return undefined;
  const { type, enum: values, const: only } = schema;
  if (only !== undefined) return String(only) === value;
  if (Array.isArray(values)) return values.some((one) => String(one) === value);
  const ofTypes = [type].flat().map((one) => isOfType(document, schema, one, value));
  return ofTypes.includes(true) ? true : ofTypes.includes(undefined) ? undefined : false;
}

function isOfType(
  document: ApiDocument,
  schema: Schema,
  type: unknown,
  value: string,
): boolean | undefined {
  switch (type) {
    case 'integer':
      return /^(0|-?[1-9]\d{0,15})$/.test(value) && isBetween(schema, Number(value));
    case 'number':
      return /^-?(0|[1-9]\d*)(\.\d+)?$/.test(value) && isBetween(schema, Number(value));
    case 'boolean':
      return value === 'true' || value === 'false';
    case 'string':
      return isText(schema, value);
    case 'array':
      // How several items are written depends on the style of the parameter.
      return value.includes(',') || !isSchema(schema.items)
        ? undefined
        : isWithin(document, schema.items, value);
    case undefined:
      return true;
    default:
      return undefined;
  }
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null;
}

function isBetween(schema: Schema, number: number): boolean {
  const {
    minimum = Number.NEGATIVE_INFINITY,
    maximum = Number.POSITIVE_INFINITY,
    exclusiveMinimum = Number.NEGATIVE_INFINITY,
    exclusiveMaximum = Number.POSITIVE_INFINITY,
    multipleOf,
    format,
  } = schema;
  const isMultiple = multipleOf === undefined || Number.isInteger(number / Number(multipleOf));
  return (
    number >= Number(minimum) &&
    number <= Number(maximum) &&
    number > Number(exclusiveMinimum) &&
    number < Number(exclusiveMaximum) &&
    isMultiple &&
    (format !== 'int32' || Math.abs(number) < 2 ** 31)
  );
}

/** Texts of formats that are told apart here. */
const formats: Readonly<Record<string, (value: string) => boolean>> = {
  date: (value) => /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value)),
  'date-time': (value) =>
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i.test(value) &&
    !Number.isNaN(Date.parse(value)),
  uuid: (value) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value),
};

function isText(
  { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern, format }: Schema,
  value: string,
): boolean | undefined {
  // A parameter without a value may count as none.
  if (value === '') return undefined;
  const length = [...value].length;
  if (length < Number(minLength) || length > Number(maxLength)) return false;
  if (typeof format === 'string') return formats[format]?.(value);
  return pattern === undefined ? true : matches(String(pattern), value);
}

function matches(pattern: string, value: string): boolean | undefined {
  try {
    return new Pattern(pattern).test(value);
  } catch {
    return undefined;
  }
}

/** A part of a URL without its percent-encoding; as it is where that is broken, as clients send it. */
export function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
