import { idFormOfText } from '../../contracts/description/collections/id-form.ts';
import { uniquePropertiesOf } from '../../contracts/description/collections/unique-properties.ts';
import { requiresAt } from '../../contracts/description/described-at.ts';
import {
  type ApiDocument,
  describeSchema,
  findResource,
  type Operation,
  type Resource,
} from '../../contracts/description/document.ts';
import { describeSent } from '../../contracts/description/marks.ts';
import { valueAt, withAll, withoutAt } from '../../contracts/description/property-path.ts';
import { generateNamed } from '../../fixtures/generate.ts';
import { toText } from '../json/byte-text.ts';
import { stringifyExact } from '../json/exact-integers.ts';
import { parseExact } from '../json/exact-json.ts';
import type { Store } from '../state/store.ts';
import { type Fields, mapFields } from './map-fields.ts';

/**
 * Has a body set no unique value, and a new item no id, that another item has than the one with the
 * `own` id.
 */
export type WithFreshValues = (
  operation: Operation,
  body: unknown,
  own: unknown,
) => Promise<unknown>;

/** How many other values are tried before a property is left out. */
const maxAttempts = 50;

/** Makes what puts other values in the place of those that items of the store have. */
export function createWithFreshValues(
  document: ApiDocument,
  store: Pick<Store, 'listSerial'>,
): WithFreshValues {
  const isTaken = async (
    { name, idProperty }: Resource,
    [property, value]: readonly [string, unknown],
    own: unknown,
  ): Promise<boolean> => {
    const text = stringifyExact(value ?? null);
    const isMeant = (json: Parameters<typeof toText>[0]) => {
      const item = parseExact(toText(json)).value as Fields;
      const isOwn = own !== undefined && String(valueAt(item, idProperty)) === String(own);
      return !isOwn && stringifyExact(valueAt(item, property) ?? null) === text;
    };
    return (await store.listSerial(name, { filters: {}, limit: 1, isMeant })).length > 0;
  };
  /** The first free one of the values that are tried; undefined where none is. */
  const findFree = async (
    property: string,
    resource: Resource,
    { own, isUsed }: { own: unknown; isUsed: (text: string) => boolean },
  ): Promise<unknown> => {
    for (let n = 1; n <= maxAttempts; n++) {
      const value = toOther(document, resource, property, n);
      if (isUsed(stringifyExact(value ?? null))) continue;
      if (!(await isTaken(resource, [property, value], own))) return value;
    }
    return undefined;
  };
  return async (operation, body, own) => {
    const resource = findResource(document, operation);
    const properties = resource ? distinctOf(document, resource, operation) : [];
    if (!resource || properties.length === 0) return body;
    const used = new Set<string>();
    return mapFields(document, operation, body, async (fields) => {
      let fresh: Fields = { ...fields };
      for (const property of properties) {
        const value = valueAt(fields, property);
        if (value === undefined || value === null) continue;
        const isUsed = (text: string) => used.has(`${property}:${text}`);
        const isOthers =
          isUsed(stringifyExact(value)) || (await isTaken(resource, [property, value], own));
        const free = isOthers ? await findFree(property, resource, { own, isUsed }) : value;
        if (free !== undefined) fresh = withAll(fresh, { [property]: free });
        else if (!isRequired(document, operation, property)) fresh = withoutAt(fresh, property);
        used.add(`${property}:${stringifyExact(valueAt(fresh, property) ?? null)}`);
      }
      return fresh;
    });
  };
}

/** The properties of a body in which no item may be like another. */
function distinctOf(document: ApiDocument, resource: Resource, { kind }: Operation): string[] {
  const { givenId, idProperty } = resource;
  const isNew = kind === 'create' || kind === 'createMany';
  const isChosen = isNew && (givenId === 'always' || givenId === 'sometimes');
  const unique = uniquePropertiesOf(document.raw, resource);
  return isChosen ? [idProperty, ...unique] : unique;
}

/** The n-th of other values of a property: an id as they are counted, or a made value. */
function toOther(
  document: ApiDocument,
  { idProperty, idSchema, item }: Resource,
  property: string,
  n: number,
): unknown {
  if (property === idProperty)
    return idSchema.type === 'string' ? idFormOfText(idSchema)?.toText(n) : n;
  return generateNamed(property, item.properties[property] ?? {}, {
    seed: n,
    describe: (schema) => describeSent(document, schema),
  });
}

function isRequired(document: ApiDocument, { body }: Operation, property: string): boolean {
  return (
    body !== undefined && requiresAt(document.raw, describeSchema(document, body.schema), property)
  );
}
