import { defined } from '../../common/defined.ts';
import { lastWordOf, shapeOf } from '../../common/path-template.ts';
import { partsOf, topOf } from '../../common/property-path.ts';
import { isSuccess } from '../../common/success.ts';
import { toNoun, toPlainName } from '../../common/words.ts';
import { describedAt } from '../described-at.ts';
import { shownOf } from '../marks.ts';
import { isJsonContent } from '../model/content.ts';
import type { Kind } from '../model/kinds.ts';
import {
  asks,
  type FailedCondition,
  type Operation,
  shownIn,
  successOf,
  takesListBelow,
} from '../model/operation.ts';
import { placementsOf } from '../model/placements.ts';
import { describedIdOf, nameOf, type Resource, type View } from '../model/resource.ts';
import { type FlatSchema, flatten, type RawDocument, resolve, type Schema } from '../schema.ts';
import { withStatesOf } from './conditions.ts';
import { placeItems } from './held-items.ts';
import { callersOf, findAlias, findIdProperty, type IdHints } from './id-property.ts';
import {
  exampleIdsOf,
  givenAsOf,
  givenByOf,
  givenIdOf,
  isCounted,
  shownIdsOf,
  toIdSchema,
  toSaidIdSchema,
} from './id-schema.ts';
import { findWrappedItem } from './item-form.ts';
import { findListForm } from './list-form.ts';
import {
  createAtItem,
  type FoundOperations,
  isHinted,
  operationsOn,
  operationsWithItem,
  setsItem,
  setsItems,
  setsMost,
  shownOnceOf,
  supposedId,
} from './operations-on.ts';
import { type CollectionPlace, hintedPathOf } from './places.ts';
import { agrees } from './schema-types.ts';
import { bodyItemsOf, bodySchemaOf, identityOf, isSameItem, itemOf, itemsOf } from './success.ts';
import { type Items, placeFields } from './taken-fields.ts';

/** A collection by what one place shows of it, and the schema that describes its items there. */
export type Candidate = {
  resource: Resource;
  schema: Schema;
  /** The identities of the schemas of its responses: their `$ref`, or the names in them. */
  shows: ReadonlySet<string>;
};

/** The reason why a place is no collection, and the properties of its items. */
export type Lack = IdHints & {
  lacks: 'items' | 'id' | 'counted ids';
  idProperty?: string | undefined;
  item: FlatSchema;
};

type CandidateOptions = {
  /** Returns the property that identifies the items which other places show, by their identity. */
  idElsewhere?: (identity: string) => string | undefined;
  /** Whether nothing is supposed that the document does not describe. */
  isStated: boolean;
};

