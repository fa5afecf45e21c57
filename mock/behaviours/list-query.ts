import { toInstant } from '../../common/instant.ts';
import { isObject } from '../../common/json.ts';
import { valueIn } from '../../common/property-path.ts';
import { toPlainName } from '../../common/words.ts';
import type {
  Comparison,
  Condition,
  FlatSchema,
  ListRules,
  Sorting,
  SortKey,
  ValueForm,
} from '../../openapi/index.ts';
import {
  asksForDescending,
  comparisonOf,
  findNamed,
  parseSort,
} from '../../openapi/model/lists.ts';
import { type Fields, fieldsOf } from '../items/stored-item.ts';
import { toComparable } from '../json/comparable.ts';
import type { ByteText } from '../json/exact-json.ts';

type Values = Readonly<Record<string, unknown>>;

/** Whether a query selects an item. */
export type IsMatch = (json: ByteText) => boolean;

/** The values of the properties that a list is sorted by, of one item. */
export type SortValues = readonly unknown[];

/** Selects and sorts the items of a list. */
export type ListQuery = { isMatch: IsMatch | undefined; order: readonly SortKey[] };

/** The items that a query asks for, and the form of the values at a path in them. */
export type QueriedItems = {
  item: FlatSchema;
  formAt: (path: readonly string[]) => ValueForm | undefined;
};

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
      if (isObject(values[name])) tests.push(createFitsObject(values[name], queried));
    const order = sorting ? readOrder(sorting, item, values) : [];
    const isMatch: IsMatch = (json) => {
      const fields = fieldsOf(json);
      return tests.every((test) => test(fields));
    };
    return { isMatch: tests.length === 0 ? undefined : isMatch, order };
  };
}

type Test = (fields: Fields) => boolean;

function isSilent({ paths }: Condition, fields: Fields): boolean {
  return paths.every((path) => valuesAt(fields, path).length === 0);
}

function toTest(
  { parameter, member, paths, comparison, isList }: Condition,
  values: Values,
  { formAt }: QueriedItems,
): Test | undefined {
  const given = values[parameter];
  const asked = member === undefined ? given : valueIn(given, [member]);
  if (asked === undefined || asked === null) return undefined;
  const texts = [asked].flat().map(String);
  const targets = isList ? texts.flatMap((text) => text.split(',')) : texts;
  const fits = compare[comparison];
  const formed = paths.map((path) => ({ path, form: formAt(path) }));
  const isAny: Test = (fields) =>
    formed.some(({ path, form }) =>
      valuesAt(fields, path).some((value) => targets.some((target) => fits(value, target, form))),
    );
  return comparison === 'not' ? (fields) => !isAny(fields) : isAny;
}

/** The values at a path, of a list each of them. */
function valuesAt(value: unknown, path: readonly string[], depth = 0): unknown[] {
  if (Array.isArray(value)) return value.flatMap((one) => valuesAt(one, path, depth));
  if (value === null || value === undefined) return [];
  const key = path[depth];
  if (key === undefined) return [value];
  if (typeof value !== 'object' || !Object.hasOwn(value, key)) return [];
  return valuesAt((value as Fields)[key], path, depth + 1);
}

type Fits = (value: unknown, target: string, form: ValueForm | undefined) => boolean;

const isSame: Fits = (value, target, form) =>
  toComparable(value, form) === toComparable(target, form);
const toLower = (value: unknown) => String(value).toLowerCase();

const compare: Readonly<Record<Comparison, Fits>> = {
  equal: isSame,
  not: isSame,
  less: (value, target) => distance(value, target) < 0,
  atMost: (value, target) => distance(value, target) <= 0,
  greater: (value, target) => distance(value, target) > 0,
  atLeast: (value, target) => distance(value, target) >= 0,
  contains: (value, target) => toLower(value).includes(toLower(target)),
};

/** Below 0 where a number or an instant is before another. */
function distance(value: unknown, target: string): number {
  if (typeof value === 'bigint' && /^-?\d+$/.test(target)) return order(value, BigInt(target));
  if (typeof value === 'number' || typeof value === 'bigint') return order(value, Number(target));
  const [left, right] = [toInstant(value), toInstant(target)];
  return Number.isNaN(left - right) ? order(String(value), target) : left - right;
}

function order<T extends string | number | bigint | boolean>(
  left: T,
  right: T | number | bigint,
): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Creates a test for a text in the texts of an item, whatever its case. */
function createHasText(text: string): Test {
  const sought = text.toLowerCase();
  return (fields) =>
    Object.values(fields)
      .flat()
      .some((value) => typeof value === 'string' && value.toLowerCase().includes(sought));
}

/**
 * Creates a test for an object of conditions, such as `{"status": {"_eq": "open"}}`, also below
 * `_and` and `_or`. Values without a comparison must be equal; unknown comparisons are ignored.
 */
function createFitsObject(
  asked: Fields,
  queried: QueriedItems,
  path: readonly string[] = [],
): Test {
  const tests = Object.entries(asked).flatMap(([name, given]): Test[] => {
    const [, group] = /^[_$]?(and|or)$/i.exec(name) ?? [];
    const parts = [given].flat().filter(isObject);
    if (group !== undefined) {
      const inner = parts.map((one) => createFitsObject(one, queried, path));
      const isAny = group.toLowerCase() === 'or';
      return [
        (fields) => (isAny ? inner.some((is) => is(fields)) : inner.every((is) => is(fields))),
      ];
    }
    const comparison = comparisonOf(name);
    if (path.length > 0 && comparison)
      return [toTest({ parameter: name, paths: [path], comparison }, asked, queried) ?? []].flat();
    if (path.length === 0 && !Object.hasOwn(queried.item.properties, name)) return [];
    const at = [...path, name];
    if (isObject(given)) return [createFitsObject(given, queried, at)];
    return /^[_$]/.test(name)
      ? []
      : [
          toTest({ parameter: name, paths: [at], comparison: 'equal' }, asked, queried) ?? [],
        ].flat();
  });
  return (fields) => tests.every((test) => test(fields));
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
    return given === undefined ? undefined : [given].flat().join(',');
  };
  const keys = parseSort(item, textOf(parameter) ?? '');
  if (!asksForDescending(textOf(direction) ?? '')) return keys;
  return keys.map((key) => ({ ...key, isDescending: !key.isDescending }));
}

/** The values that an item is sorted by. */
export function sortValuesOf(json: ByteText, keys: readonly SortKey[]): SortValues {
  const fields = fieldsOf(json);
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
  const isNumber = (value: unknown) => typeof value === 'number' || typeof value === 'bigint';
  if (isNumber(left) && isNumber(right)) return order(left as number, right as number);
  if (typeof left === 'boolean' && typeof right === 'boolean') return order(left, right ? 1 : 0);
  return order(toSortText(left), toSortText(right));
}

function toSortText(value: unknown): string {
  return typeof value === 'object'
    ? JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? String(one) : one))
    : String(value);
}
