import type { Resource, Schema } from '../../contracts/description/document.ts';
import { oncePer } from '../json/once-per.ts';
import { hiddenMembersOf } from '../state/scopes.ts';

/** The schema of an item as the API shows it, or of what one is made from, which needs no id. */
export function schemaOfItem(
  { item, idProperty, idSchema, isOpen = false, isSingle }: Resource,
  { withId = true } = {},
): Schema {
  const { [idProperty]: id = isSingle ? idSchema : {}, ...others } = item.properties;
  const required = new Set(item.required);
  if (withId) required.add(idProperty);
  else required.delete(idProperty);
  return {
    type: 'object',
    properties: { [idProperty]: id, ...others },
    required: [...required],
    ...(isOpen && { additionalProperties: true }),
  };
}

/** The same of an item as it is stored, with the members that the API does not show. */
export function schemaOfStoredItem(resource: Resource, options?: { withId: boolean }): Schema {
  const schema = schemaOfItem(resource, options);
  const hidden = hiddenMembersOf(resource);
  if (hidden.length === 0) return schema;
  const members = Object.fromEntries(hidden.map((name) => [name, { type: 'string' }]));
  return {
    ...schema,
    properties: { ...members, ...(schema.properties as object) },
    required: [...hidden, ...(schema.required as string[])],
  };
}

/**
 * The same for an item from outside, which may have no property that is unknown: a store would drop
 * it.
 */
export function schemaOfGivenItem(resource: Resource, { withId }: { withId: boolean }): Schema {
  const { whole, withoutId } = schemasOfGivenItem(resource);
  return withId ? whole : withoutId;
}

const schemasOfGivenItem = oncePer((resource: Resource) => ({
  whole: { additionalProperties: false, ...schemaOfStoredItem(resource) },
  withoutId: { additionalProperties: false, ...schemaOfStoredItem(resource, { withId: false }) },
}));
