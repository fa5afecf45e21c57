import { defined } from '../../common/defined.ts';
import { toPlainName, wordsOf } from '../../common/words.ts';
import type { Operation, Parameter } from '../operation.ts';
import type { FlatSchema, RawDocument } from '../schema.ts';
import { isNumber, objectAlternative, typesOf } from './schema-types.ts';

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

/** A property that a list is sorted by. */
export type SortKey = { property: string; isDescending: boolean };

/** How a list is sorted: by the query parameters that name the properties, and the direction. */
export type Sorting = {
  parameter: string;
  direction?: string;
  /** What they are where they are not given, as the document states it. */
  defaults: Readonly<Record<string, string>>;
};

/** The names in a text. */
export const namesOf = (text: string): string[] => text.split(' ');

/** Common names of the query parameters of lists, without their separators, by what they do. */
const names = {
  pageSize: namesOf(
    'limit pagesize perpage maxresults top first take size count pagelimit itemsperpage ' +
      'resultsperpage maxitems maxpagesize pagelen rows',
  ),
  page: namesOf('page pagenumber pageno pagenum pageindex currentpage p'),
  offset: namesOf('offset skip start startindex startat from firstresult'),
  cursor: namesOf(
    'cursor pagecursor nextcursor after pageafter pagetoken nextpagetoken nexttoken ' +
      'continuationtoken continue marker startcursor',
  ),
  afterId: namesOf('startingafter startafter afterid sinceid lastid'),
  before: namesOf('before endingbefore beforecursor pagebefore beforeid'),
  sort: namesOf('sort sortby sortfield sortkey sortcolumn orderby ordering order orderfield'),
  direction: namesOf(
    'order direction sortorder sortdirection sortdir dir orderdirection orderdir desc descending',
  ),
  search: namesOf('q query search searchterm searchtext searchquery keyword keywords term'),
};

/** Names that nobody gives to anything but the items to skip, or the id of the last one seen. */
const sureNames = namesOf('offset skip startingafter startafter afterid');

const directionWords = /^(asc|desc|ascending|descending|1|-1)$/i;

function isNamed({ name }: Parameter, known: readonly string[]): boolean {
  return known.includes(toPlainName(name));
}

/** The page size of a list, by the parameter that bounds it and is no filter. */
export function pageSizeOf(
  raw: RawDocument,
  { parameters }: Operation,
  filters: readonly string[] = [],
): PageSize | undefined {
  const [parameter] = parameters
    .filter((one) => one.in === 'query' && isNamed(one, names.pageSize))
    .filter((one) => !filters.includes(one.name) && isNumber(objectAlternative(raw, one.schema)))
    .toSorted((left, right) => rankOf(left) - rankOf(right));
  if (!parameter) return undefined;
  const {
    minimum: min,
    maximum: max,
    default: size,
  } = objectAlternative(raw, parameter.schema) ?? {};
  const ifNumber = (value: unknown) => (typeof value === 'number' ? value : undefined);
  const bounds = { min: ifNumber(min), max: ifNumber(max), default: ifNumber(size) };
  return defined({ name: parameter.name, ...bounds });
}

function rankOf({ name }: Parameter): number {
  return names.pageSize.indexOf(toPlainName(name));
}

/** The page size of a list, where the document gives both of its bounds. */
export function boundedPageSize({
  pageSize,
}: {
  pageSize?: PageSize;
}): (PageSize & { min: number; max: number }) | undefined {
  const { min, max } = pageSize ?? {};
  return pageSize && min !== undefined && max !== undefined ? { ...pageSize, min, max } : undefined;
}

/** The ways to ask for another page, by the names of parameters, of which answers may give a cursor. */
export function findPaging(
  raw: RawDocument,
  parameters: readonly Parameter[],
  givesCursor: boolean,
): Paging[] {
  const before = parameters.find((one) => isNamed(one, names.before) && isText(raw, one));
  return (['cursor', 'page', 'offset'] as const).flatMap((style): Paging[] => {
    const found = parameters.find((one) => styleOf(raw, one) === style);
    if (!found) return [];
    const isSure = isNamed(found, sureNames);
    const parameter = found.name;
    if (style !== 'cursor') {
      const stated = givenFirst(raw, found);
      const isGuess = style === 'offset' && !isSure && stated === undefined;
      const byCustom = style === 'page' && !isFromZero.test(found.description ?? '') ? 1 : 0;
      return [{ style, parameter, first: stated ?? byCustom, ...(isGuess && { isGuess }) }];
    }
    const isId = isNamed(found, names.afterId) || !givesCursor;
    const ofId = isId && { isId, ...(!isSure && { isGuess: true as const }) };
    return [{ style, parameter, first: 0, ...(before && { before: before.name }), ...ofId }];
  });
}

