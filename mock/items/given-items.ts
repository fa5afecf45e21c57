import { isObject, stringifyExact } from '../../common/json.ts';
import { toToken } from '../../common/json-pointer.ts';
import { hasAt, pointerTo, valueAt } from '../../common/property-path.ts';
import type { Api, Resource } from '../../openapi/index.ts';
import { toIdText } from '../json/exact-json.ts';
import { describeValue, type Problem } from '../json/problems.ts';
import { quote } from '../json/quote.ts';
import type { CompileSchema } from '../json/validator.ts';
import { type Collections, type Contents, endOfNumbers, type StoredItem } from '../state/store.ts';
import { schemasOfGivenItem } from './item-schema.ts';
import { type Fields, IdLedger, isId, toStoredItem } from './stored-item.ts';

/** Items that a twin begins with instead of generated ones. */
export type GivenData = {
  /** The hash of the data as text. */
  textHash: string;
  /** The hash of the items, however the data writes them. */
  itemsHash: string;
  /** The collections that it names. */
  names: string[];
  isSnapshot: boolean;
  /** The items of each collection of the document. */
  collections: Collections;
};

/** The items of collections, or what is wrong with them: the first problems, and how many there are. */
export type ParsedItems =
  | { collections: Collections; problems?: never; count?: never }
  | { collections?: never; problems: readonly Problem[]; count: number };

export type ParseItemsOptions = {
  document: Api;
  compileSchema: CompileSchema;
  /** The maximum number of listed problems. */
  maxProblems: number;
  /** The maximum number of items. */
  maxItems?: number;
  /** Whether a mock stored the items: each has an id, and undescribed properties are dropped. */
  areStored?: boolean;
};

/**
 * Reads given items: lists by collection, or the items of a snapshot. Validates each item against
 * the document. Missing ids are numbered from 1, skipping given ids.
 */
export function parseGivenItems(
  value: unknown,
  { document, maxProblems, maxItems = Number.POSITIVE_INFINITY, ...options }: ParseItemsOptions,
): ParsedItems {
  const problems: Problem[] = [];
  let count = 0;
  const report: Report = (found) => {
    count += 1;
    if (problems.length < maxProblems) problems.push(found);
  };
  const collections: Record<string, Contents> = {};
  const resources = [...document.resources, ...document.singletons];
  const lists = toLists(value, report);
  const total = lists.reduce(
    (sum, { items }) => sum + (Array.isArray(items) ? items.length : 0),
    0,
  );
  if (total > maxItems) {
    const problem = `has ${total.toLocaleString('en')} items, and may have ${maxItems.toLocaleString('en')}. Give Node more room with --max-old-space-size.`;
    return { problems: [{ pointer: '', problem }], count: 1 };
  }
  for (const given of lists) {
    const resource = resources.find(({ name }) => name === given.name);
    if (!resource) report({ pointer: given.at, problem: unknownCollection(given, document) });
    else collections[given.name] = toContents(resource, given, { ...options, report });
  }
  return count > 0 ? { problems, count } : { collections };
}

function unknownCollection({ at }: GivenList, document: Api): string {
  const known = [...document.resources, ...document.schemas.findOpenLists(document.operations)].map(
    ({ name }) => name,
  );
  const which =
    known.length === 0
      ? 'The document describes none that the mock stores.'
      : `Collections are ${known.join(', ')}.`;
  return `${quote(at.slice(1).replace(/\/items$/, ''))} is no collection of the document. ${which}`;
}

type ContentsOptions = Pick<ParseItemsOptions, 'compileSchema' | 'areStored'> & { report: Report };

function toContents(
  resource: Resource,
  { at, items, next }: GivenList,
  { compileSchema, areStored, report }: ContentsOptions,
): Contents {
  const { idProperty } = resource;
  if (!Array.isArray(items)) {
    const problem = `"${at.slice(1)}" must be an array, but is ${describeValue(items)}.`;
    report({ pointer: at, problem });
    return nothing;
  }
  const { stored: ofStored, withoutId } = schemasOfGivenItem(resource);
  const validate = compileSchema(areStored ? ofStored : withoutId, 'writeOnly');
  const ids = new IdLedger(resource);
  const keys = new Map<number, string>();
  let misfits = 0;
  for (const [index, item] of items.entries()) {
    const place = `${at}/${index}`;
    if (validate(item)) {
      const found = validate(item, stringifyExact(item).length, place) ?? [];
      for (const problem of found) report(problem);
      misfits += found.length;
    }
    const id = isObject(item) ? valueAt(item, idProperty) : undefined;
    if (!isId(id)) continue;
    const { key, first } = ids.note(item as Fields, toIdText(id), index);
    if (first === undefined) {
      keys.set(index, key);
      continue;
    }
    const pointer = `${place}${pointerTo(idProperty)}`;
    const problem = `"${pointer.slice(1)}" is ${describeValue(id)}, as is that of item ${first}; ids must differ.`;
    report({ pointer, problem });
  }
  if (misfits > 0) return nothing;
  const stored: StoredItem[] = [];
  for (const [index, item] of (items as Fields[]).entries()) {
    const id = hasAt(item, idProperty) ? valueAt(item, idProperty) : ids.nextFree();
    const made = toStoredItem(resource, item, id);
    stored.push({ ...made, id: keys.get(index) ?? made.id });
  }
  if (next) ensureNext(next, ids.last, report);
  return { items: stored, next: next ? Number(next.value) : ids.last + 1 };
}

/** Holds the contents of a collection that the data leaves out. */
export const nothing: Contents = { items: [], next: 1 };

function ensureNext({ at, value }: { at: string; value: unknown }, last: number, report: Report) {
  const next = Number.isInteger(value) ? (value as number) : 0;
  if (next > last && next <= endOfNumbers) return;
  const requirement = `a whole number from ${last + 1} to ${endOfNumbers}`;
  const problem = `"${at.slice(1)}" must be ${requirement}, but is ${describeValue(value)}.`;
  report({ pointer: at, problem });
}

/** Whether a value is a snapshot as the admin exports it, not bare lists. */
export function isSnapshot(value: unknown): value is { version?: unknown; collections: Fields } {
  return isObject(value) && isObject(value.collections);
}

/** The names of the collections that a value gives items of. */
export function namesOfGiven(value: unknown): string[] {
  return isObject(value) ? Object.keys(isSnapshot(value) ? value.collections : value) : [];
}

/** Takes a problem of what is given. */
type Report = (problem: Problem) => void;

/** The list of a collection, where it is, and the number of the next item, if that is given. */
type GivenList = {
  name: string;
  at: string;
  items: unknown;
  next?: { at: string; value: unknown };
};

/** The lists that a value gives; what is wrong with its form is reported. */
function toLists(value: unknown, report: Report): GivenList[] {
  if (!isObject(value) || Object.keys(value).length === 0) {
    report({ pointer: '', problem: expected });
    return [];
  }
  if (!isSnapshot(value))
    return Object.entries(value).map(([name, items]) => ({
      name,
      at: `/${toToken(name)}`,
      items,
    }));
  if (value.version !== 1)
    report({
      pointer: '/version',
      problem: `"version" must be 1, but is ${describeValue(value.version)}.`,
    });
  return Object.entries(value.collections).map(([name, contents]) => {
    const at = `/collections/${toToken(name)}`;
    const { items, next } = isObject(contents) ? contents : {};
    return {
      name,
      at: `${at}/items`,
      items,
      next: { at: `${at}/next`, value: next },
    };
  });
}

const expected =
  'must have an object such as {"pets": [{"name": "Rex", "categoryId": 1}]}, or a snapshot.';
