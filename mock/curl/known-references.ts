import type { Reference } from '../../contracts/description/collections/resource.ts';
import {
  type ApiDocument,
  findResource,
  type Operation,
  type Resource,
} from '../../contracts/description/document.ts';
import { valueAt } from '../../contracts/description/property-path.ts';
import { toText } from '../json/byte-text.ts';
import { parseExact } from '../json/exact-json.ts';
import type { Store } from '../state/store.ts';
import { type Fields, mapFields } from './map-fields.ts';

/** Has the references in a body name items that the store holds. */
export type WithKnownReferences = (operation: Operation, body: unknown) => Promise<unknown>;

/** Makes what puts the first item in the place of each that is not there. */
export function createWithKnownReferences(
  document: ApiDocument,
  store: Pick<Store, 'get' | 'list'>,
): WithKnownReferences {
  const findFirstId = async (collection: string): Promise<unknown> => {
    const target = document.resources.find(({ name }) => name === collection);
    const [first] = await store.list(collection, { filters: {}, limit: 1 });
    const item = (first && parseExact(toText(first)).value) as Fields | undefined;
    return target && valueAt(item, target.idProperty);
  };
  return async (operation, body) => {
    const resource = findResource(document, operation);
    const references = resource ? referencesOf(resource) : [];
    if (references.length === 0) return body;
    return mapFields(document, operation, body, async (fields) => {
      const filled: Record<string, unknown> = { ...fields };
      for (const { property, collection } of references) {
        const value = filled[property];
        if (value === undefined || value === null) continue;
        if ((await store.get(collection, String(value))) !== undefined) continue;
        filled[property] = (await findFirstId(collection)) ?? value;
      }
      return filled;
    });
  };
}

/** Its references, and the properties of a nested collection that hold the ids of parents. */
function referencesOf({ references = [], scope = [] }: Resource): Reference[] {
  const parents = scope.flatMap(({ property, parent }) =>
    property !== undefined && parent !== undefined ? [{ property, collection: parent }] : [],
  );
  return [...references, ...parents];
}
