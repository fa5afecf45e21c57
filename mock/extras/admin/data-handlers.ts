import type { ApiDocument, Resource } from '../../../contracts/description/document.ts';
import { toExcerpt } from '../../../contracts/look/visible.ts';
import { type Answer, noContent, toJsonAnswer } from '../../answers/answer.ts';
import { toErrorBody } from '../../answers/errors.ts';
import type { ReadParameters } from '../../http/parameters/read-parameters.ts';
import { decodePercent } from '../../http/parameters/read-written.ts';
import type { IndexedFilters } from '../../items/find-items.ts';
import { createIsEqual, type SplitFilters, splitFilters } from '../../items/find-items.ts';
import {
  createItemEdits,
  type GivenFields,
  type ItemEdits,
  ItemError,
} from '../../items/item-edits.ts';
import { type Fields, toItemId, toItemNumber, toStoredItem } from '../../items/stored-item.ts';
import { type ByteText, toByteText } from '../../json/exact-json.ts';
import { quote } from '../../json/quote.ts';
import { type CompileSchema, toSentences } from '../../json/validator.ts';
import { createToScopeMembers } from '../../state/scopes.ts';
import type { AdminCall, AdminHandler, AdminHandlers } from './admin.ts';
import { adminFiltersOf, createReadFilters, findStored } from './collection-handlers.ts';
import { refuse, refuseWith } from './refusal.ts';

export type DataHandlersOptions = {
  document: ApiDocument;
  compileSchema: CompileSchema;
  indexed: IndexedFilters;
};

/** A collection with what its handlers need, each made when it is first needed. */
type Served = {
  document: ApiDocument;
  resource: Resource;
  edits: ItemEdits;
  filters: readonly string[];
  /** Reads the query of a list, which may be paged, and of what has filters alone. */
  readPage: ReadParameters;
  readFilters: ReadParameters;
  indexed: ReadonlySet<string>;
};

type Handle = (call: AdminCall, served: Served) => Promise<Answer>;

/** List, read, add, replace, change and remove the items of a collection. */
export function createDataHandlers(options: DataHandlersOptions): AdminHandlers {
  const { document, compileSchema, indexed } = options;
  const opened = new Map<string, Served>();
  const openServed = (name: string): Served => {
    const resource = findStored(document, name);
    const served = opened.get(name) ?? {
      document,
      resource,
      edits: createItemEdits(resource, compileSchema),
      filters: adminFiltersOf(resource),
      ...createReadFilters(resource, options),
      indexed: indexed.get(name) ?? new Set(resource.filters),
    };
    opened.set(name, served);
    return served;
  };
  const on = (handle: Handle): AdminHandler => {
    return async (call) => {
      const { collection = '' } = call.params;
      try {
        return await handle(call, openServed(collection));
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
  const isMeant = createIsEqual(others);
  if (isMeant) {
    const all = await store.list(name, { filters, limit: Number.POSITIVE_INFINITY });
    const meant = all.filter(isMeant);
    return toItemsAnswer(meant.slice(skip, skip + limit), meant.length);
  }
  // Both are asked for at once, so that a store in memory tells them of one moment.
  const [items, total] = await Promise.all([
    store.list(name, { filters, skip, limit }),
    store.count(name, filters),
  ]);
  return toItemsAnswer(items, total);
};

const createItem: Handle = async (call, { document, resource, edits }) => {
  const { store } = call.sandbox;
  const { name, idSchema } = resource;
  const given = resource.isSingle ? toSingle(document, resource, givenBy(call)) : givenBy(call);
  if (!edits.hasId(given) && !resource.isSingle) {
    edits.ensureFits(given);
    const { id, json } = await store.add(name, (n) =>
      toStoredItem(resource, given.value as Record<string, unknown>, toItemId(n, idSchema)),
    );
    return toCreatedAnswer(call, id, json);
  }
  const item = edits.toItem(given);
  const number = toItemNumber(item.id, idSchema);
  const outcome = await store.put(name, item, { number, ifFree: true });
  if (outcome === 'taken')
    refuse(
      'id_taken',
      `An item of ${name} has the id ${toExcerpt(item.id, 80)}. PUT replaces it, and PATCH changes it.`,
    );
  return toCreatedAnswer(call, item.id, item.json);
};

const putItem: Handle = async (call, { document, resource, edits }) => {
  const { name, idSchema } = resource;
  const id = idOf(call);
  const given = resource.isSingle ? toSingle(document, resource, givenBy(call), id) : givenBy(call);
  const item = edits.toItemOf(id, given);
  const number = toItemNumber(item.id, idSchema);
  const outcome = await call.sandbox.store.put(name, item, { number });
  return { status: outcome === 'added' ? 201 : 200, json: item.json };
};

const patchItem: Handle = async (call, { resource, edits }) => {
  const { name } = resource;
  const id = idOf(call);
  const given = givenBy(call);
  const item = await call.sandbox.store.change(name, id, (json) => edits.patch(id, json, given));
  return { status: 200, json: (item ?? notFound(call, resource)).json };
};

const deleteItems: Handle = async (call, served) => {
  const { filters, others } = readFilters(call, served, served.readFilters);
  const { store } = call.sandbox;
  const removed = await store.removeAll(served.resource.name, filters, createIsEqual(others));
  return toJsonAnswer({ removed });
};

function readFilters(
  { response }: AdminCall,
  { filters, indexed }: Served,
  read: ReadParameters,
): SplitFilters {
  const { texts, refusal } = read(response.req);
  if (refusal) refuseWith(refusal);
  return splitFilters({ filters }, indexed, texts);
}

function givenBy({ body: value, doubles, bodyBytes: bytes }: AdminCall): GivenFields {
  return { value, doubles, bytes };
}

function idOf({ params: { id = '' } }: AdminCall): string {
  return id;
}

function toCreatedAnswer({ response }: AdminCall, id: string, json: ByteText): Answer {
  const path = response.req.originalUrl.replace(/[?#].*/, '');
  return { status: 201, json, headers: { Location: `${path}/${encodeURIComponent(id)}` } };
}

/** The Error, and besides what is wrong where, so that a form can show it there. */
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

/**
 * The fields of a single object with what its id says: the values of the parameters in its path, a
 * slash in front of each. One whose path has none needs no id.
 */
function toSingle(
  document: ApiDocument,
  resource: Resource,
  { value, doubles, bytes }: GivenFields,
  id = (value as Fields)[resource.idProperty],
): GivenFields {
  const { scope = [], idProperty } = resource;
  const own = id ?? (scope.length === 0 ? '/' : undefined);
  if (own === undefined) return { value, doubles, bytes };
  const texts = String(own).split('/').slice(1);
  const values = scope.map((one, index) => {
    const text = texts[index] ?? '';
    return { scope: one, text: decodePercent(text) };
  });
  const members = { [idProperty]: own, ...createToScopeMembers(document, resource)(values) };
  return {
    value: { ...(value as Fields), ...members },
    doubles: { ...(doubles as Fields), ...members },
    bytes,
  };
}
