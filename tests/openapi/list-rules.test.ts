import { expect, it } from 'vitest';
import { findList, findListRules } from '../../openapi/collections/list-rules.ts';
import { compile } from '../../openapi/index.ts';
import { describeParameters } from '../../openapi/model/lists.ts';
import { flatten, type RawDocument, resolve } from '../../openapi/schema.ts';
import { schemaOf } from '../support/document-of.ts';
import { jsonOf } from '../support/serve-document.ts';

const user = schemaOf(`{
  id: int, name, status: "on" | "off", age: int, is_admin: bool, created_at: date-time,
  tagList: [text], team: { id: int, name, size: int }, webhook: { api_key }
}`);
const users = { type: 'array', items: user };

type Given = {
  schema?: string | RawDocument;
  query?: string;
  descriptions?: Record<string, string>;
  headers?: readonly string[];
  root?: RawDocument;
  item?: RawDocument;
};

/** Returns the schema of a line, in which `users` are a list of users. */
function listOf(written: string): RawDocument {
  const text = JSON.stringify(schemaOf(written.replaceAll(': users', ': "users"')));
  return JSON.parse(text.replaceAll('{"const":"users"}', JSON.stringify(users)));
}

function rulesOf({
  schema = users,
  query = '',
  descriptions = {},
  headers = [],
  root,
  item = user,
}: Given) {
  const parameters = schemaOf(`{ ${query} }`).properties;
  const { operations, asOpenApi } = compile({
    openapi: '3.1.0',
    info: { title: 'Users', version: '1' },
    ...root,
    paths: {
      '/users': {
        get: {
          parameters: Object.entries<RawDocument>(parameters).map(([name, one]) => ({
            ...{ name, in: 'query', schema: one },
            ...(one.type === 'object' && { style: 'deepObject' }),
            ...(descriptions[name] && { description: descriptions[name] }),
          })),
          responses: {
            200: {
              headers: Object.fromEntries(headers.map((name) => [name, { schema: {} }])),
              ...jsonOf(typeof schema === 'string' ? listOf(schema) : schema),
            },
          },
        },
      },
    },
  });
  const [operation] = operations;
  if (!operation) throw new Error('no operation');
  const rules = findListRules(asOpenApi(), operation, flatten(asOpenApi(), item));
  const effects = Object.fromEntries(
    describeParameters(operation, rules).map(({ parameter, effect }) => [parameter, effect]),
  );
  const found = findList(asOpenApi(), operation)?.items;
  return { ...rules, effects, items: found && resolve(asOpenApi(), found) };
}

it.each<[name: string, schema: string | RawDocument, pointer: string[]]>([
  ['an array', users, []],
  ['data', '{ data: users }', ['data']],
  ['the name of the path', '{ users: users, meta: { total: int } }', ['users']],
  ['an envelope in an envelope', '{ response: { items: users } }', ['response', 'items']],
  ['HAL', '{ _embedded: { users: users }, _links: object }', ['_embedded', 'users']],
  ['the only array without errors', '{ errors: users, persons: users, total: int }', ['persons']],
  ['the only array beside a total', '{ persons: users, total: int }', ['persons']],
  ['allOf', { allOf: ['{ data: [any] }', '{ data: users }'].map(listOf) }, ['data']],
  ['an alternative', { oneOf: [{ type: 'null' }, listOf('{ data: users }')] }, ['data']],
])('finds the items by %s', (_, schema, pointer) => {
  expect(rulesOf({ schema }).form.pointer).toEqual(pointer);
});