/** The collection at a place, or what it lacks for one. */
export function toCandidate(
  raw: RawDocument,
  place: CollectionPlace,
  options: CandidateOptions,
): Candidate | Lack {
  placeItems(raw, place);
  const found = operationsOn(raw, place);
  createAtItem(raw, place, found);
  const { schemas, shown, idProperty, noun, parameter, idIn } = findItem(raw, place, {
    found,
    ...options,
  });
  const hasId = (one: FlatSchema) => describedAt(raw, one, idProperty ?? '') !== undefined;
  const schema = schemas[shown.findIndex(hasId)];
  const lack = (lacks: Lack['lacks']): Lack => {
    return { lacks, idProperty, noun, parameter, item: mergeItems(shown) };
  };
  if (idProperty === undefined || !schema) return lack(schemas.length === 0 ? 'items' : 'id');
  if (place.path.endsWith('}') && !namesItem(parameter?.name ?? '', noun, idProperty))
    return lack('id');
  if (found.list || found.read)
    Object.assign(found, { ...operationsWithItem(raw, place, { schema, idProperty }), ...found });
  const withId = [...new Set(shown.filter(hasId))];
  const others = [...withoutId(raw, found, withId), ...shownOtherwise(raw, found).filter(hasId)];
  const merged = mergeItems([...withId, ...others]);
  const item = withStatesOf(raw, found.list, merged);
  placeBodies(raw, place, found, { path: place.path, item, idProperty });
  const { create } = found;
  const givenAs = create && givenAsOf(raw, create, { parameter, idProperty });
  dropOthers(raw, found, { path: place.path, item, idProperty });
  if (create && givenAs !== undefined) found.create = create;
  createAtItem(raw, place, found);
  const { newId } = create?.rules ?? {};
  const said = { noun, idProperty, parameter };
  const idSchema: Schema =
    newId === undefined
      ? toIdSchema(raw, describedAt(raw, item, idProperty) ?? {}, said)
      : toSaidIdSchema(newId);
  if (!isCounted(idSchema)) return lack('counted ids');
  const givenId = givenIdOf(raw, found, idProperty);
  const freeIds =
    create && ['always', 'sometimes'].includes(givenId ?? '')
      ? exampleIdsOf(raw, create, { idProperty, idSchema })
      : undefined;
  const views = takeViewsBelow(place, found);
  const resource: Resource = defined({
    givenId,
    name: nameOf(place.path),
    path: place.path,
    idProperty,
    ...toHolder(raw, item, idProperty),
    idSchema,
    alias: findAlias(raw, item, { parameter, idProperty }),
    callers: callersOf(parameter),
    shownIds: shownIdsOf(raw, place.onItem, { idSchema, freeIds }),
    freeIds,
    item,
    shownOnce: idIn === 'path' ? [idProperty] : shownOnceOf(raw, found),
    idIn,
    givenAs,
    givenBy: create && givenByOf(raw, create, { noun, parameter, item }),
    operations: found,
    views: views.length > 0 ? views : undefined,
  });
  return { resource, schema, shows: new Set(schemas.map((one) => identityOf(raw, one))) };
}

/** Places the fields of items in bodies, and finds the operations that take a list of them there. */
function placeBodies(
  raw: RawDocument,
  { onCollection }: CollectionPlace,
  found: FoundOperations,
  known: Items,
): void {
  // Items that are no more than a reference to others are in lists of these.
  const { item, idProperty } = known;
  if (Object.keys(item.properties).every((name) => name === idProperty || name === 'type')) return;
  for (const one of new Set([...Object.values(found), ...onCollection]))
    if (!isHinted(one) && one.method !== 'GET') placeFields(raw, one, known);
  for (const one of onCollection) {
    const kind = kindsOfLists[one.method];
    if (!kind || found[kind] || isHinted(one) || !takesListBelow(one) || asks(one)) continue;
    if (found.create === one) delete found.create;
    found[kind] = one;
    one.lacks = undefined;
  }
}

const kindsOfLists: Readonly<Record<string, Kind>> = {
  POST: 'createMany',
  PUT: 'replaceMany',
  PATCH: 'updateMany',
};

/** Takes out what a hint ties to a collection from below an item, which it has a part of there. */
function takeViewsBelow(place: CollectionPlace, found: FoundOperations): View[] {
  return Object.entries(found).flatMap(([kind, one]) => {
    const path = isHinted(one) ? hintedPathOf(one) : place.path;
    if (!path.includes('{') || shapeOf(path) === shapeOf(place.path)) return [];
    delete found[kind as Kind];
    return [{ path, operations: { [kind]: one }, scope: [] }];
  });
}

/** Whether a parameter behind another is called as what identifies the items, or as these are. */
function namesItem(parameter: string, noun: string, idProperty: string): boolean {
  const plain = toPlainName(parameter);
  return plain.endsWith(toPlainName(topOf(idProperty))) || plain === toNoun(noun);
}

