import type { Resource } from '../model/resource.ts';
import { type RawDocument, resolve, type Schema } from '../schema.ts';

/** Whether the document says of a property that no two items have the same value (`x-unique`). */
export function isUnique(raw: RawDocument, property: Schema): boolean {
  if (typeof property !== 'object' || property === null) return false;
  return property['x-unique'] === true || resolve(raw, property)?.['x-unique'] === true;
}

/** The properties of which no two items of a collection have the same value, besides the id. */
export function uniquePropertiesOf(raw: RawDocument, { item, idProperty }: Resource): string[] {
  return Object.entries(item.properties).flatMap(([name, property]) =>
    name !== idProperty && isUnique(raw, property) ? [name] : [],
  );
}
