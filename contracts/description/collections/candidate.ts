import { defined } from '../defined.ts';
import { describedAt, requiresAt } from '../described-at.ts';
import { isMarked, shownOf } from '../marks.ts';
import type { Operation } from '../operation.ts';
import { Pattern } from '../pattern.ts';
import { partsOf, topOf } from '../property-path.ts';
import {
  type FlatSchema,
  flatten,
  isObject,
  type RawDocument,
  resolve,
  type Schema,
} from '../schema.ts';
import { bodySchemaOf, findWrappedBody } from './body-schema.ts';
import { findItem } from './find-item.ts';
import { placeItems } from './held-items.ts';
import { idFormOfText } from './id-form.ts';
import { type IdHints, isNaturalKey, receiptOf } from './id-property.ts';
import { findWrappedItem, type WrappedItem } from './item-form.ts';
import { findListRules, type ListRules } from './list-rules.ts';
import {
  asks,
  isHinted,
  operationsOn,
  operationsWithItem,
  setsItem,
  setsItems,
} from './operations-on.ts';
import type { Place } from './places.ts';
import { toPlainName } from './plain-name.ts';
import { idParameterOf, nameOf, type Resource } from './resource.ts';
import { identityOf, itemOf, itemsOf, shownIn, successOf } from './success.ts';
import { singular } from './words.ts';

/** A collection by what one place shows of it, and the schema that describes its items there. */
export type Candidate = {
  resource: Resource;
  schema: Schema;
  /** What tells the schemas of its answers from others: their `$ref`, or the names in them. */
  shows: ReadonlySet<string>;
  /** Whether its list can show a part of the items. */
  isFiltered: boolean;
};

type Found = Resource['operations'];

/** The collection at a place; undefined where its items, or their ids, are not known. */
export function toCandidate(raw: RawDocument, place: Place): Candidate | undefined {
  placeItems(raw, place);
  const found = operationsOn(raw, place);
  const { schemas, shown, idProperty, noun, parameter } = findItem(raw, place, found);
  const withId = shown.filter((one) => describedAt(raw, one, idProperty ?? '') !== undefined);
  const schema = schemas[shown.indexOf(withId[0] as FlatSchema)];
  if (idProperty === undefined || !schema) return undefined;
  if (place.path.endsWith('}') && !namesItem(parameter, { noun, idProperty })) return undefined;
  if (found.list || found.read) {
    const silent = operationsWithItem(raw, place, { schema, idProperty });
    Object.assign(found, { ...silent, ...found });
  }
  const item = mergeItems(withId);
  const givenAs = found.create && givenAsOf(raw, found.create, { parameter, idProperty });
  const { create } = found;
  dropOthers(raw, found, { path: place.path, item, idProperty });
  if (create && givenAs !== undefined) found.create = create;
  const idSchema = toIdSchema(raw, describedAt(raw, item, idProperty) ?? {}, {
    noun,
    idProperty,
    parameter,
  });
  if (!isCounted(idSchema)) return undefined;
  const rules = found.list && findListRules(raw, found.list, item);
  const { filters = [], conditions = [], search = [], pageSize, form } = rules ?? {};
  const givenId = found.create && givenIdOf(raw, found, idProperty);
  const resource: Resource = defined({
    name: nameOf(place.path),
    path: place.path,
    idProperty,
    ...toHolder(raw, item, idProperty),
    idSchema,
    shownIds: shownIdsOf(raw, place.onItem, idSchema),
    item,
    filters: [...filters],
    pageSize,
    ...(found.list && rules && isPart(found.list, rules)),
    listForm: form && form.pointer.length > 0 ? form : undefined,
    givenId,
    givenAs,
    ...toForms(raw, found),
    operations: found,
  });
  const isFiltered = [filters, conditions, search].some(({ length }) => length > 0);
  const shows = new Set(schemas.map((one) => identityOf(raw, one)));
  return { resource, schema, shows, isFiltered };
}

/** Whether a parameter behind another is called as what identifies the items, or as these are. */
function namesItem(parameter: IdHints['parameter'], { noun, idProperty }: IdDescription): boolean {
  const plain = toPlainName(parameter?.name ?? '');
  return plain.endsWith(toPlainName(topOf(idProperty))) || plain === toPlainName(singular(noun));
}

/** The ids that the parameters of paths show as examples or defaults; undefined without any. */
function shownIdsOf(
  raw: RawDocument,
  onItem: readonly Operation[],
  idSchema: Schema,
): readonly (string | number)[] | undefined {
  const shown = onItem.flatMap((operation) => {
    const name = idParameterOf(operation);
    const described = operation.parameters.filter((one) => one.in === 'path' && one.name === name);
    return described.flatMap(({ schema, examples: own }) => {
      const { example, examples = [], default: byDefault } = resolve(raw, schema);
      return [...Object.values(own), example, ...[examples].flat(), byDefault];
    });
  });
  const ids = new Set(shown.map((one) => toId(one, idSchema)).filter((one) => one !== undefined));
  return ids.size > 0 ? [...ids] : undefined;
}

