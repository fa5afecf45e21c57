import { describedAt } from '../described-at.ts';
import { shownOf } from '../marks.ts';
import { flatten, type RawDocument, type Schema } from '../schema.ts';
import type { Resource } from './resource.ts';
import { itemOf, itemsOf } from './success.ts';

/** The schemas of the items of a collection that its operations answer with, each once. */
export function answeredItems(raw: RawDocument, resource: Resource): Schema[] {
  const { idProperty, item, operations, views = [], isSingle } = resource;
  const found = [operations, ...views.map((view) => view.operations)].flatMap((byKind) =>
    Object.values(byKind).map((one) => {
      const isList = one === byKind.list;
      const schema = isList ? itemsOf(raw, one) : itemOf(raw, one);
      return { schema, isDelete: one === byKind.delete };
    }),
  );
  const schemas = found.flatMap(({ schema, isDelete }) => {
    if (schema === undefined) return [];
    const flat = shownOf(raw, flatten(raw, schema));
    // It may answer with a note that the item is gone, such as {"id": 1, "deleted": true}.
    const isNote = isDelete && !flat.required.every((name) => Object.hasOwn(item.properties, name));
    return !isNote && (isSingle || describedAt(raw, flat, idProperty) !== undefined)
      ? [schema]
      : [];
  });
  return [...new Map(schemas.map((schema) => [schema.$ref ?? schema, schema])).values()];
}
