import { isDeepStrictEqual } from 'node:util';
import { defined } from '../../common/defined.ts';
import { isSuccess } from '../../common/success.ts';
import type { Api, ListRules, Operation, Paging, Resource } from '../../openapi/index.ts';
import { listRulesOf } from '../../openapi/model/lists.ts';
import { toErrorAnswer } from '../answers/answer.ts';
import { statusOf } from '../documented/responses.ts';
import { createIsEqual, type IndexedNames, splitFilters } from '../items/find-items.ts';
import type { ByteText } from '../json/exact-json.ts';
import { quote } from '../json/quote.ts';
import type { Behaviour, ItemOperation } from './behaviour.ts';
import { createRenderList } from './list-answer.ts';
import {
  factOf,
  inOrder,
  selectByCursor,
  selectNumbered,
  type ToUrl,
  toLinkHeader,
  toPageUrl,
} from './list-page.ts';
import { createReadListQuery } from './list-query.ts';
import { createOmitUnshown } from './wrapped-items.ts';

/** The page size if the document states none. */
const defaultPageSize = 20;

export type ListOptions = ItemOperation & { indexed?: IndexedNames | undefined };

/** Whether the answer is a bare array, and only filters and page size select its items. */
export function isPlainList(rules: ListRules): boolean {
  const { filters, forms, pageSize, queried, shows } = rules;
  const plain = { ...listRulesOf(undefined), filters, forms, pageSize, queried, shows };
  return isDeepStrictEqual(rules, defined(plain));
}

/**
 * Lists the items that a query asks for, page by page, in the form that the document describes; what
 * the answer says of the list is true of it at that moment. What is not among the `indexed` filters is
 * looked for in each item.
 */
export function createListBehaviour({
  document,
  resource,
  operation,
  indexed = new Set(),
}: ListOptions): Behaviour {
  const { name: collection, idProperty } = resource;
  const rules = listRulesOf(operation);
  const listed = document.schemas.findList(operation)?.items;
  const omit = listed && createOmitUnshown(document, resource, listed);
  const isPlain = isPlainList(rules);
  const { paging, pageSize, forms } = rules;
  const headers = headersOf(rules);
  const isLinkOurs = headers !== rules.headers;
  const success = operation.responses.find(isSuccess);
  const status = success ? statusOf(success, operation) : 200;
  const formAt = (path: readonly string[]) => document.schemas.valueFormAt(rules.queried, path);
  const read = createReadListQuery(rules, { item: rules.queried, formAt });
  const isShown = createIsShown(document, operation);
  const defaultAs = paging[0]?.style === 'cursor' ? 'cursor' : 'url';
  const { form } = rules;
  const render = createRenderList({
    ...{ document, resource, response: success, form, defaultAs, omit },
  });
  const readSize = createReadSize(rules);
  const isWhole = (name: string, value = '') => rules.wholeValues.get(name)?.includes(value);
  return async ({ store, query, parameters, url, source }) => {
    const names = rules.filters.filter((name) => !isWhole(name, query[name]));
    const { filters, others } = splitFilters({ filters: names, forms }, indexed, query);
    const size = readSize(pageSize && query[pageSize.name]);
    const isEqual = createIsEqual(others, { forms });
    if (isPlain && !isEqual) {
      const items = await store.list(collection, { filters, limit: size });
      const shown = omit ? items.map(omit) : items;
      return { status, json: `[${shown.join(',')}]` as ByteText };
    }
    const { isMatch: isAsked, order: asked } = read(parameters?.query ?? query);
    const order = asked.length > 0 ? asked : (rules.order ?? []);
    const tests = [isEqual, isAsked];
    const isMatch = (json: ByteText) => tests.every((test) => test === undefined || test(json));
    const meant = await store.listSerial(collection, { filters, isMatch });
    const isNewestFirst = rules.isNewestFirst === true && order.length === 0;
    const selection = inOrder(meant, { order, isNewestFirst, size });
    const way = wayOf(paging, query);
    const readCursor = (parameter: string | undefined) =>
      parameter === undefined || isShown(parameter, query[parameter])
        ? undefined
        : query[parameter];
    const found =
      way?.style === 'cursor'
        ? await selectByCursor(selection, {
            ...{ store, collection, idProperty, paging: way, after: readCursor(way.parameter) },
            before: readCursor(way.before),
          })
        : selectNumbered(selection, way, way && query[way.parameter]);
    if (!found) return toNoCursorAnswer(way, { query, url }, resource);
    const toUrl: ToUrl = (step) => toPageUrl(url, step, source);
    const isWithoutLinks = isLinkOurs && !found.hasNext && !found.hasPrevious;
    const fields = headers.flatMap(({ name, role }): [string, string][] => {
      if (role === 'links' && isWithoutLinks) return [];
      const links = role === 'links' ? toLinkHeader(found, toUrl) : undefined;
      const fact =
        role === 'links' ? links : factOf(found, role, { as: 'number', toUrl, idProperty });
      return fact === undefined || fact === null ? [] : [[name, String(fact)]];
    });
    return { status, json: render(found, toUrl), headers: Object.fromEntries(fields) };
  };
}

