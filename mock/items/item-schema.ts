import { oncePer } from '../../common/once-per.ts';
import { partsOf } from '../../common/property-path.ts';
import type { FlatSchema, Resource, Schema } from '../../openapi/index.ts';
import { hiddenMembersOf, memberOf } from '../state/scopes.ts';

/** Returns the schema of an item as the API shows it, or of its input, which needs no id. */
export function schemaOfItem(
  { item, idProperty, idHolder, idSchema, isOpen = item.others !== undefined, isSingle }: Resource,
  { withId = true } = {},
): Schema {
  const parts = idHolder && partsOf(idProperty);
  if (parts) {
    const held = toObject(idHolder, parts.inner, { withId, id: idSchema });
    // What else it must have, an item without an id must have too.
    const isNeeded = item.required.includes(parts.outer) && held.required.length > 0;
    const id = { ...idHolder, ...held };
    const whole = toObject(item, parts.outer, { withId: withId || isNeeded, id });
    return { ...whole, ...(isOpen && { additionalProperties: true }) };
  }
  const { [idProperty]: id = isSingle ? idSchema : {} } = item.properties;
  return {
    ...toObject(item, idProperty, { withId, id }),
    ...(isOpen && { additionalProperties: true }),
  };
}

/** The schema of an object with an id, or of one that needs none. */
function toObject(
  { properties, required: always }: FlatSchema,
  name: string,
  { withId, id }: { withId: boolean; id: Schema },
): Schema & FlatSchema {
  const { [name]: _, ...others } = properties;
  const required = new Set(always);
  if (withId) required.add(name);
  else required.delete(name);
  return { type: 'object', properties: { [name]: id, ...others }, required: [...required] };
}

/** Returns the schema of an item as stored, with the members that the API does not show. */
export function schemaOfStoredItem(resource: Resource, options?: { withId: boolean }): Schema {
  const schema = schemaOfItem(resource, options);
  const hidden = hiddenMembersOf(resource);
  if (hidden.length === 0) return schema;
  const members = Object.fromEntries(hidden.map((name) => [name, { type: 'string' }]));
  // A part of the collection at another path shows none of the items without its value.
  const own = (resource.scope ?? []).map(memberOf).filter((name) => hidden.includes(name));
  return {
    ...schema,
    properties: { ...members, ...(schema.properties as object) },
    required: [...own, ...(schema.required as string[])],
  };
}

/**
 * The schemas of an item from outside: one that need not have its id, and may have no property that
 * is unknown, as a store would drop it; the same with its id; and one that another twin stored.
 */
export const schemasOfGivenItem = oncePer((resource: Resource) => ({
  whole: { additionalProperties: false, ...schemaOfStoredItem(resource) },
  withoutId: { additionalProperties: false, ...schemaOfStoredItem(resource, { withId: false }) },
  stored: schemaOfItem(resource),
}));
