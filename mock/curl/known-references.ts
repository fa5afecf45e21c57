import { findWrappedBody } from '../../contracts/description/collections/body-schema.ts';
import type { Reference } from '../../contracts/description/collections/resource.ts';
import {
  type ApiDocument,
  findResource,
  type Operation,
  type Resource,
} from '../../contracts/description/document.ts';
import { toText } from '../json/byte-text.ts';
import { parseExact } from '../json/exact-json.ts';
import type { Store } from '../state/store.ts';

type Fields = Readonly<Record<string, unknown>>;

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
    return target && item?.[target.idProperty];
  };
  return async (operation, body) => {
    const resource = findResource(document, operation);
    const references = resource ? referencesOf(resource) : [];
    if (references.length === 0) return body;
    const fill = async (fields: unknown): Promise<unknown> => {
      if (Array.isArray(fields)) return Promise.all(fields.map(fill));
      if (!isFields(fields)) return fields;
      const filled: Record<string, unknown> = { ...fields };
      for (const { property, collection } of references) {
        const value = filled[property];
        if (value === undefined || value === null) continue;
        if ((await store.get(collection, String(value))) !== undefined) continue;
        filled[property] = (await findFirstId(collection)) ?? value;
      }
      return filled;
    };
    const wrapper = findWrappedBody(document.raw, operation)?.property;
    return wrapper !== undefined && isFields(body) && isFields(body[wrapper])
      ? { ...body, [wrapper]: await fill(body[wrapper]) }
      : fill(body);
  };
}

/** Its references, and the properties of a nested collection that hold the ids of parents. */
function referencesOf({ references = [], scope = [] }: Resource): Reference[] {
  const parents = scope.flatMap(({ property, parent }) =>
    property !== undefined && parent !== undefined ? [{ property, collection: parent }] : [],
  );
  return [...references, ...parents];
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
