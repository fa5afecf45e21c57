import { expect, it } from 'vitest';
import type { TestAnswer } from '../../support/create-send.ts';
import { documentOf } from '../../support/document-of.ts';
import { serveDocument, serveEmpty } from '../../support/serve-document.ts';
import { withJson } from '../../support/with-json.ts';

/** The query of the next page, as a client reads it from a page; undefined of the last one. */
type Next = (page: TestAnswer, query: URLSearchParams) => Record<string, unknown> | undefined;

/** Asks with what an answer holds, unless it is one of the ways to say that there is no more. */
const given =
  (name: string, read: (json: TestAnswer['json']) => unknown): Next =>
  ({ json }) => {
    const value = read(json);
    return value === undefined || value === null || value === '' ? undefined : { [name]: value };
  };

/** Follows a link, as a URL, a path or a query. */
const linked =
  (read: (page: TestAnswer) => unknown): Next =>
  (page) => {
    const link = read(page);
    if (typeof link !== 'string' || link === '') return undefined;
    return Object.fromEntries(new URLSearchParams(link.replace(/^[^?]*\?/, '')));
  };

const step = (query: URLSearchParams, name: string, by: number, first = 0) => ({
  [name]: Number(query.get(name) ?? first) + by,
});

const linkHeader = linked(
  ({ headers }) => /<([^>]*)>; rel="?next"?/.exec(headers.get('Link') ?? '')?.[1],
);

type Style = {
  list: string;
  /** The first page's query. */
  query: string;
  next: Next;
  /** Members of the last page. */
  last?: object;
  headers?: Record<string, object>;
  descriptions?: Record<string, string>;
};

