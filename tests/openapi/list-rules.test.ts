import { expect, it } from 'vitest';
import { findList, findListRules } from '../../openapi/collections/list-rules.ts';
import { compile, type RawDocument } from '../../openapi/index.ts';
import { describeParameters } from '../../openapi/model/lists.ts';
import { flatten, resolve } from '../../openapi/schema.ts';

const text = { type: 'string' };
const integer = { type: 'integer' };
const boolean = { type: 'boolean' };
const user = {
  type: 'object',
  properties: {
    id: integer,
    name: text,
    status: { enum: ['on', 'off'] },
    age: integer,
    is_admin: boolean,
    created_at: { type: 'string', format: 'date-time' },
    tagList: { type: 'array', items: text },
    team: { type: 'object', properties: { id: integer, name: text, size: integer } },
    webhook: { type: 'object', properties: { api_key: text } },
  },
};
const users = { type: 'array', items: user };

type Given = {
  schema?: RawDocument;
  query?: Record<string, RawDocument>;
  descriptions?: Record<string, string>;
  headers?: readonly string[];
  root?: RawDocument;
  path?: string;
};

function rulesOf({
  schema = users,
  query = {},
  descriptions = {},
  headers = [],
  root,
  path = '/users',
}: Given) {
  const { operations, asOpenApi } = compile({
    openapi: '3.1.0',
    info: { title: 'Users', version: '1' },
    ...root,
    paths: {
      [path]: {
        get: {
          parameters: Object.entries(query).map(([name, one]) => ({
            name,
            in: 'query',
            schema: one,
            ...(one.type === 'object' && { style: 'deepObject' }),
            ...(descriptions[name] && { description: descriptions[name] }),
          })),
          responses: {
            200: {
              description: 'Users',
              headers: Object.fromEntries(headers.map((name) => [name, { schema: text }])),
              content: { 'application/json': { schema } },
            },
          },
        },
      },
    },
  });
  const [operation] = operations;
  if (!operation) throw new Error('no operation');
  const rules = findListRules(asOpenApi(), operation, flatten(asOpenApi(), user));
  const effects = Object.fromEntries(
    describeParameters(operation, rules).map(({ parameter, effect }) => [parameter, effect]),
  );
  const found = findList(asOpenApi(), operation)?.items;
  return { ...rules, effects, items: found && resolve(asOpenApi(), found) };
}

/** An object schema with these properties; some of them required. */
function object(properties: Record<string, RawDocument>): RawDocument {
  return { type: 'object', properties };
}

/** The fields of a list as `place: role`, and how it names another page. */
function fieldsOf(schema: RawDocument, given: Given = {}): Record<string, string> {
  const { form } = rulesOf({ ...given, schema });
  return Object.fromEntries(
    form.fields.map(({ path, role, as }) => [path.join('.'), as ? `${role} ${as}` : role]),
  );
}

it.each<[name: string, schema: RawDocument, pointer: string[]]>([
  ['an array', users, []],
  ['data', object({ data: users }), ['data']],
  ['the name of the path', object({ users, meta: object({ total: integer }) }), ['users']],
  [
    'an envelope in an envelope',
    object({ response: object({ items: users }) }),
    ['response', 'items'],
  ],
  ['HAL', object({ _embedded: object({ users }), _links: object({}) }), ['_embedded', 'users']],
  [
    'the only array that holds no errors',
    object({ errors: users, persons: users, total: integer }),
    ['persons'],
  ],
  ['the only array beside a total', object({ persons: users, total: integer }), ['persons']],
  [
    'allOf',
    { allOf: [object({ data: { type: 'array', items: {} } }), object({ data: users })] },
    ['data'],
  ],
  [
    'an alternative that is not null',
    { oneOf: [{ type: 'null' }, object({ data: users })] },
    ['data'],
  ],
])('finds the items by %s', (_, schema, pointer) => {
  expect(rulesOf({ schema }).form.pointer).toEqual(pointer);
});

it('finds the items of a general page that is told what it is a page of', () => {
  const general = {
    $id: 'https://example.com/page',
    $defs: { item: { $dynamicAnchor: 'item', not: {} } },
    ...object({
      data: { type: 'array', items: { $dynamicRef: '#item' } },
      total: integer,
    }),
  };
  const pageOf = (item: RawDocument) => ({
    $id: `https://example.com/page-of-${item.title}`,
    $defs: { item: { $dynamicAnchor: 'item', ...item } },
    $ref: 'https://example.com/page',
  });
  const root = {
    components: { schemas: { Page: general, Teams: pageOf({ title: 'teams', type: 'string' }) } },
  };
  const { form, items } = rulesOf({ schema: pageOf({ title: 'users', ...user }), root });
  expect(form).toEqual({ pointer: ['data'], fields: [{ role: 'total', path: ['total'] }] });
  expect(items).toMatchObject({ title: 'users' });
});

