import type { Api, Schema } from '../../openapi/index.ts';
import { isInt64 } from './exact-json.ts';
import { keepsFormat } from './formats.ts';

/** Whether a value keeps a keyword of a schema for certain. */
type Keeps = (
  value: unknown,
  keyword: unknown,
  look: (part: Schema, inner: unknown) => boolean,
) => boolean;

const types: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: Number.isFinite,
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
  array: Array.isArray,
  object: isRecord,
  null: (value) => value === null,
};

const isOfType = (value: unknown, type: unknown) => types[type as string]?.(value) ?? false;

const keepsAnything: Keeps = () => true;

const keywords: Readonly<Record<string, Keeps>> = {
  ...Object.fromEntries(
    ['title', 'description', 'example', 'examples', 'default', 'deprecated'].map((name) => [
      name,
      keepsAnything,
    ]),
  ),
  type: (value, type) => [type].flat().some((one) => isOfType(value, one)),
  format: (value, format) => {
    if (typeof value === 'number') return format === 'int64' && isInt64(value);
    return value === null || (typeof value === 'string' && keepsFormat(value, String(format)));
  },
  enum: (value, values) => typeof value === 'string' && (values as unknown[]).includes(value),
  required: (value, names) =>
    isRecord(value) && (names as string[]).every((name) => Object.hasOwn(value, name)),
  properties: (value, properties, look) =>
    isRecord(value) &&
    Object.entries(properties as Record<string, Schema>).every(
      ([name, part]) => !Object.hasOwn(value, name) || look(part, value[name]),
    ),
  items: (value, part, look) =>
    Array.isArray(value) && value.every((item) => look(part as Schema, item)),
  allOf: (value, parts, look) => (parts as Schema[]).every((part) => look(part, value)),
};

/** How deep it looks. */
const maxDepth = 10;

/**
 * Whether a value surely fits a schema, without a validator: loading and compiling one would delay
 * the first answer most. False if unsure.
 */
export function surelyFits(document: Api, schema: Schema, value: unknown, depth = 0): boolean {
  if (depth > maxDepth) return false;
  const look = (part: Schema, inner: unknown) => surelyFits(document, part, inner, depth + 1);
  const { $ref, ...others } = schema;
  if ($ref !== undefined && !look(document.schemas.resolve({ $ref }), value)) return false;
  return Object.entries(others).every(
    ([name, keyword]) => name.startsWith('x-') || (keywords[name]?.(value, keyword, look) ?? false),
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
