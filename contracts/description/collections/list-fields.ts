import type { RawDocument, Schema } from '../schema.ts';
import { toPlainName } from './plain-name.ts';
import { objectAlternative, typesOf } from './schema-types.ts';

/** What an answer may say of a list: of all its items (`total`, `pages`), or of this page. */
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
  | 'hasMore'
  | 'hasPrevious'
  | 'isFirst'
  | 'isLast'
  | 'isEmpty';

/** How another page is named; where the document does not say, the parameters decide. */
export type LinkAs = 'url' | 'path' | 'cursor' | 'number';

/** What an answer says of a list at a place. */
export type ListField = { role: ListRole; path: readonly string[]; as?: LinkAs };

/** A role as far as a name tells it: that of a mere `count` is open. */
type NamedRole = ListRole | 'anyCount';

/** A field as far as its name and type tell. */
export type NamedField = Omit<ListField, 'role'> & { role: NamedRole };

type NamesByRole = Partial<Record<NamedRole, string>>;

/** Common names, without their separators, by the type of their value. */
const numberNames: NamesByRole = {
  total:
    'total totalcount totalitems totalelements totalresults totalrecords totalrows totalsize ' +
    'totalhits totalentries totalobjects totalnumber totalitemcount numfound recordstotal itemstotal ' +
    'resultscount paginationtotal',
  pages:
    'pages totalpages totalpagescount pagecount numpages numberofpages totalpagecount lastpage ' +
    'maxpage pagetotal paginationtotalpages paginationpagecount',
  count:
    'numberofelements itemcount itemscount itemsonpage pageitemcount returned returnedcount ' +
    'currentitemcount numreturned recordsreturned resultcount numresults',
  anyCount: 'count',
  size:
    'limit perpage pagesize itemsperpage size pagelimit maxresults rowsperpage pagelen resultsperpage ' +
    'paginationperpage paginationpagesize paginationlimit',
  page: 'page pagenumber currentpage pageindex pageno pagenum number paginationpage',
  offset: 'offset skip start startindex startat paginationoffset',
  from: 'from',
  to: 'to',
  next: 'next nextpage nextoffset nextstart nextpagenumber',
  previous: 'prev previous prevpage previouspage prevoffset previousoffset',
};

const booleanNames: NamesByRole = {
  hasMore:
    'hasmore hasnext hasnextpage more moreresults moreavailable morerecords istruncated truncated ' +
    'hasmoreitems hasmoredata hasmorepages hasmoreresults moreitemsincollection',
  hasPrevious: 'hasprevious hasprev haspreviouspage hasprevpage',
  isFirst: 'first isfirst firstpage isfirstpage',
  isLast: 'last islast lastpage islastpage',
  isEmpty: 'empty isempty',
};

const textNames: NamesByRole = {
  next:
    'next nextpage nexturl nexturi nextlink nexthref nextpageurl nextpageuri nextpagelink ' +
    'odatanextlink nextcursor nextpagecursor nextpagetoken nexttoken nextmarker nextcontinuation ' +
    'endcursor continuationtoken continuation',
  previous:
    'prev previous prevpage previouspage prevurl previousurl prevuri prevpageurl previouspageurl ' +
    'prevlink previouslink prevcursor previouscursor prevpagetoken previouspagetoken prevtoken ' +
    'previoustoken startcursor',
  first: 'firsturl firstpageurl firstpagelink',
  last: 'lasturl lastpageurl lastpagelink',
};

/** Names that say this only of an object that is about pages. */
const nestedTextNames: NamesByRole = { next: 'after cursor continue', previous: 'before' };

/** Names that say this only among links. */
const linkNames: NamesByRole = { first: 'first', last: 'last', self: 'self current' };

const toRoles = (names: NamesByRole): ReadonlyMap<string, NamedRole> =>
  new Map(
    Object.entries(names).flatMap(([role, text]) =>
      text.split(' ').map((name) => [name, role as NamedRole] as const),
    ),
  );
const [ofNumbers, ofBooleans, ofTexts, ofNestedTexts, ofLinks] = [
  numberNames,
  booleanNames,
  textNames,
  nestedTextNames,
  linkNames,
].map(toRoles) as [
  ReadonlyMap<string, NamedRole>,
  ReadonlyMap<string, NamedRole>,
  ReadonlyMap<string, NamedRole>,
  ReadonlyMap<string, NamedRole>,
  ReadonlyMap<string, NamedRole>,
];

type Around = { isOfLinks: boolean; isNested: boolean };

/** What a property says of a list, by its name and type; undefined where that is not known. */
export function roleOf(
  name: string,
  schema: Schema,
  { isOfLinks, isNested }: Around,
): Omit<NamedField, 'path'> | undefined {
  const plain = toPlainName(name);
  const types = typesOf(schema);
  if (types.includes('boolean')) return toRole(ofBooleans.get(plain));
  if (types.includes('integer') || types.includes('number')) {
    const role = ofNumbers.get(plain);
    return role === 'next' || role === 'previous' ? { role, as: 'number' } : toRole(role);
  }
  if (types.length > 0 && !types.includes('string')) return undefined;
  const role =
    ofTexts.get(plain) ??
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
  const { format, example, examples } = schema;
  const given = [example, ...(Array.isArray(examples) ? examples : [])].find(
    (one) => typeof one === 'string',
  );
  if (/^(ur[il]|iri)$/.test(String(format))) return 'url';
  if (given?.startsWith('/')) return 'path';
  const isUrl = /-reference$/.test(String(format)) || /ur[il]$|link$|href$/.test(plain);
  if (isUrl || /^(https?:\/\/|\?)/.test(given ?? '')) return 'url';
  if (/cursor|token|marker|continuation|^continue$|after$|before$/.test(plain)) return 'cursor';
  return given === undefined ? undefined : 'cursor';
}

/** A link as an object, such as `{"href": ...}`, by the name of its property. */
export function linkOf(
  raw: RawDocument,
  name: string,
  schema: RawDocument,
): NamedField | undefined {
  const plain = toPlainName(name);
  const role = ofTexts.get(plain) ?? ofLinks.get(plain);
  if (!role) return undefined;
  for (const key of ['href', 'url', 'uri']) {
    const property = schema.properties?.[key];
    const inner = property && objectAlternative(raw, property);
    if (inner && typesOf(inner).includes('string'))
      return { role, path: [key], as: linkAsOf(key, inner) === 'path' ? 'path' : 'url' };
  }
  return undefined;
}