/**
 * The headers that say something of a list. Where it is a bare array with further pages, and none is
 * described, these are `Link` (RFC 8288) and `X-Total-Count`: nothing else could tell clients of other pages.
 */
function headersOf({ headers, form, paging }: ListRules): ListRules['headers'] {
  const isSilent = headers.length === 0 && form.pointer.length === 0 && paging.length > 0;
  if (!isSilent) return headers;
  return [
    { name: 'Link', role: 'links' },
    { name: 'X-Total-Count', role: 'total' },
  ];
}

type Query = Readonly<Record<string, string>>;

/** Creates a test of cursors that name no page: the empty one, and what the document has for an example. */
function createIsShown({ schemas }: Api, { parameters }: Operation) {
  const shownOf = (name: string): unknown[] => {
    const described = parameters.filter((one) => one.name === name);
    const ofSchemas = described.map(({ schema }) => schemas.resolve(schema));
    return [
      ...described.flatMap(({ examples }) => Object.values(examples)),
      ...ofSchemas.flatMap((one) => [one.example, one.examples, one.default].flat()),
    ];
  };
  return (name: string, text: string | undefined): boolean =>
    text === '' || (text !== undefined && shownOf(name).includes(text));
}

/** The way to another page that a query takes, or the first one. */
function wayOf(paging: readonly Paging[], query: Query): Paging | undefined {
  const isTaken = ({ parameter, before }: Paging) =>
    query[parameter] !== undefined || (before !== undefined && query[before] !== undefined);
  return paging.find(isTaken) ?? paging[0];
}

function toNoCursorAnswer(
  way: Paging | undefined,
  { query, url }: { query: Query; url: string },
  { name }: Resource,
) {
  const { parameter = '', before } = way ?? {};
  const asked = before !== undefined && query[before] !== undefined ? before : parameter;
  const expected = way?.isId
    ? `the id of an item of ${name}`
    : 'a cursor that a page of this list gave';
  const isInQuery = new URLSearchParams(url.split('?')[1]).has(asked);
  const named = isInQuery ? `Query parameter "${asked}"` : `"${asked}" of the body`;
  return toErrorAnswer(
    'invalid_parameter',
    `${named} must be ${expected}, but is ${quote(query[asked] ?? '')}.`,
  );
}

function createReadSize({ form, paging, pageSize }: ListRules) {
  const { maxItems = Number.POSITIVE_INFINITY } = form;
  const max = Math.min(pageSize?.max ?? Number.POSITIVE_INFINITY, maxItems);
  const whole = paging.length > 0 ? Math.min(defaultPageSize, max) : max;
  const byDefault = Math.min(pageSize?.default ?? whole, maxItems);
  return (text: string | undefined): number => {
    const asked = text === undefined ? byDefault : Number(text);
    // A number below 0 asks for all.
    if (asked < 0) return max;
    return Number.isNaN(asked) ? byDefault : Math.min(Math.floor(asked), maxItems);
  };
}
