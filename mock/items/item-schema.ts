import type { Resource, Schema } from '../../contracts/description/document.ts';

/** The schema of an item as it is stored, or of what one is made from, which needs no id. */
export function schemaOfItem({ item, idProperty }: Resource, { withId = true } = {}): Schema {
  const { [idProperty]: id = {}, ...others } = item.properties;
  const required = new Set(item.required);
  if (withId) required.add(idProperty);
  else required.delete(idProperty);
  return { type: 'object', properties: { [idProperty]: id, ...others }, required: [...required] };
}
