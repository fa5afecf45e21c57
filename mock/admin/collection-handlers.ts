import {
  describeParameters,
  findListRules,
  type ParameterEffect,
} from '../../contracts/description/collections/list-rules.ts';
import type { ApiDocument, Resource, Schema } from '../../contracts/description/document.ts';
import { toErrorAnswer, toJsonAnswer } from '../answers/answer.ts';
import { schemaOfStoredItem } from '../items/item-schema.ts';
import { quote } from '../json/quote.ts';
import type { Sandbox } from '../sandboxes/sandbox.ts';
import type { AdminHandlers } from './admin.ts';
import { inlineSchema } from './inline-schema.ts';
import { adminFiltersOf } from './item-filters.ts';

/** A collection of the document, and how many items of it a sandbox has. */
export type CollectionView = {
  name: string;
  idProperty: string;
  items: number;
  /** The ids of the operations that work on it, by what they do. */
  operations: Record<string, string>;
  /** Those that calls of its data take. */
  filters: { name: string; schema: Schema }[];
  /** The query parameters of its list in the API, with what they do. */
  parameters: readonly ParameterEffect[];
};

/** The collections of the document, and its single objects, whose items are those that were changed. */
export type CollectionsView = { collections: CollectionView[]; singleObjects: CollectionView[] };

/** A collection with the schema of its items, whose `$ref`s are resolved a few levels deep. */
export type DescribedCollection = CollectionView & { schema: Schema };

/** List and describe the collections of the document, and its single objects. */
export function createCollectionHandlers(document: ApiDocument): AdminHandlers {
  const { raw, resources, singletons } = document;
  const toView = async ({ store }: Sandbox, resource: Resource): Promise<CollectionView> => {
    const { name, idProperty, operations, item } = resource;
    const { list } = operations;
    const schemaOf = (filter: string): Schema =>
      list?.parameters.find((one) => one.in === 'query' && one.name === filter)?.schema ?? {};
    return {
      name,
      idProperty,
      items: await store.count(name),
      operations: Object.fromEntries(
        Object.entries(operations).map(([kind, { id }]) => [kind, id]),
      ),
      filters: adminFiltersOf(resource).map((filter) => ({
        name: filter,
        schema: inlineSchema(document, schemaOf(filter)),
      })),
      parameters: list ? describeParameters(list, findListRules(raw, list, item)) : [],
    };
  };
  return {
    listCollections: async ({ sandbox }) => {
      const toViews = (all: readonly Resource[]) =>
        Promise.all(all.map((resource) => toView(sandbox, resource)));
      const view: CollectionsView = {
        collections: await toViews(resources),
        singleObjects: await toViews(singletons),
      };
      return toJsonAnswer(view);
    },
    getCollection: async ({ sandbox, params: { collection = '' } }) => {
      const resource = storedOf(document).find(({ name }) => name === collection);
      if (!resource) return collectionNotFound(collection, document);
      const schema = inlineSchema(document, schemaOfStoredItem(resource));
      const described: DescribedCollection = { ...(await toView(sandbox, resource)), schema };
      return toJsonAnswer(described);
    },
  };
}

/** All that has items: the collections, and the single objects. */
export function storedOf({ resources, singletons }: ApiDocument): readonly Resource[] {
  return [...resources, ...singletons];
}

/** The answer where the document has no collection of a name. */
export function collectionNotFound(name: string, document: ApiDocument) {
  const resources = storedOf(document);
  const known =
    resources.length === 0
      ? 'The document describes none that the twin stores.'
      : `Collections are ${resources.map((one) => one.name).join(', ')}.`;
  return toErrorAnswer('not_found', `There is no collection ${quote(name)}. ${known}`);
}
