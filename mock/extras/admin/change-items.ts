import { unescaped } from '../../../common/path-template.ts';
import type { Api, Resource } from '../../../openapi/index.ts';
import { createItemEdits, type GivenFields } from '../../items/item-edits.ts';
import { type Fields, toItemId, toItemNumber, toStoredItem } from '../../items/stored-item.ts';
import type { CompileSchema } from '../../json/validator.ts';
import { createToScopeMembers } from '../../state/scopes.ts';
import { addCounted, type Store, type StoredItem } from '../../state/store.ts';

/**
 * Changes the items of a collection, or of a single object, from outside its operations. Each
 * rejects with an ItemError where what is given is no valid item.
 */
export interface ItemChanges {
  /** Adds an item; one without an id gets the next one. Nothing is stored where its id is taken. */
  create(store: Store, given: GivenFields): Promise<{ item: StoredItem; isTaken: boolean }>;
  /** Puts an item in the place of the one with the id, or adds it. */
  put(store: Store, id: string, given: GivenFields): Promise<{ item: StoredItem; isNew: boolean }>;
  /** Changes an item by a merge patch (RFC 7396); undefined if it does not exist. */
  patch(store: Store, id: string, given: GivenFields): Promise<StoredItem | undefined>;
}

/** Creates the changes of a collection's items; schemas are compiled on first use. */
export function createItemChanges(
  resource: Resource,
  { document, compileSchema }: { document: Api; compileSchema: CompileSchema },
): ItemChanges {
  const { name, idSchema, isSingle } = resource;
  const edits = createItemEdits(resource, compileSchema);
  const toGiven = (given: GivenFields, id?: string) =>
    isSingle ? toSingle(document, resource, given, id) : given;
  return {
    async create(store, given) {
      const own = toGiven(given);
      if (!edits.hasId(own) && !isSingle) {
        edits.ensureFits(own);
        const item = await addCounted(store, name, (n) =>
          toStoredItem(resource, own.value as Fields, toItemId(n, idSchema)),
        );
        return { item, isTaken: false };
      }
      const item = edits.toItem(own);
      const number = toItemNumber(item.id, idSchema);
      const outcome = await store.put(name, item, { number, ifFree: true });
      return { item, isTaken: outcome === 'taken' };
    },
    async put(store, id, given) {
      const item = edits.toItemOf(id, toGiven(given, id));
      const number = toItemNumber(item.id, idSchema);
      return { item, isNew: (await store.put(name, item, { number })) === 'added' };
    },
    patch: (store, id, given) =>
      store.change(name, id, (json) => ({ ...edits.patch(id, json, given), id })),
  };
}

/**
 * The fields of a single object with what its id says: the values of the parameters in its path, a
 * slash in front of each. One whose path has none needs no id.
 */
function toSingle(
  document: Api,
  resource: Resource,
  { value, bytes }: GivenFields,
  id = (value as Fields)[resource.idProperty],
): GivenFields {
  const { scope = [], idProperty } = resource;
  const own = id ?? (scope.length === 0 ? '/' : undefined);
  if (own === undefined) return { value, bytes };
  const texts = String(own).split('/').slice(1);
  const values = scope.map((one, index) => {
    const text = texts[index] ?? '';
    return { scope: one, text: unescaped(text) };
  });
  const members = { [idProperty]: own, ...createToScopeMembers(document, resource)(values) };
  return { value: { ...(value as Fields), ...members }, bytes };
}