/** Finds the items that the operations of a place answer with, and what identifies them. */
function findItem(
  raw: RawDocument,
  { path }: CollectionPlace,
  { found, idElsewhere, isStated }: CandidateOptions & { found: FoundOperations },
) {
  const kinds = ['create', 'read', 'replace', 'update'] as const;
  const single = kinds.map((kind) => found[kind] && itemOf(raw, found[kind]));
  const listed = found.list && itemsOf(raw, found.list);
  const schemas = [listed, ...single].filter((schema) => schema !== undefined);
  const shown = schemas.map((one) => shownOf(raw, flatten(raw, one)));
  const noun = lastWordOf(path);
  const onItem = found.read ?? found.replace ?? found.update ?? found.delete;
  const parameter = onItem && describedIdOf(onItem);
  const hinted = Object.values(found).map(({ hint }) => hint?.id);
  const isKnown = (id: string | undefined) => id !== undefined;
  const idProperty =
    hinted.find(isKnown) ??
    shown
      .values()
      .map((one) => findIdProperty(raw, one, { noun, parameter }))
      .find(isKnown) ??
    schemas
      .values()
      .map((one) => idElsewhere?.(identityOf(raw, one)))
      .find(isKnown);
  const known = { schemas, noun, parameter };
  const isSupposed = idProperty === undefined && parameter !== undefined && !isStated;
  const supposed = isSupposed ? supposedId(raw, found, parameter) : undefined;
  if (!supposed) return { ...known, shown, idProperty, idIn: undefined };
  const id = { [supposed.name]: parameter?.schema ?? {} };
  const withId = shown.map((one) => ({ ...one, properties: { ...id, ...one.properties } }));
  return { ...known, shown: withId, idProperty: supposed.name, idIn: supposed.idIn };
}

/** Returns what successes show of items in further contents of JSON: `application/vnd.acme.v2+json`. */
function shownOtherwise(raw: RawDocument, found: FoundOperations): FlatSchema[] {
  const kinds = ['list', 'create', 'read', 'replace', 'update'] as const;
  return kinds.flatMap((kind) => {
    const operation = found[kind];
    const success = operation?.responses.find(isSuccess);
    if (!operation || !success) return [];
    const others = success.contents.filter(isJsonContent).map(({ schema }) => schema);
    return others
      .filter((schema) => schema !== undefined && schema !== success.schema)
      .map((schema) =>
        kind === 'list'
          ? findListForm(raw, schema, operation)?.items
          : (findWrappedItem(raw, schema, shownIn(operation))?.schema ?? schema),
      )
      .map((schema) => shownOf(raw, flatten(raw, schema)));
  });
}

/** Whether operations say enough: a list, a create, or a read of what others change. */
export function isCollection(resource: Resource): boolean {
  const found = placementsOf(resource).map(({ operations }) => operations);
  const all: FoundOperations = Object.assign({}, ...found.toReversed());
  const { list, create, read, replace, update, delete: remove } = all;
  const changes = [replace, update, remove].some((one) => one !== undefined);
  const isCreated =
    create && (isHinted(create) || create.responses.some(({ status }) => status === '201'));
  return Boolean(list || isCreated || ((create || changes) && (read || changes)));
}

/**
 * Returns the schemas that show items without their id: of a read whose path has the id, and of the
 * list of what a place creates. They agree with the schemas that have the id on each property.
 */
function withoutId(
  raw: RawDocument,
  { list, create, read }: FoundOperations,
  withId: readonly FlatSchema[],
): FlatSchema[] {
  const isWrapped = read && findWrappedItem(raw, successOf(read), shownIn(read)) !== undefined;
  const isItem = read && (isWrapped || itemsOf(raw, read) === undefined);
  const shown = [list && create && itemsOf(raw, list), isItem ? itemOf(raw, read) : undefined];
  return shown
    .filter((schema) => schema !== undefined)
    .map((schema) => shownOf(raw, flatten(raw, schema)))
    .filter((one) => withId.every((other) => agrees(raw, one, other)));
}

/** Merges what any of the schemas describes; the first schema wins. */
function mergeItems(given: readonly FlatSchema[]): FlatSchema {
  const schemas = [...new Set(given)];
  const [first = { properties: {}, required: [] }, ...others] = schemas;
  const required = [...new Set(schemas.flatMap((one) => one.required))];
  const isWhole = required.every((name) => Object.hasOwn(first.properties, name));
  if (others.length === 0 && isWhole) return { ...first, required };
  const properties = { ...first.properties };
  const add = (name: string, schema: Schema) => {
    if (!Object.hasOwn(properties, name)) properties[name] = schema;
  };
  for (const other of others)
    for (const [name, schema] of Object.entries(other.properties)) add(name, schema);
  // What is required is there, though nothing says what it is.
  for (const name of required) add(name, {});
  const beyond = new Set(schemas.flatMap(({ others: names = [] }) => names));
  return { properties, required, ...(beyond.size > 0 && { others: [...beyond] }) };
}

