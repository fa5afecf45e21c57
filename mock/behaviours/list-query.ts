import { isNumber, isObject } from '../../common/json.ts';
import { toPlainName } from '../../common/words.ts';
import type { Comparison, Condition, FlatSchema, ListRules, SortKey } from '../../openapi/index.ts';
import {
  asksForDescending,
  directionWords,
  findNamed,
  parseSort,
  type Sorting,
} from '../../openapi/model/lists.ts';
import { type Fields, fieldsOf } from '../items/stored-item.ts';
import type { ByteText } from '../json/exact-json.ts';
import {
  compare,
  order,
  type QueriedItems,
  type Test,
  toLower,
  toTest,
  type Values,
  valuesAt,
} from './compare-values.ts';
import { createFitsGiven } from './list-conditions.ts';

/** Whether a query selects an item. */
export type IsMatch = (json: ByteText) => boolean;

/** The values of the properties that a list is sorted by, of one item. */
export type SortValues = readonly unknown[];

/** Selects and sorts the items of a list. */
export type ListQuery = { isMatch: IsMatch | undefined; order: readonly SortKey[] };

/** Creates a reader of the parameters that select and sort a list's items. */
export function createReadListQuery(
  { conditions, defaults, objects, qualified, search, sorting }: ListRules,
  queried: QueriedItems,
): (values: Values) => ListQuery {
  const { item } = queried;
  return (values) => {
    const tests = conditions.flatMap((condition) => toTest(condition, values, queried) ?? []);
    for (const { condition, value } of defaults)
      if (values[condition.parameter] === undefined) {
        const test = toTest(condition, { [condition.parameter]: value }, queried);
        // What has no value is none that is left out.
        if (test) tests.push((fields) => isSilent(condition, fields) || test(fields));
      }
    for (const name of search)
      if (values[name] !== undefined) {
        const create = qualified.includes(name) ? createIsFound : createHasText;
        tests.push(create(String(values[name]), queried));
      }
    for (const name of objects)
      if (values[name] !== undefined) tests.push(createFitsGiven(name, values[name], queried));
    const order = sorting ? readOrder(sorting, item, values) : [];
    const isMatch: IsMatch = (json) => {
      const fields = queriedFieldsOf(json);
      return tests.every((test) => test(fields));
    };
    return { isMatch: tests.length === 0 ? undefined : isMatch, order };
  };
}

/** The members of an item, with those of its `attributes`, where items of JSON:API have them. */
function queriedFieldsOf(json: ByteText): Fields {
  const fields = fieldsOf(json);
  return isObject(fields.attributes) ? { ...fields.attributes, ...fields } : fields;
}

function isSilent({ paths }: Condition, fields: Fields): boolean {
  return paths.every((path) => valuesAt(fields, path).length === 0);
}

/** Creates a test for a text in the texts of an item and of what it holds, whatever its case. */
function createHasText(text: string): Test {
  const sought = text.toLowerCase();
  const has = (value: unknown): boolean =>
    typeof value === 'string'
      ? value.toLowerCase().includes(sought)
      : typeof value === 'object' && value !== null && Object.values(value).some(has);
  return has;
}

/**
 * A part of a search: a word, or a name, how its value is compared, also as in SCIM (RFC 7644
 * §3.4.2.2), and a text.
 */
