import { isSuccess } from '../../common/success.ts';
import { textOf } from '../../common/text-of.ts';
import { singular, toPlainName } from '../../common/words.ts';
import { heldSchemaOf } from '../model/content.ts';
import { typesOf } from '../model/id-form.ts';
import type { Condition, Default, ListField, ListForm, ListRules } from '../model/lists.ts';
import { type Operation, type Parameter, proseOf } from '../model/operation.ts';
import { type FlatSchema, flatten, type RawDocument, type Schema } from '../schema.ts';
import { asksByConditions, findConditions } from './conditions.ts';
import { findListHeaders } from './list-fields.ts';
import { type FoundList, findListForm, wordOf } from './list-form.ts';
import {
  findPaging,
  findSorting,
  isCursor,
  isDescribedPaging,
  isSearch,
  isText,
  pageSizeOf,
} from './list-parameters.ts';
import { isOtherThanFlag, objectAlternative, valueFormAt } from './schema-types.ts';

const bareArray: ListForm = { pointer: [], fields: [] };

/** How the success of an operation holds a list; undefined where it lists no objects. */
export function findList(raw: RawDocument, operation: Operation): FoundList | undefined {
  const success = operation.responses.find(isSuccess);
  return findListForm(raw, success && heldSchemaOf(success), operation);
}

/** Finds the rules of a list, by its parameters and the schema of its response. */
export function findListRules(raw: RawDocument, operation: Operation, item: FlatSchema): ListRules {
  const success = operation.responses.find(isSuccess);
  const found = findList(raw, operation);
  const queries = operation.parameters.filter((parameter) => parameter.in === 'query');
  const filters = queries.filter((one) => isPlainFilter(raw, one, item)).map(({ name }) => name);
  const wholeValues = queries
    .filter(({ name }) => filters.includes(name))
    .flatMap((one) => toWholeValues(raw, one, item));
  const pageSize = pageSizeOf(raw, operation, filters);
  const left = queries.filter(({ name }) => !filters.includes(name) && name !== pageSize?.name);
  const headers = success ? findListHeaders(raw, success.headers) : [];
  const cursor = found && findCursor(raw, left, found);
  const form = cursor?.form ?? found?.form ?? bareArray;
  const givesCursor =
    form.fields.some(isNext) || headers.some(({ role }) => role === 'links' || role === 'next');
  const paging = findPaging(raw, left, { givesCursor, cursor: cursor?.parameter });
  const ofPaging = new Set(paging.flatMap(({ parameter, before = '' }) => [parameter, before]));
  const others = left.filter(({ name }) => !ofPaging.has(name));
  const queried = withAttributes(raw, item);
  const sorting = findSorting(raw, others, queried);
  const objects = others.filter((one) => asksByConditions(raw, one)).map(({ name }) => name);
  const searching = others.filter((one) => isSearch(raw, one) && !objects.includes(one.name));
  const search = searching.map(({ name }) => name);
  const qualified = searching
    .filter(({ description = '' }) =>
      /\bqualifiers?\b|\b(query|search)[- ](language|syntax)\b|\bfilter(ing)? expressions?\b/i.test(
        description,
      ),
    )
    .map(({ name }) => name);
  const words = [wordOf(operation.plainPath ?? operation.path), form.pointer.at(-1) ?? ''];
  const nouns = words.map(singular);
  const ofSorting = [sorting?.parameter, sorting?.direction];
  const conditions = others
    .filter(({ name }) => ![...search, ...objects, ...ofSorting].includes(name))
    .flatMap((one) => findConditions(raw, one, { item: queried, nouns }));
  const choosing: readonly Condition[] = [
    ...conditions,
    ...filters.map((parameter) => ({
      parameter,
      paths: [[parameter]],
      comparison: 'equal' as const,
    })),
  ];
  const isWhole = ({ name }: Parameter, value: unknown) =>
    wholeValues.some(([filter, values]) => filter === name && values.includes(textOf(value)));
  const defaults = queries.flatMap((one): Default[] => {
    const { default: value } = objectAlternative(raw, one.schema) ?? {};
    if (value === undefined || value === '' || isWhole(one, value)) return [];
    return choosing
      .filter(({ parameter }) => parameter === one.name)
      .map((condition) => ({ condition, value }));
  });
  const { property, isDescending = newestFirst.test(proseOf(operation)) } =
    operation.rules?.order ?? {};
  const order = property === undefined ? undefined : { property, isDescending };
  const isNewestFirst = order === undefined && isDescending;
  const rules: ListRules = {
    form,
    headers,
    queried,
    filters,
    forms: Object.fromEntries(filters.map((name) => [name, valueFormAt(raw, item, [name])])),
    wholeValues: new Map(wholeValues),
    ...(pageSize && { pageSize }),
    paging,
    ...(sorting && { sorting }),
    search,
    qualified,
    conditions,
    objects,
    defaults,
    ...(isNewestFirst && { isNewestFirst }),
    ...(order && { order: [order] }),
  };
  const shows = whatIsShown(operation, rules);
  return { ...rules, ...(shows && { shows }) };
}

