import { namesLike, namesOf, toPlainName, wordsOf } from '../../common/words.ts';
import type { ValueForm } from '../collections/schema-types.ts';
import type { FlatSchema } from '../schema.ts';

/** The role of a field of a list: of all its items (`total`, `pages`), or of one page. */
export type ListRole =
  | 'total'
  | 'pages'
  | 'count'
  | 'size'
  | 'page'
  | 'offset'
  | 'from'
  | 'to'
  | 'next'
  | 'previous'
  | 'first'
  | 'last'
  | 'self'
  | 'relations'
  | 'firstId'
  | 'lastId'
  | 'hasMore'
  | 'hasPrevious'
  | 'isFirst'
  | 'isLast'
  | 'isEmpty';

/** How another page is named; where the document does not say, the parameters decide. */
export type LinkAs = 'url' | 'path' | 'cursor' | 'number';

/** A field of a list with its role; without such a page, the object at `holder` is not there. */
export type ListField = {
  role: ListRole;
  path: readonly string[];
  as?: LinkAs;
  holder?: readonly string[];
};

/** A header of a list with its role; `links` is `Link` (RFC 8288). */
export type ListHeader = { name: string; role: ListRole | 'links' };

/** How a list holds its items, and where it states what else about them. */
export type ListForm = {
  /** The properties that lead to the items; none where the answer is these. */
  pointer: readonly string[];
  /** Whether the items are in an object, each as the member that its id names, not in an array. */
  isMap?: true;
  /** The member that holds the item in each element, as `node` in `{"edges": [{"node": {}}]}`. */
  within?: string;
  fields: readonly ListField[];
  maxItems?: number;
};

/** How many items a list shows at once, by the query parameter `name`, as far as the document says. */
export type PageSize = { name: string; min?: number; max?: number; default?: number };

/** How a list is asked for another page. */
export type Paging = {
  style: 'page' | 'offset' | 'cursor';
  /** The query parameter that holds the number of the page, the items to skip, or the cursor. */
  parameter: string;
  /** The one that asks for the items before a cursor. */
  before?: string;
  /** The number of the first page, or of the first item. */
  first: number;
  /** Whether the cursor is the id of the last item seen, as no answer gives another. */
  isId?: true;
  /** Whether only names and custom say what to ask for, and the document leaves room for others. */
  isGuess?: true;
};

export type SortKey = { property: string; isDescending: boolean };

/** How a list is sorted: by the query parameters that name the properties, and the direction. */
export type Sorting = {
  parameter: string;
  direction?: string;
  /** The values of parameters that a request leaves out, as the document states them. */
  defaults: Readonly<Record<string, string>>;
};

/**
 * The properties that a text names: `name`, `-name`, `name:desc`, `name,desc`, `name_desc`, several
 * with commas. What names none is left out.
 */
export function parseSort(item: FlatSchema, text: string): SortKey[] {
  const keys: SortKey[] = [];
  for (const token of text.split(',').map((part) => part.trim())) {
    const last = keys.at(-1);
    const [, name = '', word = ''] = /^(.+?)[\s:._|]*((?:asc|desc)(?:ending)?)$/i.exec(token) ?? [];
    const whole = findOrdering(item, toPlainName(token));
    const property = whole ?? findOrdering(item, toPlainName(name)) ?? freeNameIn(item, token);
    if (directionWords.test(token) && last) last.isDescending = asksForDescending(token);
    else if (property !== undefined)
      keys.push({
        property,
        isDescending: word === '' ? token.startsWith('-') : asksForDescending(word),
      });
  }
  return keys;
}

/** The member that a text names of items that may have any, whatever the document says of others. */
function freeNameIn({ others = [] }: FlatSchema, token: string): string | undefined {
  const [, name] = /^-?([\w.]+)(?:[:\s](?:asc|desc)\w*)?$/i.exec(token) ?? [];
  return others.includes('') ? name : undefined;
}

/** Whether the value of a direction asks for that from the greatest to the least; it may be a flag. */
export function asksForDescending(value: string): boolean {
  return /^(desc.*|-1|true)$/i.test(value);
}

/** The property that is called as the first of names that one is, whatever its case and separators. */
export function findNamed(
  { properties }: FlatSchema,
  sought: readonly string[],
): string | undefined {
  return sought.flatMap((name) => namesLike(properties, name))[0];
}

/**
 * The property that a name stands for in an order: `created` is `createdAt` or `created_at` too, and
 * `price` is `pricePerNight`, if no other begins with that word.
 */
export function findOrdering(item: FlatSchema, plain: string): string | undefined {
  if (plain === '') return undefined;
  const sought = ['', 'at', 'on', 'date'].map((end) => plain + end);
  const begun = Object.keys(item.properties).filter((name) => wordsOf(name)[0] === plain);
  return findNamed(item, sought) ?? (begun.length === 1 ? begun[0] : undefined);
}

