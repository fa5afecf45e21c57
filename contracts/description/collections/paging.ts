import type { Operation, Parameter } from '../operation.ts';
import type { RawDocument } from '../schema.ts';
import { type ListRole, roleOf } from './list-fields.ts';
import { toPlainName } from './plain-name.ts';
import { objectAlternative, typesOf } from './schema-types.ts';

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

/** Whether a deployment can be held to a way to other pages: the document leaves no other. */
export function isSurePaging({ isGuess }: Paging): boolean {
  return isGuess !== true;
}

/** What a header of an answer says of a list; `links` is `Link` (RFC 8288). */
export type ListHeader = { name: string; role: ListRole | 'links' };

const namesOf = (text: string) => new Set(text.split(' '));
const pageNames = namesOf('page pagenumber pageno pagenum pageindex currentpage p');
const offsetNames = namesOf('offset skip start startindex startat from firstresult');
const cursorNames = namesOf(
  'cursor pagecursor nextcursor after startingafter startafter pageafter pagetoken nextpagetoken ' +
    'nexttoken continuationtoken continue marker startcursor sinceid afterid lastid',
);
const beforeNames = namesOf('before endingbefore beforecursor pagebefore beforeid');
const idNames = namesOf('startingafter startafter sinceid afterid lastid');

/** Names that nobody gives to anything but the number of items to skip. */
const sureOffsetNames = namesOf('offset skip');
/** Names that ask for the items after the one with an id, in the order of the list. */
const sureIdNames = namesOf('startingafter startafter afterid');

export type PagingOptions = {
  /** Query parameters of the list that have no other effect. */
  parameters: readonly Parameter[];
  /** Whether answers give a cursor. */
  givesCursor: boolean;
};

/** The ways to ask for another page, by the names of parameters. */
export function findPaging(raw: RawDocument, options: PagingOptions): Paging[] {
  const { parameters, givesCursor } = options;
  const before = parameters.find((one) => isBefore(raw, one));
  const found = parameters.flatMap((parameter): Paging[] => {
    const style = styleOf(raw, parameter);
    const { name } = parameter;
    if (!style) return [];
    if (style !== 'cursor') {
      const isGuess = style === 'offset' && !isSureOffset(raw, parameter);
      const first = firstOf(raw, parameter, style);
      return [{ style, parameter: name, first, ...(isGuess && { isGuess }) }];
    }
    const isId = idNames.has(toPlainName(name)) || !givesCursor;
    const isGuess = isId && !sureIdNames.has(toPlainName(name));
    return [
      {
        style,
        parameter: name,
        first: 0,
        ...(before && { before: before.name }),
        ...(isId && { isId }),
        ...(isGuess && { isGuess }),
      },
    ];
  });
  const styles = ['cursor', 'page', 'offset'] as const;
  return styles.flatMap((style) => found.find((one) => one.style === style) ?? []);
}

function styleOf(raw: RawDocument, { name, schema }: Parameter): Paging['style'] | undefined {
  const plain = toPlainName(name);
  const resolved = objectAlternative(raw, schema) ?? {};
  const types = typesOf(resolved);
  const isInteger = types.includes('integer');
  const isNumber = isInteger || types.includes('number') || types.length === 0;
  if (pageNames.has(plain) && (isNumber || isNumeric(resolved))) return 'page';
  if (offsetNames.has(plain) && (isNumber || isNumeric(resolved))) return 'offset';
  if (plain === 'page' && isText(resolved)) return 'cursor';
  const isCursor = isText(resolved) || (isInteger && idNames.has(plain));
  return cursorNames.has(plain) && isCursor ? 'cursor' : undefined;
}

function isBefore(raw: RawDocument, { name, schema }: Parameter): boolean {
  return beforeNames.has(toPlainName(name)) && isText(objectAlternative(raw, schema) ?? {});
}

/** Whether a parameter pages by its name, and is described so: then it is no filter. */
export function isDescribedPaging(raw: RawDocument, parameter: Parameter): boolean {
  const { name, description = '' } = parameter;
  const isNamed = styleOf(raw, parameter) || beforeNames.has(toPlainName(name));
  return Boolean(isNamed) && /\b(cursor|page|pages|pagination|offset)\b/i.test(description);
}

/** Whether a value is a text that is no date. */
function isText(schema: RawDocument): boolean {
  const types = typesOf(schema);
  const isDate =
    /^date/.test(String(schema.format)) ||
    /\b(date|time(stamp)?)\b/i.test(String(schema.description ?? ''));
  return (types.length === 0 || types.includes('string')) && !isDate && schema.enum === undefined;
}

function isNumeric({ default: byDefault, example }: RawDocument): boolean {
  return [byDefault, example].some((one) => one !== undefined && /^\d+$/.test(String(one)));
}

/** Pages are counted from 1, unless the document allows or describes 0; items from 0. */
function firstOf(raw: RawDocument, parameter: Parameter, style: 'page' | 'offset'): number {
  const isFromZero = /\b(zero|0)[- ]?(based|indexed)|start(s|ing)? (at|from|with) (0|zero)\b/i;
  const isCounted = style === 'page' && !isFromZero.test(parameter.description ?? '');
  return givenFirst(raw, parameter) ?? (isCounted ? 1 : 0);
}

function givenFirst(raw: RawDocument, { schema }: Parameter): number | undefined {
  const { default: byDefault, minimum } = objectAlternative(raw, schema) ?? {};
  return [byDefault, minimum].find((one) => one === 0 || one === 1);
}

/** Whether a parameter counts items, not pages, and from where is known. */
function isSureOffset(raw: RawDocument, parameter: Parameter): boolean {
  const isNamed = sureOffsetNames.has(toPlainName(parameter.name));
  return isNamed || givenFirst(raw, parameter) !== undefined;
}

/** What the headers of an answer say of a list. */
export function findListHeaders(
  raw: RawDocument,
  headers: Operation['responses'][number]['headers'],
): ListHeader[] {
  return Object.entries(headers).flatMap(([name, { schema }]): ListHeader[] => {
    if (/^link$/i.test(name)) return [{ name, role: 'links' }];
    // A mere name such as Limit says nothing of a list.
    if (!/^x-|total|pag/i.test(name) || /rate-?limit/i.test(name)) return [];
    const resolved = objectAlternative(raw, schema) ?? {};
    const around = { isOfLinks: false, isNested: false };
    const own = name.replace(/^x-(pagination-)?/i, '');
    const role =
      roleOf(own, { ...resolved, type: 'integer' }, around)?.role ??
      roleOf(own, resolved, around)?.role;
    return role && role !== 'anyCount' ? [{ name, role }] : [];
  });
}
