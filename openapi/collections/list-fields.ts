import { isText } from '../../common/json.ts';
import { textOf } from '../../common/text-of.ts';
import { toPlainName, withoutPrefix } from '../../common/words.ts';
import { typesOf } from '../model/id-form.ts';
import type { LinkAs, ListField, ListHeader, ListRole } from '../model/lists.ts';
import type { Operation } from '../model/operation.ts';
import { flatten, ownExamplesOf, type RawDocument, type Schema } from '../schema.ts';
import { allTypesOf, objectAlternative } from './schema-types.ts';

/** A role as far as a name tells it: that of a mere `count` is open. */
type NamedRole = ListRole | 'anyCount';

/** A field as far as its name and type tell. */
export type NamedField = Omit<ListField, 'role'> & { role: NamedRole };

const toRoles = (names: Partial<Record<NamedRole, string>>): ReadonlyMap<string, NamedRole> =>
  new Map(
    Object.entries(names).flatMap(([role, text]) =>
      text.split(' ').map((name) => [name, role as NamedRole] as const),
    ),
  );

/** Common names of numbers, without their separators. */
const ofNumbers = toRoles({
  total:
    'total totalcount totalitems totalelements totalresults totalrecords totalrows totalsize ' +
    'totalhits totalentries numfound paginationtotal',
  pages: 'pages totalpages pagecount numpages numberofpages totalpagecount lastpage',
  count: 'numberofelements itemcount itemscount returned returnedcount resultcount numresults',
  anyCount: 'count',
  size: 'limit perpage pagesize itemsperpage size pagelimit maxresults pagelen resultsperpage',
  page: 'page pagenumber currentpage pageindex pageno pagenum number',
  offset: 'offset skip start startindex startat',
  from: 'from',
  to: 'to',
  next: 'next nextpage nextoffset nextstart',
  previous: 'prev previous prevpage previouspage',
});

const ofBooleans = toRoles({
  hasMore:
    'hasmore hasnext hasnextpage more moreresults istruncated truncated hasmoreitems ' +
    'hasmorepages hasmoreresults',
  hasPrevious: 'hasprevious hasprev haspreviouspage hasprevpage',
  isFirst: 'first isfirst firstpage',
  isLast: 'last islast lastpage islastpage done complete finished',
  isEmpty: 'empty isempty',
});

const ofTexts: readonly [NamedRole, RegExp][] = [
  ['next', /^next(page|\w*(ur[il]|link|href|cursor|token|marker|key))?$/],
  ['next', /^(end|after)cursor$|^continuationtoken$/],
  ['previous', /^prev(ious)?(page|\w*(ur[il]|link|href|cursor|token|marker|key))?$/],
  ['previous', /^(start|before)cursor$/],
  ['first', /^first(page)?url$/],
  ['last', /^last(page)?url$/],
];

function roleOfText(plain: string): NamedRole | undefined {
  return ofTexts.find(([, names]) => names.test(plain))?.[0];
}

/** Names of the ids of the first and the last item of a page. */
const ofIds = toRoles({ firstId: 'firstid', lastId: 'lastid' });

/** Names that say this only of an object that is about pages, and only among links. */
const ofNestedTexts = toRoles({ next: 'after cursor continue', previous: 'before' });
const ofLinks = toRoles({ first: 'first', last: 'last', self: 'self current' });

type FieldPosition = { isOfLinks: boolean; isNested: boolean };

/** Returns the role of a property of a list, by its name and type; undefined if none is known. */
export function roleOf(
  name: string,
  schema: Schema,
  { isOfLinks, isNested }: FieldPosition,
): Omit<NamedField, 'path'> | undefined {
  const plain = toPlainName(withoutPrefix(name));
  const types = typesOf(schema);
  if (types.includes('boolean')) return toRole(ofBooleans.get(plain));
  if (ofIds.has(plain)) return toRole(ofIds.get(plain));
  if (types.includes('integer') || types.includes('number')) {
    const role = ofNumbers.get(plain);
    return role === 'next' || role === 'previous' ? { role, as: 'number' } : toRole(role);
  }
  if (types.length > 0 && !types.includes('string')) return undefined;
  const role =
    roleOfText(plain) ??
    (isOfLinks ? ofLinks.get(plain) : undefined) ??
    (isNested && types.length > 0 ? ofNestedTexts.get(plain) : undefined);
  if (!role) return undefined;
  const as = linkAsOf(plain, schema) ?? (isOfLinks ? 'url' : undefined);
  return as ? { role, as } : { role };
}

function toRole(role: NamedRole | undefined): { role: NamedRole } | undefined {
  return role && { role };
}

function linkAsOf(plain: string, schema: Schema): LinkAs | undefined {
  const { format } = schema;
  const given = ownExamplesOf(schema).find(isText);
  if (/^(ur[il]|iri)$/.test(textOf(format))) return 'url';
  if (given?.startsWith('/')) return 'path';
  const isUrl = /-reference$/.test(textOf(format)) || /ur[il]$|link$|href$/.test(plain);
  if (isUrl || /^(https?:\/\/|\?)/.test(given ?? '')) return 'url';
  if (/cursor|token|marker|continuation|^continue$|after$|before$/.test(plain)) return 'cursor';
  return given === undefined ? undefined : 'cursor';
}

/** Members of an object that stands for another page: links to it, and what asks for it. */
const membersOfPages =
  /^(href|ur[il]|link|path|after|before|cursor|token|marker|offset|page|start\w*)$/;

/**
 * Finds the fields of an object that stands for another page, such as `next` in
 * `{"next": {"href": ...}}` or `{"next": {"after": ..., "page": ...}}`, by the name of its property.
 */
export function pageFieldsOf(
  raw: RawDocument,
  path: readonly string[],
  schema: RawDocument,
): NamedField[] {
  const plain = toPlainName(path.at(-1) ?? '');
  const role = roleOfText(plain) ?? ofLinks.get(plain);
  if (!role) return [];
  return Object.entries(flatten(raw, schema).properties).flatMap(([key, property]) => {
    const inner = objectAlternative(raw, property) ?? {};
    const [type] = typesOf(inner).filter((one) => /^(string|integer|number)$/.test(one));
    const own = toPlainName(key);
    if (!type || !membersOfPages.test(own)) return [];
    const isLink = /^(href|ur[il]|link)$/.test(own);
    const asText =
      isLink && linkAsOf(own, inner) !== 'path'
        ? 'url'
        : isLink || own === 'path'
          ? 'path'
          : 'cursor';
    const as = type === 'string' ? asText : 'number';
    return [{ role, path: [...path, key], as, holder: path }];
  });
}

/** Whether a schema is that of a list of links such as `[{rel: 'self', href: ...}]`. */
export function isLinkList(raw: RawDocument, { items }: RawDocument): boolean {
  const { properties } = flatten(raw, objectAlternative(raw, items));
  return ['rel', 'href'].every((name) => allTypesOf(raw, properties[name]).includes('string'));
}

/** Finds the headers of a response that describe its list. */
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