it('takes no item for a list, whatever it holds', () => {
  for (const schema of [
    object({ id: integer, items: users }),
    object({ name: text, friends: users }),
    object({ data: object({ name: text }) }),
  ]) {
    const { form } = rulesOf({ schema });
    expect(form).toEqual({ pointer: [], fields: [] });
  }
});

it('reads what an answer says of the list', () => {
  expect(
    fieldsOf(
      object({
        data: users,
        has_more: boolean,
        object: { const: 'list' },
        meta: object({ total_count: integer, page: integer, per_page: integer, pages: integer }),
        links: object({ next: text, prev: text, self: text, first: text }),
      }),
    ),
  ).toEqual({
    has_more: 'hasMore',
    'meta.total_count': 'total',
    'meta.page': 'page',
    'meta.per_page': 'size',
    'meta.pages': 'pages',
    'links.next': 'next url',
    'links.prev': 'previous url',
    'links.self': 'self url',
    'links.first': 'first url',
  });
  expect(
    fieldsOf(
      object({ results: users, count: integer, next: { type: ['string', 'null'], format: 'uri' } }),
    ),
  ).toEqual({ count: 'total', next: 'next url' });
  expect(
    fieldsOf(
      object({
        content: users,
        totalElements: integer,
        totalPages: integer,
        number: integer,
        numberOfElements: integer,
        first: boolean,
        last: boolean,
        empty: boolean,
      }),
    ),
  ).toEqual({
    totalElements: 'total',
    totalPages: 'pages',
    number: 'page',
    numberOfElements: 'count',
    first: 'isFirst',
    last: 'isLast',
    empty: 'isEmpty',
  });
  expect(
    fieldsOf(
      object({
        items: users,
        count: integer,
        total: integer,
        paging: object({ cursors: object({ after: text, before: text }), next_page: integer }),
        _links: object({ next: object({ href: text }), self: object({ href: text }) }),
      }),
    ),
  ).toEqual({
    count: 'count',
    total: 'total',
    'paging.cursors.after': 'next cursor',
    'paging.cursors.before': 'previous cursor',
    'paging.next_page': 'next number',
    '_links.next.href': 'next url',
    '_links.self.href': 'self url',
  });
});

it.each<[name: string, query: Record<string, RawDocument>, paging: unknown[]]>([
  ['page', { page: integer, per_page: integer }, [{ style: 'page', parameter: 'page', first: 1 }]],
  [
    'pageIndex',
    { pageIndex: { ...integer, minimum: 0 } },
    [{ style: 'page', parameter: 'pageIndex', first: 0 }],
  ],
  [
    'page[number]',
    { 'page[number]': integer },
    [{ style: 'page', parameter: 'page[number]', first: 1 }],
  ],
  ['offset', { offset: integer }, [{ style: 'offset', parameter: 'offset', first: 0 }]],
  [
    'startIndex',
    { startIndex: { ...integer, minimum: 1 } },
    [{ style: 'offset', parameter: 'startIndex', first: 1 }],
  ],
  [
    'starting_after',
    { starting_after: text, ending_before: text },
    [
      {
        style: 'cursor',
        parameter: 'starting_after',
        before: 'ending_before',
        first: 0,
        isId: true,
      },
    ],
  ],
  [
    'dates',
    { before: { type: 'string', format: 'date' }, after: { type: 'string', format: 'date' } },
    [],
  ],
  [
    'cursor and page',
    { page: integer, cursor: text },
    [
      { style: 'cursor', parameter: 'cursor', first: 0, isId: true, isGuess: true },
      { style: 'page', parameter: 'page', first: 1 },
    ],
  ],
])('finds pages by %s', (_, query, paging) => {
  expect(rulesOf({ query }).paging).toEqual(paging);
});

it('counts pages from 0 where the description says so', () => {
  const descriptions = { page: 'Zero-based number of the page' };
  expect(rulesOf({ query: { page: integer }, descriptions }).paging).toMatchObject([{ first: 0 }]);
});

it('counts pages from where the description says, whatever the least number is', () => {
  const query = { page: { type: 'integer', minimum: 0 } };
  const descriptions = { page: 'Pages through results, starting at page `1`.' };
  expect(rulesOf({ query, descriptions }).paging).toMatchObject([{ first: 1 }]);
  expect(rulesOf({ query }).paging).toMatchObject([{ first: 0 }]);
});