/** The effects of the query parameters of a list, and the form of its response. */
export type ListRules = {
  form: ListForm;
  headers: readonly ListHeader[];
  /** The properties by which items are selected and sorted. */
  queried: FlatSchema;
  /** Query parameters that have the name of a property of the item, and so filter by it. */
  filters: readonly string[];
  /** The forms of the values of these properties; each text of another is its own value. */
  forms: Readonly<Record<string, ValueForm | undefined>>;
  /** Values of them that ask for items with any value, such as `all`. */
  wholeValues: ReadonlyMap<string, readonly string[]>;
  pageSize?: PageSize;
  /** Ways to ask for another page; the first is that of links. */
  paging: readonly Paging[];
  sorting?: Sorting;
  /** Query parameters that search the texts of items. */
  search: readonly string[];
  /** Search parameters whose texts may have parts such as `state:open`. */
  qualified: readonly string[];
  conditions: readonly Condition[];
  /** Query parameters whose value is an object of what is asked of properties. */
  objects: readonly string[];
  /** The conditions of filters that a request leaves out, as the document states them. */
  defaults: readonly Default[];
  /** Whether the document says that the newest items come first. */
  isNewestFirst?: true;
  /** The order unless a query asks for another one. */
  order?: readonly SortKey[];
  /**
   * Why the list may leave out items though nothing is asked for: they are on other pages, or a
   * parameter that is required or has a default does not select them.
   */
  shows?: 'page' | 'selection';
};

/** The rules of an operation that lists nothing. */
const noRules: ListRules = {
  ...{ form: { pointer: [], fields: [] }, headers: [], queried: { properties: {}, required: [] } },
  ...{ filters: [], forms: {}, wholeValues: new Map(), paging: [], search: [], qualified: [] },
  ...{ conditions: [], objects: [], defaults: [] },
};

/** The rules of a list; without one, those of a bare array that no parameter changes. */
export function listRulesOf(list: { listRules?: ListRules } | undefined): ListRules {
  return list?.listRules ?? noRules;
}

/** A condition that a list has if a request does not say otherwise. */
export type Default = { condition: Condition; value: unknown };

export type ParameterEffect = {
  parameter: string;
  effect:
    | 'filter'
    | 'search'
    | 'sort'
    | 'page size'
    | Paging['style']
    /** It is checked, but changes nothing. */
    | 'none';
};

/** Describes the effect of each query parameter of a list, in the document's order. */
export function describeParameters(
  list: { parameters: readonly { name: string; in: string }[]; listRules?: ListRules },
  rules = listRulesOf(list),
): ParameterEffect[] {
  const { filters, pageSize, paging, sorting, search, conditions, objects } = rules;
  const effects = new Map<string | undefined, ParameterEffect['effect']>([
    ...[...filters, ...objects].map((name) => [name, 'filter'] as const),
    ...conditions.map(({ parameter }) => [parameter, 'filter'] as const),
    ...search.map((name) => [name, 'search'] as const),
    [sorting?.parameter, 'sort'],
    [sorting?.direction, 'sort'],
    [pageSize?.name, 'page size'],
    ...paging.map(({ before, style }) => [before, style] as const),
    ...paging.map(({ parameter, style }) => [parameter, style] as const),
  ]);
  return list.parameters
    .filter((one) => one.in === 'query')
    .map(({ name }) => ({ parameter: name, effect: effects.get(name) ?? 'none' }));
}

/** Names that ask for some members of items alone, and for more of them, in most APIs. */
const ofSome = namesOf('fields field exclude excludes select only omit');
const ofMore = namesOf('include includes expand embed populate with');

/** Whether a query parameter asks for some members of items alone: `fields`, `_fields`, `fields[pets]`. */
export function selectsMembers(name: string): boolean {
  return ofSome.includes(toPlainName(name.replace(/\[.*$/, '')));
}

/** Whether a query parameter asks for other members of items than a plain call shows. */
export function asksForMembers(name: string): boolean {
  return selectsMembers(name) || ofMore.includes(toPlainName(name));
}

/** How a value of an item is compared with that of a parameter. */
export type Comparison =
  | 'equal'
  | 'not'
  | 'less'
  | 'atMost'
  | 'greater'
  | 'atLeast'
  | 'contains'
  | 'starts'
  | 'ends';

/** A condition that a query parameter puts on the items of a list. */
export type Condition = {
  parameter: string;
  /** The member that holds what it asks, where its value is an object: `created[gte]`. */
  member?: string;
  /** The properties of the item whose value is compared; any of them may fit. */
  paths: readonly (readonly string[])[];
  comparison: Comparison;
  /** Whether a text is several values with commas, as the document says. */
  isList?: true;
};

/** Words at the beginning or the end of a name that say how values are compared. */
const comparisonWords: Readonly<Record<Comparison, readonly string[]>> = {
  atLeast: namesOf('gte ge min from since start'),
  greater: namesOf('gt after'),
  atMost: namesOf('lte le max to until end'),
  less: namesOf('lt before'),
  not: namesOf('ne neq not nin exclude'),
  contains: namesOf('contains icontains like ilike fuzzy'),
  starts: namesOf('starts begins startswith istartswith prefix'),
  ends: namesOf('ends endswith iendswith suffix'),
  equal: namesOf('eq in filter filters where exact'),
};

/** The comparison that a word such as `gte` stands for, also as `_gte` or `$gte`. */
export function comparisonOf(word: string): Comparison | undefined {
  const plain = word.replace(/^[_$]/, '').toLowerCase();
  const all = Object.keys(comparisonWords) as Comparison[];
  return all.find((one) => comparisonWords[one].includes(plain));
}

export const directionWords = /^(asc|desc|ascending|descending|1|-1)$/i;
