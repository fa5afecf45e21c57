import { shownOf } from '../marks.ts';
import { flatten, type RawDocument, type Schema } from '../schema.ts';
import type { Resource } from './resource.ts';
import { itemOf, itemsOf } from './success.ts';

/** The schemas of the items of a collection that its operations answer with, each once. */
export function answeredItems(raw: RawDocument, resource: Resource): Schema[] {
  const { idProperty, operations, views = [], isSingle } = resource;
  const found = [operations, ...views.map((view) => view.operations)].flatMap((byKind) =>
    Object.values(byKind).map((one) => {
      const isList = one === byKind.list;
      return isList ? itemsOf(raw, one) : itemOf(raw, one);
    }),
  );
  const isItem = (schema: Schema | undefined): schema is Schema =>
    schema !== undefined &&
    (isSingle || Object.hasOwn(shownOf(raw, flatten(raw, schema)).properties, idProperty));
  const byKey = new Map(found.filter(isItem).map((schema) => [schema.$ref ?? schema, schema]));
  return [...byKey.values()];
}
