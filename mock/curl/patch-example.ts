import { findTimestamps } from '../../contracts/description/collections/timestamps.ts';
import {
  type ApiDocument,
  type Operation,
  type Resource,
  resolveSchema,
  type Schema,
} from '../../contracts/description/document.ts';
import { fromToken, toToken } from '../../contracts/description/json-pointer.ts';
import { isMarked } from '../../contracts/description/marks.ts';
import { type Fields, isFields } from './map-fields.ts';

/** Whether an operation takes a JSON Patch (RFC 6902), and no fields of an item as JSON. */
export function takesPatchAlone({ body, kind }: Operation): boolean {
  return kind === 'update' && body?.jsonPatch !== undefined && body.jsonPatch === body.schema;
}

/**
 * JSON Patches that an item takes: those of the document that are about properties of the item, and
 * then one for each property that a body may set, which gives it another value.
 */
export async function toPatchExamples(
  document: ApiDocument,
  resource: Resource,
  {
    shown,
    item = {},
    make,
  }: {
    shown: readonly unknown[];
    /** The item as it is stored. */
    item?: Fields | undefined;
    /** Makes the fields of an item, in which no unique value is another's. */
    make: (schema: Schema) => Promise<unknown>;
  },
): Promise<unknown[]> {
  const settable = settableOf(document, resource);
  const isKnown = (one: unknown) => {
    const path = isFields(one) && typeof one.path === 'string' ? one.path : '';
    const [, name = ''] = path.split('/').map(fromToken);
    return settable.includes(name);
  };
  const made = await make(schemaOf(resource, settable));
  const values = isFields(made) ? made : {};
  const patches = settable.flatMap((name) => {
    const op = Object.hasOwn(item, name) ? 'replace' : 'add';
    const value = values[name];
    return value === undefined ? [] : [[{ op, path: `/${toToken(name)}`, value }]];
  });
  return [...shown.filter((one) => Array.isArray(one) && one.every(isKnown)), ...patches];
}

/** The properties that a body may set, texts that may be anything first. */
function settableOf(document: ApiDocument, resource: Resource): string[] {
  const { idProperty, item, scope = [], references = [] } = resource;
  const ofService = findTimestamps(document.raw, resource).filter((one) => one.isOfService);
  const fixed = new Set<string | undefined>([
    idProperty,
    ...[...scope, ...references, ...ofService].map(({ property }) => property),
  ]);
  const isFree = (name: string) => {
    const { type, enum: values, format } = resolveSchema(document, item.properties[name] ?? {});
    return [type].flat().includes('string') && values === undefined && format === undefined;
  };
  const names = Object.keys(item.properties).filter((name) => {
    const property = item.properties[name];
    const isOneWay = (['readOnly', 'writeOnly'] as const).some((mark) =>
      isMarked(document.raw, property, mark),
    );
    return !fixed.has(name) && !isOneWay;
  });
  return names.toSorted((left, right) => Number(isFree(right)) - Number(isFree(left)));
}

function schemaOf({ item }: Resource, names: readonly string[]): Schema {
  const properties = names.map((name) => [name, item.properties[name] ?? {}] as const);
  return { type: 'object', properties: Object.fromEntries(properties) };
}
