import { toInstant } from '../../common/instant.ts';
import { valueIn } from '../../common/property-path.ts';
import type { Comparison, Condition, FlatSchema, ValueForm } from '../../openapi/index.ts';
import type { Fields } from '../items/stored-item.ts';
import { toComparable } from '../json/exact-json.ts';

/** The values of the parameters of a list. */
export type Values = Readonly<Record<string, unknown>>;

/** The items that a query asks for, and the form of the values at a path in them. */
export type QueriedItems = {
  item: FlatSchema;
  formAt: (path: readonly string[]) => ValueForm | undefined;
};

/** Tells whether an item is one that a query asks for. */
export type Test = (fields: Fields) => boolean;

/** Creates the test of a condition for the values of a query; undefined if these do not ask for it. */
export function toTest(
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
export function valuesAt(value: unknown, path: readonly string[], depth = 0): unknown[] {
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

/** Returns a value as a text in lower case. */
export const toLower = (value: unknown) => String(value).toLowerCase();

/** The tests of values by comparisons. */
export const compare: Readonly<Record<Comparison, Fits>> = {
  equal: isSame,
  not: isSame,
  less: (value, target) => distance(value, target) < 0,
  atMost: (value, target) => distance(value, target) <= 0,
  greater: (value, target) => distance(value, target) > 0,
  atLeast: (value, target) => distance(value, target) >= 0,
  contains: (value, target) => toLower(value).includes(toLower(target)),
  starts: (value, target) => toLower(value).startsWith(toLower(target)),
  ends: (value, target) => toLower(value).endsWith(toLower(target)),
};

/** Below 0 where a number or an instant is before another. */
function distance(value: unknown, target: string): number {
  if (typeof value === 'bigint' && /^-?\d+$/.test(target)) return order(value, BigInt(target));
  if (typeof value === 'number' || typeof value === 'bigint') return order(value, Number(target));
  const [left, right] = [toInstant(value), toInstant(target)];
  return Number.isNaN(left - right) ? order(String(value), target) : left - right;
}

/** Below 0 where a value is before another. */
export function order<T extends string | number | bigint | boolean>(
  left: T,
  right: T | number | bigint,
): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