/** Adds the properties that items of JSON:API have in their object `attributes`. */
function withAttributes(raw: RawDocument, item: FlatSchema): FlatSchema {
  const { attributes } = item.properties;
  if (attributes === undefined) return item;
  const { properties } = flatten(raw, objectAlternative(raw, attributes));
  return { ...item, properties: { ...properties, ...item.properties } };
}

function isNext({ role, as }: ListField): boolean {
  return role === 'next' && as !== 'number';
}

/**
 * Finds the parameter that is called as the text of an answer that holds the next cursor, and adds
 * that text to the form where only the parameter tells its role: `iterator`, `page.marker`.
 */
function findCursor(
  raw: RawDocument,
  parameters: readonly Parameter[],
  { form, texts = [] }: FoundList,
): { parameter: string; form: ListForm } | undefined {
  const isCalled = (parameter: Parameter, path: readonly string[]) =>
    [parameter.name, parameter.name.replace(/^.*\[(\w+)\]$/, '$1')]
      .map(toPlainName)
      .includes(toPlainName(path.at(-1) ?? ''));
  const known = form.fields.filter(isNext);
  const saysMore = form.fields.some(({ role }) => role === 'hasMore' || role === 'isLast');
  const paths = known.length > 0 ? known.map(({ path }) => path) : texts;
  for (const path of paths) {
    const parameter = parameters.find((one) => isCalled(one, path) && isText(raw, one));
    if (!parameter || isSearch(raw, parameter)) continue;
    const pages = known.length > 0 || saysMore || isCursor(raw, parameter);
    const field: ListField = { role: 'next', path, as: 'cursor' };
    const fields = known.length > 0 ? form.fields : [...form.fields, field];
    if (pages) return { parameter: parameter.name, form: { ...form, fields } };
  }
  return undefined;
}

/** Words of descriptions of lists that show the newest items first. */
const newestFirst =
  /\b(most recent\w*|newest|latest)\b[^.]*\bfirst\b|\breverse chronological|\bdescending\b[^.]*\b(creation|created|date)\b|\b(creation|created|date)\b[^.]*\bdescending\b/i;

/**
 * The values of a filter that ask for items with any value: those of these names that the parameter
 * lists, and the property does not.
 */
function toWholeValues(
  raw: RawDocument,
  { name, schema }: Parameter,
  item: FlatSchema,
): [string, string[]][] {
  const valuesOf = (one: Schema): unknown[] => objectAlternative(raw, one)?.enum ?? [];
  const own = valuesOf(item.properties[name] ?? {});
  const whole = valuesOf(schema).filter((value) => /^(all|any|\*)$/i.test(textOf(value)));
  const others = whole.filter((value) => !own.includes(value)).map(String);
  return others.length > 0 ? [[name, others]] : [];
}

/** Whether a parameter has the name of a property, and both are one text, number or boolean. */
function isPlainFilter(raw: RawDocument, parameter: Parameter, item: FlatSchema): boolean {
  const { name, schema } = parameter;
  const property = Object.hasOwn(item.properties, name) ? item.properties[name] : undefined;
  if (property === undefined || isDescribedPaging(raw, parameter)) return false;
  if (isOtherThanFlag(raw, schema, property)) return false;
  return [schema, property].every((one) => {
    const inner = objectAlternative(raw, one) ?? {};
    const types = typesOf(inner);
    return !types.includes('array') && !types.includes('object') && !inner.properties;
  });
}

/** Whether a list that asks for nothing may leave items out, as far as the document says. */
function whatIsShown(
  { parameters }: Operation,
  { pageSize, paging, form, headers, sorting }: ListRules,
): ListRules['shows'] {
  const harmless = [pageSize?.name, sorting?.parameter, sorting?.direction].concat(
    paging.flatMap(({ parameter, before }) => [parameter, before]),
  );
  const chooses = parameters.some(
    ({ in: place, name, required, schema }) =>
      place === 'query' && !harmless.includes(name) && (required || schema.default !== undefined),
  );
  if (chooses) return 'selection';
  const saysMore = form.fields.some(({ role }) => rolesOfPages.has(role)) || headers.length > 0;
  const isPaged = pageSize !== undefined || paging.length > 0 || form.maxItems !== undefined;
  return isPaged || saysMore ? 'page' : undefined;
}

/** Roles of fields that only lists with pages have. */
const rolesOfPages = new Set(['pages', 'page', 'next', 'hasMore', 'isLast', 'size']);
