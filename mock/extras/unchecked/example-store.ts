import { oncePer } from '../../../common/once-per.ts';
import { withAll, withAt } from '../../../common/property-path.ts';
import type { Api, Operation, Resource } from '../../../openapi/index.ts';
import { fieldsOf, toStoredItem } from '../../items/stored-item.ts';
import { type ByteText, parseInteger } from '../../json/exact-json.ts';
import type { MakeSeeds } from '../../sandboxes/open-sandboxes.ts';
import { createReadScopes, createToScopeMembers } from '../../state/scopes.ts';
import type { ItemStore } from '../../state/store.ts';

type Params = Readonly<Record<string, string>>;

/** The document, and the seeds that its mock begins with. */
export type ExampleSource = {
  document: Api;
  makeSeeds: MakeSeeds;
  initialState: { settings: { seed: number } };
};

/**
 * Makes an example of an item that does not exist, or of any without an id; undefined if no item can be
 * made.
 */
export type MakeExample = (
  collection: string,
  id: string | undefined,
  params: Params,
) => Promise<ByteText | undefined>;

/**
 * Creates the maker of examples for the calls of an operation: a generated item of the collection,
 * with the id and below the parents that the path of a call names.
 */
export function createMakeExample(
  { document, makeSeeds, initialState }: ExampleSource,
  operation: Pick<Operation, 'path'>,
): MakeExample {
  const { seed } = initialState.settings;
  const scopesOf = oncePer((resource: Resource) => {
    const readScopes = createReadScopes(resource, operation);
    const toMembers = createToScopeMembers(document, resource);
    return (params: Params) => toMembers(readScopes?.(params) ?? []);
  });
  return async (collection, id, params) => {
    const resource = document.resources.find(({ name }) => name === collection);
    const [first] = (await makeSeeds({ seed, items: 1 }))[collection]?.items ?? [];
    if (!resource || !first) return undefined;
    const own = toTypedId(resource, id ?? first.id);
    if (own === undefined) return undefined;
    const scoped = withAll(fieldsOf(first.json), scopesOf(resource)(params));
    return toStoredItem(resource, withAt(scoped, resource.idProperty, own), own).json;
  };
}

/** Returns the id of an item by its text; undefined for a text that is no id of the collection. */
function toTypedId({ idSchema }: Resource, id: string): unknown {
  return idSchema.type === 'string' ? id : parseInteger(id);
}

/**
 * Returns a store in which every id names an item, and no list is empty: stored items, or examples, which
 * can be changed and removed without effect.
 */
export function toExampleStore(
  store: ItemStore,
  toExample: (collection: string, id?: string) => Promise<ByteText | undefined>,
): ItemStore {
  const get: ItemStore['get'] = async (collection, id) =>
    (await store.get(collection, id)) ?? toExample(collection, id);
  return {
    ...store,
    get,
    async list(collection, query) {
      const found = await store.list(collection, query);
      const example = found.length === 0 ? await toExample(collection) : undefined;
      return example ? [example] : found;
    },
    async listSerial(collection, query) {
      const found = await store.listSerial(collection, query);
      const example = found.length === 0 ? await toExample(collection) : undefined;
      return example ? [{ serial: 1, json: example }] : found;
    },
    async change(collection, id, toItem, ensure) {
      const changed = await store.change(collection, id, toItem, ensure);
      if (changed) return changed;
      const example = await toExample(collection, id);
      return example && toItem(example);
    },
    async remove(collection, id) {
      return (
        (await store.remove(collection, id)) || (await toExample(collection, id)) !== undefined
      );
    },
    transact: (act) => store.transact((inner) => act(toExampleStore(inner, toExample))),
  };
}