/** A value as an id of a schema; undefined where it is none. */
function toId(value: unknown, schema: Schema): string | number | undefined {
  const { type, format, pattern, minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = schema;
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  if ([type].flat().includes('string')) {
    const text = String(value);
    const expression = typeof pattern === 'string' ? pattern : format === 'uuid' ? uuid : '^[^/]+$';
    return new Pattern(expression).test(text) ? text : undefined;
  }
  const number = Number(value);
  const isWithin = number >= Number(minimum) && number <= Number(maximum);
  return Number.isSafeInteger(number) && isWithin && value !== '' ? number : undefined;
}

const uuid = '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$';

/** The properties that hold items in answers and bodies. */
function toForms(raw: RawDocument, found: Found): Pick<Resource, 'itemForm' | 'bodyForm'> {
  const collect = (find: (operation: Operation) => WrappedItem | undefined) =>
    Object.fromEntries(
      Object.entries(found).flatMap(([kind, operation]) => {
        const pointer = kind === 'list' ? undefined : find(operation)?.pointer;
        return pointer === undefined ? [] : [[kind, { pointer }]];
      }),
    );
  const itemForm = collect((one) => findWrappedItem(raw, successOf(one), shownIn(one)));
  const bodyForm = collect((one) => findWrappedBody(raw, one));
  return {
    ...(Object.keys(itemForm).length > 0 && { itemForm }),
    ...(Object.keys(bodyForm).length > 0 && { bodyForm }),
  };
}

/** Whether operations say enough: a list, a create, or a read of what others change. */
export function isCollection({ operations, views = [] }: Resource): boolean {
  const all = Object.assign({}, ...views.map((view) => view.operations), operations);
  const { list, create, read, replace, update, delete: remove } = all as Found;
  const changes = [replace, update, remove].some((one) => one !== undefined);
  const isCreated = create?.responses.some(({ status }) => status === '201');
  return Boolean(list || isCreated || ((create || changes) && (read || changes)));
}

/** What any of the schemas describes; what several describe is as the first has it. */
function mergeItems(schemas: readonly FlatSchema[]): FlatSchema {
  const [first = { properties: {}, required: [] }, ...others] = schemas;
  if (others.length === 0) return first;
  const properties = { ...first.properties };
  for (const other of others)
    for (const [name, schema] of Object.entries(other.properties))
      if (!Object.hasOwn(properties, name)) properties[name] = schema;
  const required = new Set(schemas.flatMap((schema) => schema.required));
  return { properties, required: [...required] };
}

/** Leaves out operations of which the document says that they are about something else. */
function dropOthers(
  raw: RawDocument,
  found: Found,
  { path, item, idProperty }: Pick<Resource, 'path' | 'item' | 'idProperty'>,
): void {
  const hasId = (schema: Schema | undefined) => hasProperty(raw, schema, idProperty);
  const hinted = Object.entries(found).filter(([, one]) => isHinted(one));
  if (found.list && !hasId(itemsOf(raw, found.list))) delete found.list;
  if (found.read && !hasId(itemOf(raw, found.read))) delete found.read;
  for (const kind of ['create', 'replace', 'update'] as const)
    if (found[kind] && !setsItem(raw, found[kind], item)) delete found[kind];
  const isAnswered = (operation: Operation) =>
    itemOf(raw, operation) === undefined ||
    hasId(itemOf(raw, operation)) ||
    receiptOf(flatten(raw, itemOf(raw, operation)), { path, idProperty }) !== undefined;
  if (found.create && !isAnswered(found.create)) delete found.create;
  if (found.createMany && !createsItems(raw, found.createMany, { path, item, idProperty }))
    delete found.createMany;
  Object.assign(found, Object.fromEntries(hinted));
}

/**
 * Whether an operation takes a list of items to create, and answers with these, with one of them, or
 * with nothing that the document describes.
 */
export function createsItems(
  raw: RawDocument,
  operation: Operation,
  { path, item, idProperty }: Pick<Resource, 'path' | 'item' | 'idProperty'>,
): boolean {
  if (asks(operation) || !setsItems(raw, operation, item)) return false;
  // What holds items is called as in the path of the collection.
  const ofItems = { ...operation, path };
  const answered = itemsOf(raw, ofItems) ?? itemOf(raw, ofItems);
  return answered === undefined || hasProperty(raw, answered, idProperty);
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

/** Whether the caller gives the ids of new items, always or where they like to. */
function givenIdOf(
  raw: RawDocument,
  { create, replace }: Found,
  idProperty: string,
): Resource['givenId'] | undefined {
  const body = flatten(raw, create && bodySchemaOf(raw, create));
  const described = describedAt(raw, body, idProperty);
  const isTaken = described !== undefined && !isMarked(raw, described, 'readOnly');
  if (!isTaken) return undefined;
  if (requiresAt(raw, body, idProperty)) return 'always';
  if (isNaturalKey(idProperty)) return 'sometimes';
  const { example, examples } = resolve(raw, described);
  const isShown = example !== undefined || examples !== undefined;
  const isInBodies = replace !== undefined && idParameterOf(replace) === undefined;
  return isShown || isInBodies ? 'ifFree' : undefined;
}

/** The property of a body that is called as the path parameter of an item, and becomes its id. */
function givenAsOf(
  raw: RawDocument,
  create: Operation,
  { parameter, idProperty }: Pick<IdDescription, 'parameter' | 'idProperty'>,
): string | undefined {
  const { properties } = flatten(raw, bodySchemaOf(raw, create));
  if (!parameter || !isNaturalKey(idProperty) || properties[idProperty]) return undefined;
  return Object.keys(properties).find((one) => toPlainName(one) === toPlainName(parameter.name));
}

/** Whether a list that asks for nothing may leave items out, as far as the document says. */
function isPart(
  { parameters }: Operation,
  { pageSize, paging, form, headers, sorting }: ListRules,
): Pick<Resource, 'listed'> {
  const harmless = [pageSize?.name, sorting?.parameter, sorting?.direction].concat(
    paging.flatMap(({ parameter, before }) => [parameter, before]),
  );
  const chooses = parameters.some(
    ({ in: place, name, required, schema }) =>
      place === 'query' && !harmless.includes(name) && (required || schema.default !== undefined),
  );
  if (chooses) return { listed: 'selection' };
  const saysMore = form.fields.some(({ role }) => rolesOfPages.has(role)) || headers.length > 0;
  const isPaged = pageSize !== undefined || paging.length > 0 || form.maxItems !== undefined;
  return isPaged || saysMore ? { listed: 'page' } : {};
}

/** What a list says only where there may be more than it shows. */
const rolesOfPages = new Set(['pages', 'page', 'next', 'hasMore', 'isLast', 'size']);

/** Whether the service can count ids that fit a schema: as numbers, or as texts of a known form. */
export function isCounted(schema: Schema): boolean {
  if (schema.enum || 'const' in schema) return false;
  const types: unknown[] = [schema.type ?? 'string'].flat();
  return types.includes('integer') || types.includes('number')
    ? isCountedNumber(schema)
    : types.includes('string') && idFormOfText(schema) !== undefined;
}

function isCountedNumber({
  minimum = 1,
  exclusiveMinimum = 0,
  maximum,
  exclusiveMaximum,
  multipleOf = 1,
}: RawDocument): boolean {
  const max = Math.min(maximum ?? Infinity, exclusiveMaximum ?? Infinity);
  const min = Math.max(minimum, exclusiveMinimum + 1);
  return min <= 1e12 && max >= min + 9_998 && multipleOf <= 1;
}

/** What the ids of a collection are described by, besides their schema. */
type IdDescription = IdHints & { idProperty: string };

/**
 * The schema of ids, of one type, with an example of one where the document shows one somewhere.
 * Names that people choose are made with the noun of the collection: `user-1`.
 */
function toIdSchema(raw: RawDocument, property: Schema, description: IdDescription): Schema {
  const { parameter, idProperty, noun } = description;
  const shown = ofOneType(raw, property);
  // Items may show as any text what a path takes in one form.
  const { format } = parameter ? ofOneType(raw, parameter.schema) : {};
  const isAny = [shown.format, shown.pattern, shown.enum].every((one) => one === undefined);
  const schema = isAny && typeof format === 'string' ? { ...shown, format } : shown;
  const isText = schema.type === 'string';
  if (!isText || schema.example !== undefined || schema.examples !== undefined) return schema;
  const examples = parameter && [
    ...Object.values(parameter.examples),
    resolve(raw, parameter.schema).example,
  ];
  const example = examples?.find((one) => typeof one === 'string');
  if (example !== undefined) return { ...schema, examples: [example] };
  return isNaturalKey(idProperty) ? { ...schema, examples: [`${singular(noun)}-1`] } : schema;
}

/** The schema itself, without null, its `allOf` folded, and of alternatives the first for ids. */
function ofOneType(raw: RawDocument, property: Schema): Schema {
  const schema = withParts(raw, resolve(raw, property));
  const alternatives = [schema.oneOf ?? schema.anyOf ?? []]
    .flat()
    .map((one) => ofOneType(raw, one));
  const chosen = alternatives.find(({ type }) => type === 'integer' || type === 'string');
  if (schema.type === undefined && chosen) return chosen;
  if (!Array.isArray(schema.type)) return schema;
  const types: unknown[] = schema.type.filter((type) => type !== 'null');
  return types.length === 1 ? { ...schema, type: types[0] } : schema;
}

/** A schema without a type of its own, beside what the parts of its `allOf` say. */
function withParts(raw: RawDocument, schema: RawDocument): RawDocument {
  // `true` says nothing of a value.
  if (!isObject(schema)) return {};
  const { allOf, ...own } = schema;
  if (schema.type !== undefined || !Array.isArray(allOf)) return schema;
  const parts = allOf.map((part) => withParts(raw, resolve(raw, part)));
  return Object.assign({}, ...parts, own);
}
