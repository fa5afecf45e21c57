import { defined } from '../../common/defined.ts';
import { Pattern } from '../../common/pattern.ts';
import { textOf } from '../../common/text-of.ts';
import { namesOf, toPlainName } from '../../common/words.ts';
import { isNumber, typesOf } from '../model/id-form.ts';
import {
  directionWords,
  type PageSize,
  type Paging,
  parseSort,
  type Sorting,
} from '../model/lists.ts';
import type { Operation, Parameter } from '../model/operation.ts';
import type { FlatSchema, RawDocument } from '../schema.ts';
import { objectAlternative } from './schema-types.ts';

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
      'continuationtoken paginationtoken continue marker startcursor scrollid bookmark iterator',
  ),
  afterId: namesOf('startingafter startafter afterid sinceid lastid'),
  before: namesOf('before endingbefore beforecursor pagebefore beforeid'),
  sort: namesOf(
    'sort sorts sorting sortby sortfield sortkey sortcolumn orderby ordering order orderfield',
  ),
  direction: namesOf(
    'order direction sortorder sortdirection sortdir dir orderdirection orderdir desc descending',
  ),
  search: namesOf('q query search searchterm searchtext searchquery keyword keywords term'),
};

/** Names that nobody gives to anything but the items to skip, or the id of the last one seen. */
const sureNames = namesOf('offset skip startingafter startafter afterid');

/** Tells whether an object in the query pages by its members, as its name says. */
export function isPagingName(name: string): boolean {
  return /^(page|(cursor)?(paging|pagination)|pageable|pager)$/.test(toPlainName(name));
}

/** Tells whether a parameter has one of these names, also as a member such as `paging[limit]`. */
function isNamed({ name }: Parameter, known: readonly string[]): boolean {
  const [outer = '', member] = name.split(/[[\]]/);
  const inner = member && isPagingName(outer) ? [member, `page${member}`] : [];
  return [name, ...inner].some((one) => known.includes(toPlainName(one)));
}

/** The page size of a list, by the parameter that bounds it and is no filter. */
export function pageSizeOf(
  raw: RawDocument,
  { parameters }: Operation,
  filters: readonly string[],
): PageSize | undefined {
  const parameter = parameters
    .filter((one) => one.in === 'query' && isNamed(one, names.pageSize))
    .find((one) => !filters.includes(one.name) && isNumber(objectAlternative(raw, one.schema)));
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

/**
 * The ways to ask for another page, by the names of parameters, of which answers may give a cursor;
 * the parameter `cursor` takes the text of its name in an answer.
 */
export function findPaging(
  raw: RawDocument,
  parameters: readonly Parameter[],
  { givesCursor, cursor }: { givesCursor: boolean; cursor?: string | undefined },
): Paging[] {
  const before = parameters.find((one) => isNamed(one, names.before) && isText(raw, one));
  return (['cursor', 'page', 'offset'] as const).flatMap((style): Paging[] => {
    const isOfStyle = (one: Parameter) =>
      (one.name === cursor ? 'cursor' : styleOf(raw, one)) === style;
    const found = parameters.find(isOfStyle);
    if (!found) return [];
    const isSure = isNamed(found, sureNames);
    const parameter = found.name;
    if (style !== 'cursor') {
      const stated = givenFirst(raw, found);
      const isGuess = style === 'offset' && !isSure && stated === undefined;
      const byCustom = style === 'page' ? 1 : 0;
      return [{ style, parameter, first: stated ?? byCustom, ...(isGuess && { isGuess }) }];
    }
    const isId = isNamed(found, names.afterId) || !givesCursor || !holdsAny(raw, found);
    const ofId = isId && { isId, ...(!isSure && { isGuess: true as const }) };
    return [{ style, parameter, first: 0, ...(before && { before: before.name }), ...ofId }];
  });
}

/** Whether a parameter takes any text, not only that of a form such as ids have. */
function holdsAny(raw: RawDocument, { schema }: Parameter): boolean {
  const { format, pattern } = objectAlternative(raw, schema) ?? {};
  return format !== 'uuid' && (typeof pattern !== 'string' || new Pattern(pattern).test('WzAsMl0'));
}

/** Finds the number of the first page in a text: `zero-based`, "starting at page `1`". */
const saidFirst =
  /\b(?:(zero|0|one|1)[- ]?(?:based|indexed)|start(?:s|ing)? (?:at|from|with) (?:page )?`?(0|zero|1|one))\b/i;

function givenFirst(raw: RawDocument, { schema, description = '' }: Parameter): number | undefined {
  const [, ofCount, ofStart] = saidFirst.exec(description) ?? [];
  const said = ofCount ?? ofStart;
  if (said !== undefined) return /^(0|zero)$/i.test(said) ? 0 : 1;
  const { default: byDefault, minimum, example } = objectAlternative(raw, schema) ?? {};
  const stated = [byDefault, minimum].find((one) => one === 0 || one === 1);
  return stated ?? (example === 0 ? example : undefined);
}

function styleOf(raw: RawDocument, one: Parameter): Paging['style'] | undefined {
  const schema = objectAlternative(raw, one.schema) ?? {};
  const isDigits = (value: unknown) => value !== undefined && /^\d+$/.test(textOf(value));
  const isCounted =
    isNumber(schema) ||
    typesOf(schema).length === 0 ||
    [schema.default, schema.example].some(isDigits);
  if (isCounted && isNamed(one, names.page)) return 'page';
  if (isCounted && isNamed(one, names.offset)) return 'offset';
  if (isNamed(one, names.afterId) && typesOf(schema).includes('integer')) return 'cursor';
  return isCursor(raw, one) ? 'cursor' : undefined;
}

/** Whether a parameter is a text that is called as those that ask for what is behind a cursor. */
export function isCursor(raw: RawDocument, one: Parameter): boolean {
  return isNamed(one, [...names.cursor, ...names.afterId, 'page']) && isText(raw, one);
}

/** Whether a value is a text that is no date. */
export function isText(raw: RawDocument, { schema }: Parameter): boolean {
  const { description = '', format, ...text } = objectAlternative(raw, schema) ?? {};
  const isDate = /^date/.test(textOf(format)) || /\b(date|time(stamp)?)\b/i.test(description);
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
    enumOf(one)?.every((value) => directionWords.test(textOf(value)));
  const sort = parameters.find((one) => isNamed(one, names.sort) && !isDirection(one));
  if (!sort) return undefined;
  const isSortable = (value: unknown) => parseSort(item, textOf(value)).length > 0;
  if (enumOf(sort)?.some(isSortable) === false) return undefined;
  const direction = parameters.find(
    (one) => one !== sort && isNamed(one, names.direction) && (isDirection(one) ?? true),
  );
  const defaults = [sort, direction].flatMap((one): [string, string][] => {
    const { default: byDefault } = (one && objectAlternative(raw, one.schema)) ?? {};
    return one && byDefault !== undefined ? [[one.name, textOf(byDefault)]] : [];
  });
  return {
    parameter: sort.name,
    ...(direction && { direction: direction.name }),
    defaults: Object.fromEntries(defaults),
  };
}

/** Whether a parameter searches the texts of items, by its name. */
export function isSearch(raw: RawDocument, parameter: Parameter): boolean {
  const schema = objectAlternative(raw, parameter.schema) ?? {};
  return isNamed(parameter, names.search) && isOfTexts(schema);
}