const isFromZero = /\b(zero|0)[- ]?(based|indexed)|start(s|ing)? (at|from|with) (0|zero)\b/i;

function givenFirst(raw: RawDocument, { schema }: Parameter): number | undefined {
  const { default: byDefault, minimum, example } = objectAlternative(raw, schema) ?? {};
  const stated = [byDefault, minimum].find((one) => one === 0 || one === 1);
  return stated ?? (example === 0 ? example : undefined);
}

function styleOf(raw: RawDocument, one: Parameter): Paging['style'] | undefined {
  const schema = objectAlternative(raw, one.schema) ?? {};
  const isDigits = (value: unknown) => value !== undefined && /^\d+$/.test(String(value));
  const isCounted =
    isNumber(schema) ||
    typesOf(schema).length === 0 ||
    [schema.default, schema.example].some(isDigits);
  if (isCounted && isNamed(one, names.page)) return 'page';
  if (isCounted && isNamed(one, names.offset)) return 'offset';
  if (isNamed(one, names.afterId) && typesOf(schema).includes('integer')) return 'cursor';
  const isCursor = isNamed(one, [...names.cursor, ...names.afterId, 'page']);
  return isCursor && isText(raw, one) ? 'cursor' : undefined;
}

/** Whether a value is a text that is no date. */
function isText(raw: RawDocument, { schema }: Parameter): boolean {
  const { description = '', format, ...text } = objectAlternative(raw, schema) ?? {};
  const isDate = /^date/.test(String(format)) || /\b(date|time(stamp)?)\b/i.test(description);
  return isOfTexts(text) && !isDate && text.enum === undefined;
}

function isOfTexts(schema: RawDocument): boolean {
  const types = typesOf(schema);
  return types.length === 0 || types.includes('string');
}

/** Whether a parameter pages by its name, and is described so: then it is no filter. */
export function isDescribedPaging(raw: RawDocument, parameter: Parameter): boolean {
  const pages = styleOf(raw, parameter) !== undefined || isNamed(parameter, names.before);
  return pages && /\b(cursor|pages?|pagination|offset)\b/i.test(parameter.description ?? '');
}

/** How a list is sorted, by the names of parameters; undefined where no value names a property. */
export function findSorting(
  raw: RawDocument,
  parameters: readonly Parameter[],
  item: FlatSchema,
): Sorting | undefined {
  const enumOf = ({ schema }: Parameter): unknown[] | undefined => {
    const inner = objectAlternative(raw, schema);
    return (inner?.items ? objectAlternative(raw, inner.items) : inner)?.enum;
  };
  const isDirection = (one: Parameter) =>
    enumOf(one)?.every((value) => directionWords.test(String(value)));
  const sort = parameters.find((one) => isNamed(one, names.sort) && !isDirection(one));
  if (!sort) return undefined;
  const isSortable = (value: unknown) => parseSort(item, String(value)).length > 0;
  if (enumOf(sort)?.some(isSortable) === false) return undefined;
  const direction = parameters.find(
    (one) => one !== sort && isNamed(one, names.direction) && (isDirection(one) ?? true),
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
    const [, name = '', word = ''] = /^(.+?)[\s:._|]*((?:asc|desc)(?:ending)?)$/i.exec(token) ?? [];
    const whole = findOrdering(item, toPlainName(token));
    const property = whole ?? findOrdering(item, toPlainName(name));
    if (directionWords.test(token) && last) last.isDescending = asksForDescending(token);
    else if (property !== undefined)
      keys.push({
        property,
        isDescending: whole ? token.startsWith('-') : asksForDescending(word),
      });
  }
  return keys;
}

/** Whether the value of a direction asks for that from the greatest to the least; it may be a flag. */
export function asksForDescending(value: string): boolean {
  return /^(desc.*|-1|true)$/i.test(value);
}

/** Whether a parameter searches the texts of items, by its name. */
export function isSearch(raw: RawDocument, parameter: Parameter): boolean {
  const schema = objectAlternative(raw, parameter.schema) ?? {};
  return isNamed(parameter, names.search) && isOfTexts(schema);
}

/** The property that is called as the first of names that one is, whatever its case and separators. */
export function findNamed(
  { properties }: FlatSchema,
  sought: readonly string[],
): string | undefined {
  const find = (name: string) =>
    Object.keys(properties).find((property) => toPlainName(property) === name);
  return sought.map(find).find((one) => one !== undefined);
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
