import { isObject, type RawDocument } from '../description/schema.ts';

/** A schema that JSON of this shape keeps, and that asks for no member. */
export function toSchema(value: unknown): RawDocument {
  if (value === null) return { type: 'null' };
  if (Array.isArray(value))
    return value.length === 0
      ? { type: 'array', items: {} }
      : { type: 'array', items: toSchema(value[0]) };
  if (isObject(value))
    return {
      type: 'object',
      properties: Object.fromEntries(
        Object.entries(value).map(([name, member]) => [name, toSchema(member)]),
      ),
    };
  return { type: typeof value === 'bigint' ? 'integer' : typeof value };
}
