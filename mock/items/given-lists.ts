import { toToken } from '../../contracts/description/json-pointer.ts';
import type { ExactJson } from '../json/exact-json.ts';
import { describeValue, type Problem } from '../json/problems.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Whether a value is a snapshot, as the admin exports one: others have lists alone. */
export function isSnapshot(value: unknown): value is { version?: unknown; collections: Fields } {
  return isObject(value) && isObject(value.collections);
}

/** The names of the collections that a value gives items of. */
export function namesOfGiven(value: unknown): string[] {
  return isObject(value) ? Object.keys(isSnapshot(value) ? value.collections : value) : [];
}

/** Takes a problem of what is given. */
export type Report = (problem: Problem) => void;

/** The list of a collection, where it is, and the number of the next item, if that is given. */
export type GivenList = {
  name: string;
  at: string;
  items: unknown;
  doubles: unknown;
  next?: { at: string; value: unknown };
};

/** The lists that a value gives; what is wrong with its form is reported. */
export function toLists({ value, doubles }: ExactJson, report: Report): GivenList[] {
  if (!isObject(value) || Object.keys(value).length === 0) {
    report({ pointer: '', problem: expected });
    return [];
  }
  if (!isSnapshot(value))
    return Object.entries(value).map(([name, items]) => ({
      name,
      at: `/${toToken(name)}`,
      items,
      doubles: (doubles as Fields)[name],
    }));
  if (value.version !== 1)
    report({
      pointer: '/version',
      problem: `"version" must be 1, but is ${describeValue(value.version)}.`,
    });
  const inDoubles = (doubles as { collections: Fields }).collections;
  return Object.entries(value.collections).map(([name, contents]) => {
    const at = `/collections/${toToken(name)}`;
    const { items, next } = isObject(contents) ? contents : {};
    return {
      name,
      at: `${at}/items`,
      items,
      doubles: (inDoubles[name] as Fields | null)?.items,
      next: { at: `${at}/next`, value: next },
    };
  });
}

const expected =
  'must have an object such as {"pets": [{"name": "Rex", "categoryId": 1}]}, or a snapshot.';

/** Whether a value is an object of JSON. */
export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
