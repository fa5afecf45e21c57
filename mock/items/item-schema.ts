import type { Resource, Schema } from '../../contracts/description/document.ts';
import { oncePer } from '../json/once-per.ts';

/** The schema of an item as it is stored, or of what one is made from, which needs no id. */
export function schemaOfItem(
  { item, idProperty, isOpen = false }: Resource,
  { withId = true } = {},
): Schema {
  const { [idProperty]: id = {}, ...others } = item.properties;
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

/**
 * The same for an item from outside, which may have no property that is unknown: a store would drop
 * it.
 */
export function schemaOfGivenItem(resource: Resource, { withId }: { withId: boolean }): Schema {
  const { whole, withoutId } = schemasOfGivenItem(resource);
  return withId ? whole : withoutId;
}

const schemasOfGivenItem = oncePer((resource: Resource) => ({
  whole: { additionalProperties: false, ...schemaOfItem(resource) },
  withoutId: { additionalProperties: false, ...schemaOfItem(resource, { withId: false }) },
}));