const styles: Record<string, Style> = {
  'Stripe: has_more and the last id': {
    list: '?limit:int&starting_after&ending_before -> { object!: "list", data!: [Pet], has_more!: bool, url!: text }',
    query: 'limit=2',
    next: ({ json }) => (json.has_more ? { starting_after: json.data.at(-1).id } : undefined),
    last: { has_more: false },
  },
  'Anthropic: has_more, first_id and last_id': {
    list: '?limit:int&after_id&before_id -> { data!: [Pet], has_more!: bool, first_id!: text | null, last_id!: text | null }',
    query: 'limit=2',
    next: ({ json }) => (json.has_more ? { after_id: json.last_id } : undefined),
    last: { has_more: false, first_id: '5', last_id: '5' },
  },
  'SCIM: an index that begins with 1': {
    list: '?startIndex:int(default=1)&count:int -> { totalResults!: int, startIndex!: int, Resources!: [Pet] }',
    query: 'count=2',
    next: ({ json: { startIndex, totalResults } }) =>
      startIndex + 2 <= totalResults ? { startIndex: startIndex + 2 } : undefined,
    last: { totalResults: 5, startIndex: 5 },
  },
  'OpenAI: after': {
    list: '?limit:int&after -> { object!: "list", data!: [Pet], first_id: text, last_id: text, has_more!: bool }',
    query: 'limit=2',
    next: ({ json }) => (json.has_more ? { after: json.last_id } : undefined),
    last: { last_id: '5' },
  },
  'Slack: response_metadata.next_cursor': {
    list: '?limit:int&cursor -> { ok!: bool, pets!: [Pet], response_metadata: { next_cursor!: text } }',
    query: 'limit=2',
    next: given('cursor', (json) => json.response_metadata.next_cursor),
    last: { response_metadata: { next_cursor: '' } },
  },
  'Notion: next_cursor is null': {
    list: '?page_size:int&start_cursor -> { object!: "list", results!: [Pet], next_cursor!: text | null, has_more!: bool }',
    query: 'page_size=2',
    next: given('start_cursor', (json) => json.next_cursor),
    last: { has_more: false, next_cursor: null },
  },
  'HubSpot: paging.next.after is absent': {
    list: '?limit:int&after -> { results!: [Pet], paging: { next: { after!: text, link: text } } }',
    query: 'limit=2',
    next: given('after', (json) => json.paging?.next?.after),
  },
  'Google: nextPageToken is absent': {
    list: '?pageSize:int&pageToken -> { pets: [Pet], nextPageToken: text }',
    query: 'pageSize=2',
    next: given('pageToken', (json) => json.nextPageToken),
  },
  'Google: next_page_token': {
    list: '?page_size:int&page_token -> { pets: [Pet], next_page_token: text, total_size: int }',
    query: 'page_size=2',
    next: given('page_token', (json) => json.next_page_token),
    last: { total_size: 5 },
  },
  'Microsoft: @odata.nextLink': {
    list: '?$top:int&$skip:int -> { value: [Pet], @odata.nextLink: text | null, @odata.count: int }',
    query: '$top=2',
    next: linked(({ json }) => json['@odata.nextLink']),
    last: { '@odata.nextLink': null, '@odata.count': 5 },
  },
  'Zendesk: meta and links with cursors': {
    list: '?page[size]:int&page[after]&page[before] -> { pets!: [Pet], meta: { has_more: bool, after_cursor: text | null, before_cursor: text | null }, links: { next: text | null, prev: text | null } }',
    query: 'page[size]=2',
    next: ({ json }) =>
      json.meta.has_more ? { 'page[after]': json.meta.after_cursor } : undefined,
    last: { meta: expect.objectContaining({ has_more: false }) },
  },
  'Zendesk: next_page is a URL': {
    list: '?page:int&per_page:int -> { pets!: [Pet], next_page: text | null, previous_page: text | null, count: int }',
    query: 'per_page=2',
    next: linked(({ json }) => json.next_page),
    last: { next_page: null, count: 5 },
  },
  'JSON:API: links.next': {
    list: '?page[number]:int&page[size]:int -> { data!: [Pet], links!: { self: text, first: text, last: text, prev: text | null, next: text | null }, meta: { total: int } }',
    query: 'page[size]=2',
    next: linked(({ json }) => json.links.next),
    last: { links: expect.objectContaining({ next: null }), meta: { total: 5 } },
  },
  'HAL: _links.next.href': {
    list: '?page:int&size:int -> { pets!: [Pet], _links: { self: { href!: text }, next: { href!: text } }, page: { size: int, totalElements: int, totalPages: int, number: int } }',
    query: 'size=2',
    next: linked(({ json }) => json._links.next?.href),
    last: { page: expect.objectContaining({ totalElements: 5, totalPages: 3 }) },
  },
  'Spring: last is true': {
    list: '?page:int&size:int -> { content!: [Pet], last!: bool, first!: bool, totalElements!: int, totalPages!: int, number!: int, size!: int, numberOfElements!: int, empty!: bool }',
    query: 'page=0&size=2',
    next: ({ json }, query) => (json.last ? undefined : step(query, 'page', 1)),
    last: { last: true, first: false, numberOfElements: 1, number: 2, size: 2, empty: false },
    descriptions: { page: 'Zero-based page index.' },
  },
  'Django: next and previous': {
    list: '?limit:int&offset:int -> { count!: int, next!: text | null, previous!: text | null, results!: [Pet] }',
    query: 'limit=2',
    next: linked(({ json }) => json.next),
    last: { count: 5, next: null },
  },
  'Strapi: meta.pagination': {
    list: '?pagination[page]:int&pagination[pageSize]:int -> { data!: [Pet], meta!: { pagination!: { page!: int, pageSize!: int, pageCount!: int, total!: int } } }',
    query: 'pagination[page]=1&pagination[pageSize]=2',
    next: ({ json: { meta } }) =>
      meta.pagination.page < meta.pagination.pageCount
        ? { 'pagination[page]': meta.pagination.page + 1 }
        : undefined,
    last: { meta: { pagination: { page: 3, pageSize: 2, pageCount: 3, total: 5 } } },
  },
  'Laravel: current_page and last_page': {
    list: '?page:int&per_page:int -> { data!: [Pet], links!: { next: text | null }, meta!: { current_page!: int, last_page!: int, per_page!: int, total!: int, from: int | null, to: int | null } }',
    query: 'per_page=2',
    next: ({ json: { meta } }) =>
      meta.current_page < meta.last_page ? { page: meta.current_page + 1 } : undefined,
    last: {
      meta: expect.objectContaining({ current_page: 3, last_page: 3, total: 5, from: 5, to: 5 }),
    },
  },
  'Okta: the header Link': {
    list: '?limit:int&after -> [Pet]',
    query: 'limit=2',
    next: linkHeader,
    headers: { Link: { schema: { type: 'string' } } },
  },
  'GitHub: the header Link of pages': {
    list: '?page:int&per_page:int -> [Pet]',
    query: 'per_page=2',
    next: linkHeader,
  },
  'GitLab: headers X-Next-Page and X-Total-Pages': {
    list: '?page:int&per_page:int -> [Pet]',
    query: 'per_page=2',
    next: ({ headers }) => {
      const page = headers.get('X-Next-Page');
      return page ? { page } : undefined;
    },
    headers: {
      'X-Next-Page': { schema: { type: 'integer' } },
      'X-Total-Pages': { schema: { type: 'integer' } },
      'X-Total-Count': { schema: { type: 'integer' } },
    },
  },
  'a page shorter than its size is the last': {
    list: '?page:int&per_page:int -> [Pet]',
    query: 'page=1&per_page=2',
    next: ({ json }, query) => (json.length < 2 ? undefined : step(query, 'page', 1)),
  },
  'the total tells, by offset': {
    list: '?offset:int&limit:int -> { items!: [Pet], total!: int, offset!: int, limit!: int }',
    query: 'limit=2',
    next: ({ json }) =>
      json.offset + json.items.length < json.total
        ? { offset: json.offset + json.limit }
        : undefined,
    last: { total: 5, offset: 4, limit: 2 },
  },
  'Jira: isLast and startAt': {
    list: '?startAt:int&maxResults:int -> { values!: [Pet], isLast!: bool, startAt!: int, maxResults!: int, total!: int, nextPage: text }',
    query: 'maxResults=2',
    next: ({ json }) => (json.isLast ? undefined : { startAt: json.startAt + json.values.length }),
    last: { isLast: true, startAt: 4, total: 5 },
  },
  'Confluence: _links.next is a path': {
    list: '?cursor&limit:int -> { results: [Pet], _links: { next: text, base: text } }',
    query: 'limit=2',
    next: linked(({ json }) => json._links?.next),
  },
  'Asana: next_page is an object or null': {
    list: '?limit:int&offset -> { data: [Pet], next_page: { offset: text, path: text, uri: uri } | null }',
    query: 'limit=2',
    next: given('offset', (json) => json.next_page?.offset),
    last: { next_page: null },
  },
  'Salesforce: done and nextRecordsUrl': {
    list: '?cursor&limit:int -> { totalSize: int, done: bool, nextRecordsUrl: text, records: [Pet] }',
    query: 'limit=2',
    next: linked(({ json }) => (json.done ? undefined : json.nextRecordsUrl)),
    last: { done: true, totalSize: 5 },
  },
  'AWS: NextToken': {
    list: '?MaxResults:int&NextToken -> { Pets: [Pet], NextToken: text }',
    query: 'MaxResults=2',
    next: given('NextToken', (json) => json.NextToken),
  },
  'AWS: IsTruncated and Marker': {
    list: '?MaxItems:int&Marker -> { Pets!: [Pet], IsTruncated!: bool, Marker: text }',
    query: 'MaxItems=2',
    next: ({ json }) => (json.IsTruncated ? { Marker: json.Marker } : undefined),
    last: { IsTruncated: false },
  },
  'Kubernetes: metadata.continue': {
    list: '?limit:int&continue -> { metadata!: { continue: text, remainingItemCount: int }, items!: [Pet] }',
    query: 'limit=2',
    next: given('continue', (json) => json.metadata.continue),
  },
  'Relay: pageInfo': {
    list: '?first:int&after -> { nodes!: [Pet], pageInfo!: { hasNextPage!: bool, endCursor: text | null } }',
    query: 'first=2',
    next: ({ json: { pageInfo } }) =>
      pageInfo.hasNextPage ? { after: pageInfo.endCursor } : undefined,
    last: { pageInfo: expect.objectContaining({ hasNextPage: false }) },
  },
  'Square: cursor': {
    list: '?limit:int&cursor -> { pets: [Pet], cursor: text }',
    query: 'limit=2',
    next: given('cursor', (json) => json.cursor),
  },
  'Intercom: pages.next.starting_after': {
    list: '?per_page:int&starting_after -> { type: "list", data: [Pet], total_count: int, pages: { type: "pages", page: int, per_page: int, total_pages: int, next: { page: int, starting_after: text } | null } }',
    query: 'per_page=2',
    next: given('starting_after', (json) => json.pages.next?.starting_after),
    last: { total_count: 5, pages: expect.objectContaining({ next: null, total_pages: 3 }) },
  },
  'Cloudflare: result_info': {
    list: '?page:int&per_page:int -> { success!: bool, result!: [Pet], result_info: { page: int, per_page: int, count: int, total_count: int, total_pages: int } }',
    query: 'per_page=2',
    next: ({ json: { result_info: info } }) =>
      info.page < info.total_pages ? { page: info.page + 1 } : undefined,
    last: { result_info: { page: 3, per_page: 2, count: 1, total_count: 5, total_pages: 3 } },
  },
  'DigitalOcean: links.pages.next': {
    list: '?page:int&per_page:int -> { pets!: [Pet], links: { pages: { first: text, prev: text, next: text, last: text } }, meta!: { total!: int } }',
    query: 'per_page=2',
    next: linked(({ json }) => json.links?.pages?.next),
    last: { meta: { total: 5 } },
  },
  'Twilio: next_page_uri': {
    list: '?PageSize:int&Page:int&PageToken -> { pets!: [Pet], page!: int, page_size!: int, next_page_uri: text | null, first_page_uri: text, uri: text }',
    query: 'PageSize=2',
    next: linked(({ json }) => json.next_page_uri),
    last: { next_page_uri: null },
  },
  'Twitter: meta.next_token': {
    list: '?max_results:int&pagination_token -> { data: [Pet], meta: { next_token: text, previous_token: text, result_count: int } }',
    query: 'max_results=2',
    next: given('pagination_token', (json) => json.meta.next_token),
    last: { meta: expect.objectContaining({ result_count: 1 }) },
  },
  'Iterator: a cursor and done': {
    list: '?count:int&iterator -> { items!: [Pet], iterator!: text | null, done!: bool }',
    query: 'count=2',
    next: ({ json }) => (json.done ? undefined : { iterator: json.iterator }),
    last: { done: true },
  },
};