it('finds the items of a general page that is told what it is a page of', () => {
  const general = {
    $id: 'https://example.com/page',
    $defs: { item: { $dynamicAnchor: 'item', not: {} } },
    type: 'object',
    properties: {
      data: { type: 'array', items: { $dynamicRef: '#item' } },
      total: { type: 'integer' },
    },
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

it.each(['{ id: int, items: users }', '{ name, friends: users }', '{ data: { name } }'])(
  'takes no item for a list: %s',
  (schema) => {
    expect(rulesOf({ schema }).form).toEqual({ pointer: [], fields: [] });
  },
);

it.each([
  ['{ data: users, has_more: bool, object: "list" }', { has_more: 'hasMore' }],
  [
    '{ data: users, meta: { total_count: int, page: int, per_page: int, pages: int } }',
    {
      ...{ 'meta.total_count': 'total', 'meta.page': 'page' },
      ...{ 'meta.per_page': 'size', 'meta.pages': 'pages' },
    },
  ],
  [
    '{ data: users, links: { next, prev, self, first } }',
    {
      ...{ 'links.next': 'next url', 'links.prev': 'previous url' },
      ...{ 'links.self': 'self url', 'links.first': 'first url' },
    },
  ],
  ['{ results: users, count: int, next: uri | null }', { count: 'total', next: 'next url' }],
  [
    '{ content: users, totalElements: int, totalPages: int, number: int, numberOfElements: int }',
    { totalElements: 'total', totalPages: 'pages', number: 'page', numberOfElements: 'count' },
  ],
  [
    '{ content: users, first: bool, last: bool, empty: bool }',
    { first: 'isFirst', last: 'isLast', empty: 'isEmpty' },
  ],
  ['{ items: users, count: int, total: int }', { count: 'count', total: 'total' }],
  [
    '{ items: users, paging: { cursors: { after, before }, next_page: int } }',
    {
      'paging.cursors.after': 'next cursor',
      'paging.cursors.before': 'previous cursor',
      'paging.next_page': 'next number',
    },
  ],
  [
    '{ data: { users: { edges: users, pageInfo: { hasNextPage: bool } } } }',
    { 'data.users.pageInfo.hasNextPage': 'hasMore' },
  ],
  [
    '{ items: users, _links: { next: { href }, self: { href } } }',
    { '_links.next.href': 'next url', '_links.self.href': 'self url' },
  ],
])('reads what an answer says of the list: %s', (schema, expected) => {
  const { fields } = rulesOf({ schema }).form;
  const found = fields.map(({ path, role, as }) => [path.join('.'), as ? `${role} ${as}` : role]);
  expect(Object.fromEntries(found)).toEqual(expected);
});

const cursor = { style: 'cursor', first: 0, isId: true };

it.each<[query: string, ...paging: object[]]>([
  ['page: int, per_page: int', { style: 'page', parameter: 'page', first: 1 }],
  ['pageIndex: int(minimum=0)', { style: 'page', parameter: 'pageIndex', first: 0 }],
  ['page[number]: int', { style: 'page', parameter: 'page[number]', first: 1 }],
  ['offset: int', { style: 'offset', parameter: 'offset', first: 0 }],
  ['startIndex: int(minimum=1)', { style: 'offset', parameter: 'startIndex', first: 1 }],
  [
    'starting_after, ending_before',
    { ...cursor, parameter: 'starting_after', before: 'ending_before' },
  ],
  ['before: date, after: date'],
  [
    'page: int, cursor',
    { ...cursor, parameter: 'cursor', isGuess: true },
    { style: 'page', parameter: 'page', first: 1 },
  ],
])('finds pages by %s', (query, ...paging) => {
  expect(rulesOf({ query }).paging).toEqual(paging);
});

it.each([
  ['page: int', 'Zero-based number of the page', 0],
  ['page: int(minimum=0)', 'Pages through results, starting at page `1`.', 1],
  ['page: int(minimum=0)', '', 0],
  ['page: int(example=0)', '', 0],
])('counts the pages of %s, which is described as "%s", from %i', (query, page, first) => {
  expect(rulesOf({ query, descriptions: { page } }).paging).toMatchObject([{ first }]);
});

it('filters by a name behind the noun of an item, and by an object of properties', () => {
  const { conditions, effects, objects } = rulesOf({
    query: 'user_tag_list, filter: object, where: { other }',
  });
  expect(conditions).toEqual([
    { parameter: 'user_tag_list', paths: [['tagList']], comparison: 'equal' },
  ]);
  expect(objects).toEqual(['filter']);
  expect(effects).toEqual({ user_tag_list: 'filter', filter: 'filter', where: 'none' });
});

it('takes a cursor for one that answers give, where they give one', () => {
  const opaque = [{ style: 'cursor', parameter: 'after', first: 0 }];
  const schema = '{ data: users, next_cursor }';
  for (const given of [{ schema }, { headers: ['Link'] }])
    expect(rulesOf({ ...given, query: 'after' }).paging).toEqual(opaque);
});

it('reads headers that speak of the list', () => {
  const roles = {
    ...{ Link: 'links', 'X-Total-Count': 'total', 'X-Page': 'page' },
    'X-Pagination-Per-Page': 'size',
  };
  const others = ['X-RateLimit-Limit', 'X-Request-ID', 'Count'];
  expect(rulesOf({ headers: [...Object.keys(roles), ...others] }).headers).toEqual(
    Object.entries(roles).map(([name, role]) => ({ name, role })),
  );
});

it.each<[query: string, effect: string, condition?: string]>([
  ['status: "on" | "off"', 'filter'],
  ['limit: int', 'page size'],
  ['page: int', 'page'],
  ['sort', 'sort'],
  ['order: "asc" | "desc"', 'sort'],
  ['q', 'search'],
  ['tag', 'filter', 'tag: tagList equal'],
  ['team', 'filter', 'team: team.id | team.name equal'],
  ['team_id: int', 'filter', 'team_id: team.id equal'],
  ['isAdmin: bool', 'filter', 'isAdmin: is_admin equal'],
  ['filter[name]', 'filter', 'filter[name]: name equal'],
  ['name_contains', 'filter', 'name_contains: name contains'],
  ['age_gte: int', 'filter', 'age_gte: age atLeast'],
  ['minAge: int', 'filter', 'minAge: age atLeast'],
  ['created_after: date-time', 'filter', 'created_after: created_at greater'],
  ['created: { gte: int, other: int }', 'filter', 'created.gte: created_at atLeast'],
  ['since: date-time', 'filter', 'since: created_at atLeast'],
  ['starts_created_at: date', 'filter', 'starts_created_at: created_at atLeast'],
  ['created_at_ends: date', 'filter', 'created_at_ends: created_at atMost'],
  ['end_date: date', 'filter', 'end_date: created_at atMost'],
  ['filter: { minAge: int }', 'filter', 'filter.minAge: age atLeast'],
  ['ids: [text]', 'filter', 'ids: id equal'],
  ['verbose: bool', 'none'],
  ['api_key', 'none'],
  ['since', 'none'],
  ['fields', 'none'],
  ['include', 'none'],
  ['name', 'filter'],
  ['age: int', 'filter'],
])('knows what %s does: %s %s', (parameter, effect, condition) => {
  const [name = ''] = parameter.split(':');
  // An order belongs to a sort.
  const query = name === 'order' ? `sort, ${parameter}` : parameter;
  const { effects, conditions } = rulesOf({ query });
  expect(effects[name]).toBe(effect);
  const found = conditions.map(({ parameter: by, member, paths, comparison }) => {
    const places = paths.map((path) => path.join('.')).join(' | ');
    return `${by}${member === undefined ? '' : `.${member}`}: ${places} ${comparison}`;
  });
  expect(found).toEqual(condition === undefined ? [] : [condition]);
});

it.each([
  ['{ created_at: date-time, updated_at: date-time }', '', 'created_at'],
  ['{ created_at: date-time, updated_at: date-time }', 'Only those updated since then', undefined],
  ['{ created_at: date-time, due: date }', '', undefined],
  ['{ updated_at: date-time }', '', 'updated_at'],
  ['{ birthday: date }', '', undefined, 'date-time'],
  ['{ birthday: date, made: date-time }', '', 'made', 'date-time'],
  ['{ day: date }', '', 'day'],
])(
  'takes a bound without a name for that of the one time of %s: %s',
  (item, since, property, form = 'date') => {
    const given = { query: `since: ${form}`, descriptions: { since }, item: schemaOf(item) };
    expect(rulesOf(given).conditions.flatMap(({ paths }) => paths[0]?.[0])).toEqual(
      property === undefined ? [] : [property],
    );
  },
);

it('pages by what is described so, though items have a property of that name', () => {
  const withAfter = { ...user, properties: { ...user.properties, after: { type: 'string' } } };
  const schema = { type: 'object', properties: { data: { type: 'array', items: withAfter } } };
  const descriptions = { after: 'A cursor, as given in the Link header' };
  expect(rulesOf({ query: 'after', schema, descriptions }).effects).toEqual({ after: 'cursor' });
});

it('sorts by nothing where no value names a property', () => {
  const { effects } = rulesOf({ query: 'sort: "best" | "hot", order' });
  expect(effects).toEqual({ sort: 'none', order: 'none' });
});