const searchPart =
  /(-?)([A-Za-z][\w.]*(?:\[["']?\w+["']?\])?)\s*([:~]|[<>]=?|(?<=\s)(?:eq|co|gt|ge|lt|le)(?=\s))\s*("[^"]*"|'[^']*'|\S+)|("[^"]*"|'[^']*'|\S+)/g;

const comparisonBySign: Readonly<Record<string, Comparison>> = {
  ...{
    ':': 'equal',
    '~': 'contains',
    '<': 'less',
    '<=': 'atMost',
    '>': 'greater',
    '>=': 'atLeast',
  },
  ...{ co: 'contains', lt: 'less', le: 'atMost', gt: 'greater', ge: 'atLeast' },
};

/**
 * Creates a test for a search: words, and conditions such as `status:'open'` or `-label:bug`.
 * Conditions on unknown properties are ignored.
 */
function createIsFound(text: string, { item, formAt }: QueriedItems): Test {
  const tests = [...text.matchAll(searchPart)].flatMap((part): Test[] => {
    const [, minus, name = '', sign = '', value = '', word = ''] = part;
    const plain = (quoted: string) => quoted.replace(/^(["'])(.*)\1$/, '$2');
    if (word !== '') return /^(AND|OR|NOT)$/i.test(word) ? [] : [createHasText(plain(word))];
    const [outer = '', ...inner] = name.split(/[.[\]"']+/).filter(Boolean);
    const property = findNamed(item, [toPlainName(outer), `${toPlainName(outer)}s`]);
    if (property === undefined) return [];
    const fits = compare[comparisonBySign[sign] ?? 'equal'];
    const path = [property, ...inner];
    const form = formAt(path);
    const isMatch = (one: unknown) =>
      fits(one, plain(value), form) ||
      ((sign === ':' || sign === 'eq') && toLower(one) === toLower(plain(value)));
    const test: Test = (fields) => valuesAt(fields, path).some(isMatch);
    return [minus ? (fields) => !test(fields) : test];
  });
  const isAny = /\sOR\s/i.test(text);
  return (fields) =>
    isAny ? tests.some((test) => test(fields)) : tests.every((test) => test(fields));
}

function readOrder(
  { parameter, direction = '', defaults }: Sorting,
  item: FlatSchema,
  values: Values,
): readonly SortKey[] {
  const textOf = (name: string): string | undefined => {
    const given = values[name] ?? (Object.hasOwn(defaults, name) ? defaults[name] : undefined);
    return given === undefined ? undefined : [given].flat().map(toSortName).join(',');
  };
  const keys = parseSort(item, textOf(parameter) ?? '');
  if (!asksForDescending(textOf(direction) ?? '')) return keys;
  return keys.map((key) => ({ ...key, isDescending: !key.isDescending }));
}

/** Returns the text of an order, such as `size:desc` for `{"field": "size", "direction": "desc"}`. */
function toSortName(given: unknown): string {
  if (!isObject(given)) return String(given);
  const texts = Object.values(given).filter((one) => typeof one === 'string');
  const direction = texts.find((one) => directionWords.test(one));
  const name = texts.find((one) => one !== direction);
  return [name ?? Object.keys(given)[0], direction ?? given[name ?? '']].filter(Boolean).join(':');
}

/** The values that an item is sorted by. */
export function sortValuesOf(json: ByteText, keys: readonly SortKey[]): SortValues {
  const fields = queriedFieldsOf(json);
  return keys.map(({ property }) => (Object.hasOwn(fields, property) ? fields[property] : null));
}

/** Below 0 where values come before others; what has no value comes last. */
export function compareSortValues(
  left: SortValues,
  right: SortValues,
  keys: readonly SortKey[],
): number {
  for (const [index, { isDescending }] of keys.entries()) {
    const [one, other] = [left[index] ?? null, right[index] ?? null];
    if (one === null && other === null) continue;
    if (one === null || other === null) return one === null ? 1 : -1;
    const found = compareValues(one, other);
    if (found !== 0) return isDescending ? -found : found;
  }
  return 0;
}

function compareValues(left: unknown, right: unknown): number {
  if (isNumber(left) && isNumber(right)) return order(left as number, right as number);
  if (typeof left === 'boolean' && typeof right === 'boolean') return order(left, right ? 1 : 0);
  return order(toSortText(left), toSortText(right));
}

function toSortText(value: unknown): string {
  return typeof value === 'object'
    ? JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? String(one) : one))
    : String(value);
}
