import type { Api, Parameter, ParameterEffect, Resource, Schema } from '../../../openapi/index.ts';
import { describeParameters, listRulesOf } from '../../../openapi/model/lists.ts';
import { toJsonAnswer } from '../../answers/answer.ts';
import {
  createReadParameters,
  type ReadParameters,
} from '../../http/parameters/read-parameters.ts';
import { shapesOf } from '../../http/parameters/typed-value.ts';
import { schemaOfStoredItem } from '../../items/item-schema.ts';
import type { CompileSchema } from '../../json/validator.ts';
import type { Sandbox } from '../../sandboxes/sandbox.ts';
import type { AdminHandlers } from './admin.ts';
import { refuseUnknown } from './refusal.ts';

/** A collection of the document, and how many items of it a sandbox has. */
export type CollectionView = {
  name: string;
  idProperty: string;
  items: number;
  /** The ids of the operations that work on it, by what they do. */
  operations: Record<string, string>;
  /** The filters that calls for the collection's data take. */
  filters: { name: string; schema: Schema }[];
  /** The query parameters of its list in the API, with what they do. */
  parameters: readonly ParameterEffect[];
};

/** The collections of the document, and its single objects, whose items are those that were changed. */
export type CollectionsView = { collections: CollectionView[]; singleObjects: CollectionView[] };

/** A collection with the schema of its items, as far as a form shows it. */
export type DescribedCollection = CollectionView & { schema: Schema };

/** List and describe the collections of the document, and its single objects. */
export function createCollectionHandlers(document: Api): AdminHandlers {
  const { resources, singletons } = document;
  const toView = async ({ store }: Sandbox, resource: Resource): Promise<CollectionView> => {
    const { name, idProperty, operations } = resource;
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
      parameters: list ? describeParameters(list) : [],
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
      const resource = findStored(document, collection);
      const schema = inlineSchema(document, schemaOfStoredItem(resource));
      const described: DescribedCollection = { ...(await toView(sandbox, resource)), schema };
      return toJsonAnswer(described);
    },
  };
}

/** Finds the collection or single object with a name. Refuses an unknown name. */
export function findStored({ resources, singletons }: Api, name: string): Resource {
  const stored = [...resources, ...singletons];
  const known =
    stored.length === 0
      ? 'The document describes none that the mock stores.'
      : `Collections are ${stored.map((one) => one.name).join(', ')}.`;
  return stored.find((one) => one.name === name) ?? refuseUnknown('collection', name, known);
}

/** How deep properties are shown. */
const maxDepth = 3;

/**
 * Returns a schema for forms: its type and values, and its properties, including properties of
 * `$ref` and `allOf`.
 */
function inlineSchema(document: Api, schema: Schema, depth = 0): Schema {
  const { properties, required } = document.schemas.describeSchema(schema);
  const own = Object.entries(document.schemas.resolve(schema));
  const fields = depth < maxDepth ? Object.entries(properties) : [];
  return {
    ...Object.fromEntries(own.filter(([keyword]) => shownKeywords.has(keyword))),
    ...(fields.length > 0 && {
      properties: Object.fromEntries(
        fields.map(([name, value]) => [name, inlineSchema(document, value, depth + 1)]),
      ),
    }),
    ...(required.length > 0 && { required: [...new Set(required)] }),
  };
}

const shownKeywords = new Set(['type', 'format', 'enum', 'const', 'default', 'description']);

/** Query parameters of the admin itself, which hide filters of these names. */
const paging = ['skip', 'limit'];

/** The filters of a collection that the admin API takes. */
export function adminFiltersOf({ operations: { list } }: Resource): string[] {
  return listRulesOf(list).filters.filter((name) => !paging.includes(name));
}

/**
 * Creates the readers of a collection's filters, which read as the API's list does. A filter is one
 * text, whatever the list takes.
 */
export function createReadFilters(
  resource: Resource,
  { document, compileSchema }: { document: Api; compileSchema: CompileSchema },
): { readPage: ReadParameters; readFilters: ReadParameters } {
  const names = adminFiltersOf(resource);
  const filters = (resource.operations.list?.parameters ?? [])
    .filter(({ name, in: place }) => place === 'query' && names.includes(name))
    .map(({ name, schema }) =>
      toFilter(name, shapesOf(document, schema).join() === 'text' ? schema : {}),
    );
  const own = paging.map((name) => toFilter(name, {}));
  const toRead = (parameters: readonly Parameter[]) =>
    createReadParameters(document, { parameters }, compileSchema, { refusesOthers: true });
  return { readPage: toRead([...filters, ...own]), readFilters: toRead(filters) };
}

function toFilter(name: string, schema: Schema): Parameter {
  return { name, in: 'query', required: false, schema, examples: {}, style: 'form', explode: true };
}
