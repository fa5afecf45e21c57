import { isObject } from '../../common/json.ts';
import type { RawDocument } from '../schema.ts';
import { walkDocument } from './parts.ts';
import type { Places } from './places.ts';

/**
 * Makes an OpenAPI 3.0 document one of 3.1, in place: only what both versions read differently is
 * changed. `places` gets what is moved.
 */
export function upgradeTo31(document: RawDocument, places: Places): void {
  walkDocument(document, (part, { kind, pointer }) => {
    if (kind !== 'schema' || !isObject(part)) return;
    if (typeof part.$ref === 'string') upgradeReference(part);
    upgradeBounds(part);
    if ('nullable' in part) upgradeNullable(part, places.find(document, pointer), places);
  });
  document.openapi = '3.1.0';
}

/** Beside a reference, 3.0 ignores all else; but `nullable` there is meant by whoever writes it. */
function upgradeReference(schema: RawDocument): void {
  const { $ref, nullable } = schema;
  for (const keyword of Object.keys(schema))
    if (keyword !== 'description' && !keyword.startsWith('x-')) delete schema[keyword];
  schema.$ref = $ref;
  if (nullable === true) schema.nullable = true;
}

/** Makes boolean bounds numbers, in a schema of whatever version. */
export function upgradeBounds(schema: RawDocument): void {
  for (const [exclusive, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    const is = schema[exclusive];
    if (typeof is !== 'boolean') continue;
    delete schema[exclusive];
    if (!is || schema[bound] === undefined) continue;
    schema[exclusive] = schema[bound];
    delete schema[bound];
  }
}

const combined = ['$ref', 'allOf', 'anyOf', 'oneOf'];

/** Makes `nullable` the type `null`, in a schema of whatever version that was written at a place. */
export function upgradeNullable(schema: RawDocument, place: string, places: Places): void {
  const { nullable, type } = schema;
  delete schema.nullable;
  if (nullable !== true) return;
  if (type !== undefined) {
    const types = [type].flat();
    schema.type = types.includes('null') ? types : [...types, 'null'];
    if (Array.isArray(schema.enum) && !schema.enum.includes(null))
      schema.enum = [...schema.enum, null];
    return;
  }
  const inner: RawDocument = {};
  for (const keyword of combined.filter((one) => one in schema)) {
    inner[keyword] = schema[keyword];
    delete schema[keyword];
  }
  if (Object.keys(inner).length === 0) return;
  schema.anyOf = [inner, { type: 'null' }];
  places.note(inner, place);
}
