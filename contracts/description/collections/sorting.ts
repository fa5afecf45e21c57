import type { Parameter } from '../operation.ts';
import type { FlatSchema, RawDocument } from '../schema.ts';
import { toPlainName } from './plain-name.ts';
import { objectAlternative, typesOf } from './schema-types.ts';

/** A property that a list is sorted by. */
export type SortKey = { property: string; isDescending: boolean };

/** How a list is sorted. */
export type Sorting = {
  /** The query parameter that names the properties. */
  parameter: string;
  /** The one that names the direction. */
  direction?: string;
  /** What they are where they are not given, as the document states it. */
  defaults: Readonly<Record<string, string>>;
};

const namesOf = (text: string) => new Set(text.split(' '));
const sortNames = namesOf(
  'sort sortby sortfield sortkey sortcolumn orderby ordering order orderfield',
);
const directionNames = namesOf(
  'order direction sortorder sortdirection sortdir dir orderdirection orderdir desc descending',
);
const directionWords = /^(asc|desc|ascending|descending|1|-1)$/i;

export type SortingOptions = { parameters: readonly Parameter[]; item: FlatSchema };

/** How a list is sorted, by the names of parameters; undefined where no value names a property. */
export function findSorting(
  raw: RawDocument,
  { parameters, item }: SortingOptions,
): Sorting | undefined {
  const enumOf = ({ schema }: Parameter): unknown[] | undefined => {
    const inner = objectAlternative(raw, schema);
    const values = inner?.items ? objectAlternative(raw, inner.items)?.enum : inner?.enum;
    return Array.isArray(values) ? values : undefined;
  };
  const isDirection = (one: Parameter) =>
    enumOf(one)?.every((value) => directionWords.test(String(value))) ?? false;
  const sort = parameters.find((one) => sortNames.has(toPlainName(one.name)) && !isDirection(one));
  if (!sort) return undefined;
  const named = enumOf(sort);
  if (named && !named.some((value) => parseSort(item, String(value)).length > 0)) return undefined;
  const direction = parameters.find(
    (one) =>
      one !== sort &&
      directionNames.has(toPlainName(one.name)) &&
      (isDirection(one) || enumOf(one) === undefined),
  );
  const defaults = [sort, direction].flatMap((one): [string, string][] => {
    const { default: byDefault } = (one && objectAlternative(raw, one.schema)) ?? {};
    return one && byDefault !== undefined ? [[one.name, String(byDefault)]] : [];
  });
  return {
    parameter: sort.name,
    ...(direction && { direction: direction.name }),
    defaults: Object.fromEntries(defaults),
  };
}

/**
 * The properties that a text names: `name`, `-name`, `name:desc`, `name,desc`, `name_desc`, several
 * with commas. What names none is left out.
 */
export function parseSort(item: FlatSchema, text: string): SortKey[] {
  const keys: SortKey[] = [];
  for (const token of text.split(',').map((part) => part.trim())) {
    const last = keys.at(-1);
    if (directionWords.test(token) && last) last.isDescending = isDescendingWord(token);
    else {
      const key = parseToken(item, token);
      if (key) keys.push(key);
    }
  }
  return keys;
}

function parseToken(item: FlatSchema, token: string): SortKey | undefined {
  const [, sign = '', name = ''] = /^([+-]?)(.*)$/.exec(token) ?? [];
  const whole = findSortable(item, name);
  if (whole) return { property: whole, isDescending: sign === '-' };
  const [, start = '', word = ''] =
    /^(.+?)[\s:._|]*(asc|desc|ascending|descending|ASC|DESC|Asc|Desc)$/.exec(name) ?? [];
  const property = start === '' ? undefined : findSortable(item, start);
  return property === undefined ? undefined : { property, isDescending: isDescendingWord(word) };
}

/** Whether a direction is that from the greatest to the least. */
function isDescendingWord(word: string): boolean {
  return /^(desc.*|-1)$/i.test(word);
}

/** The property that a name stands for: `created` is `createdAt` or `created_at` too. */
function findSortable({ properties }: FlatSchema, name: string): string | undefined {
  if (Object.hasOwn(properties, name)) return name;
  const plain = toPlainName(name);
  if (plain === '') return undefined;
  return [plain, `${plain}at`, `${plain}on`, `${plain}date`]
    .map((one) => Object.keys(properties).find((property) => toPlainName(property) === one))
    .find((property) => property !== undefined);
}

/** Whether the value of a direction asks for descending order; it may be a flag. */
export function asksForDescending(value: string): boolean {
  return value === 'true' || isDescendingWord(value);
}

/** Whether a parameter searches the texts of items, by its name. */
export function isSearch(raw: RawDocument, { name, schema }: Parameter): boolean {
  const types = typesOf(objectAlternative(raw, schema) ?? {});
  return searchNames.has(toPlainName(name)) && (types.length === 0 || types.includes('string'));
}

const searchNames = namesOf(
  'q query search searchterm searchtext searchquery keyword keywords term',
);