it.each(Object.entries(styles))('pages to the end: %s', async (_, style) => {
  const document = documentOf(`
    GET /pets${style.list}
    POST /pets { name! } -> 201 Pet
    GET /pets/{id:text} -> Pet
    Pet: { readonly id!: text, name! }
  `);
  const list = document.paths['/pets']?.get;
  Object.assign(list.responses['200'], style.headers && { headers: style.headers });
  for (const one of list.parameters) one.description = style.descriptions?.[one.name];
  const { send, call } = await serveEmpty(document);
  const names = ['a', 'b', 'c', 'd', 'e'];
  for (const name of names) await send('POST', '/pets', { name });
  const seen: string[] = [];
  let page: TestAnswer;
  let query: Record<string, unknown> | undefined = Object.fromEntries(
    new URLSearchParams(style.query),
  );
  for (let pages = 1; query; pages += 1) {
    const asked = new URLSearchParams({
      ...Object.fromEntries(new URLSearchParams(style.query)),
      ...query,
    } as Record<string, string>);
    page = await call(`/pets?${asked}`);
    expect([page.status, page.text]).toEqual([200, expect.any(String)]);
    const items = Array.isArray(page.json)
      ? page.json
      : Object.values<object[]>(page.json).find(Array.isArray);
    expect(items?.length).toBeLessThanOrEqual(2);
    seen.push(...(items as { name: string }[]).map(({ name }) => name));
    query = style.next(page, asked);
    if (!query && style.last) expect(page.json).toMatchObject(style.last);
    expect(pages).toBeLessThanOrEqual(3);
  }
  expect(seen).toEqual(names);
});