it('counts pages from 0 where an example is 0', () => {
  const query = { page: { type: 'integer', example: 0 } };
  expect(rulesOf({ query }).paging).toMatchObject([{ first: 0 }]);
});

it('filters by a name behind the noun of an item, and by an object of properties', () => {
  const { conditions, effects, objects } = rulesOf({
    query: { user_tag_list: text, filter: { type: 'object' }, where: object({ other: text }) },
  });
  expect(conditions).toEqual([
    { parameter: 'user_tag_list', paths: [['tagList']], comparison: 'equal' },
  ]);
  expect(objects).toEqual(['filter']);
  expect(effects).toEqual({ user_tag_list: 'filter', filter: 'filter', where: 'none' });
});

it('takes a cursor for one that answers give, where they give one', () => {
  const schema = object({ data: users, next_cursor: text });
  const opaque = [{ style: 'cursor', parameter: 'after', first: 0 }];
  expect(rulesOf({ schema, query: { after: text } }).paging).toEqual(opaque);
  expect(rulesOf({ headers: ['Link'], query: { after: text } }).paging).toEqual(opaque);
});

it('reads headers that speak of the list', () => {
  const headers = [
    'Link',
    'X-Total-Count',
    'X-Page',
    'X-Pagination-Per-Page',
    'X-RateLimit-Limit',
    'X-Request-ID',
    'Count',
  ];
  expect(rulesOf({ headers }).headers).toEqual([
    { name: 'Link', role: 'links' },
    { name: 'X-Total-Count', role: 'total' },
    { name: 'X-Page', role: 'page' },
    { name: 'X-Pagination-Per-Page', role: 'size' },
  ]);
});

it('knows what each parameter does, and which do nothing', () => {
  const array = { type: 'array', items: text };
  const query = {
    status: { enum: ['on', 'off'] },
    limit: integer,
    page: integer,
    sort: text,
    order: { enum: ['asc', 'desc'] },
    q: text,
    tag: text,
    team: text,
    team_id: integer,
    isAdmin: boolean,
    'filter[name]': text,
    name_contains: text,
    age_gte: integer,
    minAge: integer,
    created_after: { type: 'string', format: 'date-time' },
    created: object({ gte: integer, other: integer }),
    ids: array,
    verbose: boolean,
    api_key: text,
    since: text,
  };
  const { effects, conditions } = rulesOf({ query });
  expect(effects).toEqual({
    status: 'filter',
    limit: 'page size',
    page: 'page',
    sort: 'sort',
    order: 'sort',
    q: 'search',
    tag: 'filter',
    team: 'filter',
    team_id: 'filter',
    isAdmin: 'filter',
    'filter[name]': 'filter',
    name_contains: 'filter',
    age_gte: 'filter',
    minAge: 'filter',
    created_after: 'filter',
    created: 'filter',
    ids: 'filter',
    verbose: 'none',
    api_key: 'none',
    since: 'none',
  });
  const byName = Object.fromEntries(
    conditions.map(({ parameter, member, paths, comparison }) => [
      member === undefined ? parameter : `${parameter}.${member}`,
      `${paths.map((path) => path.join('.')).join(' | ')} ${comparison}`,
    ]),
  );
  expect(byName).toEqual({
    tag: 'tagList equal',
    team: 'team.id | team.name equal',
    team_id: 'team.id equal',
    isAdmin: 'is_admin equal',
    'filter[name]': 'name equal',
    name_contains: 'name contains',
    age_gte: 'age atLeast',
    minAge: 'age atLeast',
    created_after: 'created_at greater',
    'created.gte': 'created_at atLeast',
    ids: 'id equal',
  });
});

it('filters by no name that asks for parts of items, and pages by what is described so', () => {
  const query = { fields: text, include: text, name: text, age: integer, after: text };
  const schema = object({
    data: { type: 'array', items: { ...user, properties: { ...user.properties, after: text } } },
  });
  const descriptions = { after: 'A cursor, as given in the Link header' };
  expect(rulesOf({ query, schema, descriptions }).effects).toEqual({
    fields: 'none',
    include: 'none',
    name: 'filter',
    age: 'filter',
    after: 'cursor',
  });
});

it('sorts by nothing where no value names a property', () => {
  const { effects } = rulesOf({ query: { sort: { enum: ['best', 'hot'] }, order: text } });
  expect(effects).toEqual({ sort: 'none', order: 'none' });
});