/** Leaves out operations of which the document says that they are about something else. */
function dropOthers(raw: RawDocument, found: FoundOperations, known: Items): void {
  const { item, idProperty } = known;
  const hinted = Object.entries(found).filter(([, one]) => isHinted(one));
  const hasId = (schema: Schema | undefined) => hasProperty(raw, schema, idProperty);
  const isOfItem = (schema: Schema = {}) => {
    const flat = shownOf(raw, flatten(raw, schema));
    const isKnown = Object.keys(flat.properties).every((name) =>
      Object.hasOwn(item.properties, name),
    );
    return hasId(schema) || (isKnown && agrees(raw, flat, item));
  };
  const drop = (kind: Kind, lacks: FailedCondition) => {
    if (found[kind]) found[kind].lacks = lacks;
    delete found[kind];
  };
  if (found.list && !isOfItem(itemsOf(raw, found.list))) drop('list', 'id');
  if (found.read && !isOfItem(itemOf(raw, found.read))) drop('read', 'id');
  for (const kind of ['replace', 'update'] as const)
    if (found[kind] && !setsItem(raw, found[kind], item)) drop(kind, 'fields');
  const { create } = found;
  const created = create && itemOf(raw, create);
  // An answer with an item that is read, or deleted, creates it, whatever the body: a session.
  const hasAnswer = created === undefined || hasId(created);
  const isMade = created && create.responses.some(({ status }) => status === '201');
  const isShown = found.read || (found.list && found.delete && isMade);
  const sets = create && setsItem(raw, create, item);
  const creates = create && (hasAnswer ? isShown || sets : setsMost(raw, create, item));
  if (!creates) drop('create', sets ? 'id' : 'fields');
  if (found.createMany && !createsItems(raw, found.createMany, known)) drop('createMany', 'fields');
  for (const kind of ['replaceMany', 'updateMany'] as const)
    if (found[kind] && !hasId(bodyItemsOf(raw, found[kind]))) drop(kind, 'id');
    else if (found[kind] && !setsItems(raw, found[kind], item)) drop(kind, 'fields');
  Object.assign(found, Object.fromEntries(hinted));
}

/**
 * Whether an operation takes a list of items to create, or of what the create of one takes, and answers
 * with these, with one of them, or with nothing that the document describes.
 */
export function createsItems(
  raw: RawDocument,
  operation: Operation,
  { path, item, idProperty, operations }: Items & Partial<Pick<Resource, 'operations'>>,
): boolean {
  const ofOne = operations?.create && bodySchemaOf(raw, operations.create);
  const isAlike = ofOne && isSameItem(raw, bodyItemsOf(raw, operation) ?? {}, ofOne);
  if (asks(operation) || !(isAlike || setsItems(raw, operation, item))) return false;
  // What holds items is called as in the path of the collection.
  const ofItems = { ...operation, path };
  const answered = itemsOf(raw, ofItems) ?? itemOf(raw, ofItems);
  return answered === undefined || hasProperty(raw, answered, idProperty);
}

/** Whether an operation takes a list of items with ids, to change these. */
export function changesItems(raw: RawDocument, operation: Operation, known: Items): boolean {
  const items = bodyItemsOf(raw, operation);
  const { item, idProperty } = known;
  return !asks(operation) && hasProperty(raw, items, idProperty) && setsItems(raw, operation, item);
}

function hasProperty(raw: RawDocument, schema: Schema | undefined, path: string): boolean {
  return describedAt(raw, shownOf(raw, flatten(raw, schema)), path) !== undefined;
}

/** The object that has the id, if it is not the item itself. */
function toHolder(
  raw: RawDocument,
  { properties }: FlatSchema,
  idProperty: string,
): Pick<Resource, 'idHolder'> {
  const parts = partsOf(idProperty);
  if (!parts) return {};
  const { allOf: _, ...own } = resolve(raw, properties[parts.outer] ?? {});
  return { idHolder: { ...own, ...flatten(raw, properties[parts.outer]) } };
}
