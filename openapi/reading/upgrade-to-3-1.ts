import { isObject } from '../../common/json.ts';
import { asksNothing, type RawDocument } from '../schema.ts';
import type { Place } from './parts.ts';
import type { Places } from './places.ts';

/**
 * Creates a visit that makes a part of OpenAPI 3.0 one of 3.1, in place: only what both versions read
 * differently is changed. `places` gets what is moved.
 */
export function createUpgrade(places: Places) {
  return (part: unknown, place: Place): void => {
    if (place.kind === 'document') place.root.openapi = '3.1.0';
    if (place.kind !== 'schema' || !isObject(part)) return;
    if (typeof part.$ref === 'string') upgradeReference(part);
    upgradeBounds(part);
    upgradeNulls(part.oneOf);
    upgradeNulls(part.anyOf);
    if ('nullable' in part)
      upgradeNullable(part, () => places.find(place.root, place.pointer), places);
  };
}

/** Beside a reference, 3.0 ignores all else; but `nullable` there is meant by whoever writes it. */
function upgradeReference(schema: RawDocument): void {
  const { $ref, nullable } = schema;
  for (const keyword of Object.keys(schema))
    if (keyword !== 'description' && !keyword.startsWith('x-')) delete schema[keyword];
  schema.$ref = $ref;
  if (nullable === true) schema.nullable = true;
}

function upgradeNulls(alternatives: unknown): void {
  if (Array.isArray(alternatives)) alternatives.forEach(upgradeNull);
}

/** Makes an alternative of which nothing is said but `nullable` the type `null`. */
function upgradeNull(alternative: unknown): void {
  if (!isObject(alternative) || alternative.nullable !== true) return;
  const { nullable: _, ...others } = alternative;
  if (!Object.keys(others).every(asksNothing)) return;
  delete alternative.nullable;
  alternative.type = 'null';
}

/** Makes boolean bounds numbers, in a schema of whatever version. */
export function upgradeBounds(schema: RawDocument): void {
  upgradeBound(schema, 'exclusiveMinimum', 'minimum');
  upgradeBound(schema, 'exclusiveMaximum', 'maximum');
}

function upgradeBound(schema: RawDocument, exclusive: string, bound: string): void {
  const is = schema[exclusive];
  if (typeof is !== 'boolean') return;
  delete schema[exclusive];
  if (!is || schema[bound] === undefined) return;
  schema[exclusive] = schema[bound];
  delete schema[bound];
}

const combined = ['$ref', 'allOf', 'anyOf', 'oneOf'];

/** Makes `nullable` the type `null`, in a schema of whatever version that was written at a place. */
export function upgradeNullable(schema: RawDocument, placeOf: () => string, places: Places): void {
  const { nullable, type } = schema;
  delete schema.nullable;
  if (nullable !== true) return;
  if (type !== undefined) {
    const types = [type].flat();
    schema.type = types.includes('null') ? types : [...types, 'null'];
    if (Array.isArray(schema.enum) && !schema.enum.includes(null))
      schema.enum = [...schema.enum, null];
  }
  // What stands beside the type allows no null, whatever the type does.
  const inner: RawDocument = {};
  for (const keyword of combined.filter((one) => one in schema)) {
    inner[keyword] = schema[keyword];
    delete schema[keyword];
  }
  if (Object.keys(inner).length === 0) return;
  if ('discriminator' in schema && ('oneOf' in inner || 'anyOf' in inner)) {
    inner.discriminator = schema.discriminator;
    delete schema.discriminator;
  }
  schema.anyOf = [inner, { type: 'null' }];
  places.note(inner, placeOf());
}