it.each([
  ['{ names: [text], next_cursor: text }', { names: ['a'], next_cursor: 'b' }, { names: ['a'] }],
  [
    '{ names!: [text], has_more!: bool, next!: text | null }',
    { names: ['a'], has_more: true, next: '/pets?page=2' },
    { names: ['a'], has_more: false, next: null },
  ],
  [
    '{ data!: [{ word: text }], meta!: { page!: int, total_pages!: int } }',
    { data: [{ word: 'a' }], meta: { page: 1, total_pages: 9 } },
    { data: [{ word: 'a' }], meta: { page: 1, total_pages: 1 } },
  ],
  [
    '{ words!: [{ word: text }], response_metadata: { next_cursor!: text } }',
    { words: [], response_metadata: { next_cursor: 'dXNlcg==' } },
    { words: [], response_metadata: { next_cursor: '' } },
  ],
  ['{ next: text, name: text }', { next: 'b', name: 'a' }, { next: 'b', name: 'a' }],
])('names no page behind one without state: %s', async (schema, example, shown) => {
  const document = documentOf(`
    GET /words -> ${schema}
    POST /words/list { limit: int } -> ${schema}
  `);
  for (const { get, post = get } of Object.values(document.paths))
    post.responses['200'].content['application/json'].example = example;
  const { call } = await serveDocument(document);
  expect((await call('/words')).json).toEqual(shown);
  expect((await call('/words/list', withJson('POST', {}))).json).toEqual(shown);
});

it.each([
  ['?limit=0', {}],
  ['', { Prefer: 'code=200' }],
])(
  'names no page after one that clients could ask for again and again: %s %j',
  async (query, headers) => {
    const { call } = await serveDocument(
      `
        GET /pets?limit:int&cursor -> { data!: [Pet], has_more!: bool, next_cursor: text }
        POST /pets Pet -> 201 Pet
        GET /pets/{id} -> Pet
        Pet: { id!: int, name }
      `,
      { items: 5 },
    );
    const { json } = await call(`/pets${query}`, { headers });
    expect([json.has_more, json.next_cursor]).toEqual([false, undefined]);
  },
);
