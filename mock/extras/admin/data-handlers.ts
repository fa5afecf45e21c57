import { toExcerpt } from '../../../common/look/visible.ts';
import { oncePer } from '../../../common/once-per.ts';
import type { Api, ListRules, Resource } from '../../../openapi/index.ts';
import { listRulesOf } from '../../../openapi/model/lists.ts';
import { type Answer, noContent, toJsonAnswer } from '../../answers/answer.ts';
import { toErrorBody } from '../../answers/errors.ts';
import type { ReadParameters } from '../../http/parameters/read-parameters.ts';
import {
  createIsEqual,
  type IndexedFilters,
  type IndexedNames,
  type SplitFilters,
  splitFilters,
} from '../../items/find-items.ts';
import { type GivenFields, ItemError } from '../../items/item-edits.ts';
import { type ByteText, toByteText, toIdText } from '../../json/exact-json.ts';
import { quote } from '../../json/quote.ts';
import { type CompileSchema, toSentences } from '../../json/validator.ts';
import type { AdminCall, AdminHandler, AdminHandlers } from './admin.ts';
import { createItemChanges, type ItemChanges } from './change-items.ts';
import { adminFiltersOf, createReadFilters, findStored } from './collection-handlers.ts';
import { refuse, refuseWith } from './refusal.ts';

export type DataHandlersOptions = {
  document: Api;
  compileSchema: CompileSchema;
  indexed: IndexedFilters;
};

/** A collection with what its handlers need, each made when it is first needed. */
type ServedCollection = {
  resource: Resource;
  changes: ItemChanges;
  filters: readonly string[];
  /** Reads the query of a paged list, or of an operation with filters only. */
  readPage: ReadParameters;
  readFilters: ReadParameters;
  indexed: IndexedNames;
};

type Handle = (call: AdminCall, served: ServedCollection) => Promise<Answer>;

/** List, read, add, replace, change and remove the items of a collection. */
export function createDataHandlers(options: DataHandlersOptions): AdminHandlers {
  const { document, compileSchema, indexed } = options;
  const openServed = oncePer(
    (resource: Resource): ServedCollection => ({
      resource,
      changes: createItemChanges(resource, { document, compileSchema }),
      filters: adminFiltersOf(resource),
      ...createReadFilters(resource, options),
      indexed: indexed.get(resource.name) ?? new Set(),
    }),
  );
  const on = (handle: Handle): AdminHandler => {
    return async (call) => {
      const { collection = '' } = call.params;
      try {
        return await handle(call, openServed(findStored(document, collection)));
      } catch (error) {
        throw error instanceof ItemError ? toProblems(collection, error) : error;
      }
    };
  };
  return {
    listItems: on(listItems),
    createItem: on(createItem),
    deleteItems: on(deleteItems),
    getItem: on(async (call, { resource }) => {
      const json = await call.sandbox.store.get(resource.name, idOf(call));
      return { status: 200, json: json ?? notFound(call, resource) };
    }),
    putItem: on(putItem),
    patchItem: on(patchItem),
    deleteItem: on(async (call, { resource }) => {
      const isRemoved = await call.sandbox.store.remove(resource.name, idOf(call));
      return isRemoved ? noContent : notFound(call, resource);
    }),
  };
}

const listItems: Handle = async (call, served) => {
  const { store } = call.sandbox;
  const { name } = served.resource;
  const skip = Number(call.query.skip ?? 0);
  const limit = Number(call.query.limit ?? Number.POSITIVE_INFINITY);
  const { filters, others } = readFilters(call, served, served.readPage);
  const isMatch = createIsEqual(others, rulesOf(served));
  if (isMatch) {
    const meant = await store.list(name, { filters, isMatch });
    return toItemsAnswer(meant.slice(skip, skip + limit), meant.length);
  }
  // Both are asked for at once, so that a store in memory tells them of one moment.
  const [items, total] = await Promise.all([
    store.list(name, { filters, skip, limit }),
    store.count(name, filters),
  ]);
  return toItemsAnswer(items, total);
};

const createItem: Handle = async (call, { resource: { name }, changes }) => {
  const { item, isTaken } = await changes.create(call.sandbox.store, givenBy(call));
  if (isTaken)
    refuse(
      'id_taken',
      `An item of ${name} has the id ${toExcerpt(item.id, 80)}. PUT replaces it, and PATCH changes it.`,
    );
  return toCreatedAnswer(call, item.id, item.json);
};

const putItem: Handle = async (call, { changes }) => {
  const { item, isNew } = await changes.put(call.sandbox.store, idOf(call), givenBy(call));
  return { status: isNew ? 201 : 200, json: item.json };
};

const patchItem: Handle = async (call, { resource, changes }) => {
  const item = await changes.patch(call.sandbox.store, idOf(call), givenBy(call));
  return { status: 200, json: (item ?? notFound(call, resource)).json };
};

const deleteItems: Handle = async (call, served) => {
  const { filters, others } = readFilters(call, served, served.readFilters);
  const { store } = call.sandbox;
  const isMatch = createIsEqual(others, rulesOf(served));
  const removed = await store.removeAll(served.resource.name, { filters, isMatch });
  return toJsonAnswer({ removed });
};

function readFilters(
  { response }: AdminCall,
  served: ServedCollection,
  read: ReadParameters,
): SplitFilters {
  const { texts, refusal } = read(response.req);
  if (refusal) refuseWith(refusal);
  return splitFilters({ ...rulesOf(served), filters: served.filters }, served.indexed, texts);
}

function rulesOf({ resource: { operations } }: ServedCollection): ListRules {
  return listRulesOf(operations.list);
}

function givenBy({ body: value, bodyBytes: bytes }: AdminCall): GivenFields {
  return { value, bytes };
}

function idOf({ params: { id = '' } }: AdminCall): string {
  return toIdText(id);
}

function toCreatedAnswer({ response }: AdminCall, id: string, json: ByteText): Answer {
  const path = response.req.originalUrl.replace(/[?#].*/, '');
  return { status: 201, json, headers: { Location: `${path}/${encodeURIComponent(id)}` } };
}

/** Throws the Error with the place of each problem, so that a form can show it there. */
function toProblems(name: string, { problems }: ItemError): never {
  const message = `The body is not a valid item of ${name}. ${toSentences(problems)}`;
  const body = toErrorBody('invalid_body', message);
  const json = toByteText(JSON.stringify({ ...body, problems }));
  return refuseWith({ status: body.status, json });
}

function notFound(call: AdminCall, { name, path, isSingle }: Resource): never {
  const unchanged = isSingle
    ? ` Until it is changed, GET ${path} shows it as the document describes it.`
    : '';
  const message = `${name} has no item with the id ${quote(idOf(call))}.${unchanged}`;
  return refuse('not_found', message);
}

function toItemsAnswer(items: readonly ByteText[], total: number): Answer {
  const json = `{"items":[${items.join()}],"meta":{"total":${total}}}` as ByteText;
  return { status: 200, json };
}
