import { expect, it } from 'vitest';
import { createListBehaviour } from '../../../mock/behaviours/list.ts';
import { createClock } from '../../../mock/clock.ts';
import { toStoredItem } from '../../../mock/items/stored-item.ts';
import { addCounted } from '../../../mock/state/store.ts';
import { openMemoryStore } from '../../../mock/state/store-of-tables.ts';
import { compile } from '../../../openapi/index.ts';
import { documentOf } from '../../support/document-of.ts';
import { jsonOf, serveDocument, serveEmpty } from '../../support/serve-document.ts';

const schemas = { Animal: '{ readonly id!: int, name, age: int }' };

type Animals = { name: string }[];

it('pages, counts and searches in the scope of a nested list alone', async () => {
  const { send } = await serveDocument(
    documentOf(
      `
      GET /herds/{herd:text}/animals?cursor&limit:int&q -> Page
      POST /herds/{herd:text}/animals { name, age: int } -> 201 Animal
      GET /herds/{herd:text}/animals/{id} -> Animal
      `,
      { ...schemas, Page: '{ data: [Animal], total: int, next_cursor: text | null }' },
    ),
    { pets: 0 },
  );
  for (const [scope, name] of [
    ['a1', 'x'],
    ['b', 'y'],
    ['a1', 'z'],
    ['b', 'a1'],
  ])
    await send('POST', `/herds/${scope}/animals`, { name, age: 1 });
  const list = async (path: string) => (await send('GET', path)).json;
  const namesOf = ({ data }: { data: Animals }) => data.map(({ name }) => name);
  const first = await list('/herds/a1/animals?limit=1');
  expect([namesOf(first), first.total]).toEqual([['x'], 2]);
  const second = await list(`/herds/a1/animals?limit=1&cursor=${first.next_cursor}`);
  expect([namesOf(second), second.next_cursor]).toEqual([['z'], null]);
  // The name of the herd is no text of its items.
  for (const scope of ['a1', 'b'])
    expect((await list(`/herds/${scope}/animals?q=a1`)).total).toBe(scope === 'b' ? 1 : 0);
  expect(namesOf(await list('/herds/b/animals?q=a1&limit=1'))).toEqual(['a1']);
});

it('lists everything for a page size below 0, whether a filter is indexed or not', async () => {
  const document = compile(
    documentOf('GET /animals?limit:int&age:int -> [Animal]\nGET /animals/{id} -> Animal', schemas),
  );
  const [resource] = document.resources;
  const { list: operation } = resource?.operations ?? {};
  if (!resource || !operation) throw new Error('animals are no collection');
  const store = openMemoryStore({});
  await addCounted(store, 'animals', (n) => toStoredItem(resource, { age: 1 }, n));
  for (const indexed of [new Set<string>(), new Set(['age'])]) {
    const list = createListBehaviour({ document, resource, operation, indexed });
    const source = { protocol: 'http', headers: {} };
    const clock = createClock();
    const call = { store, clock, method: 'GET', url: '/', params: {}, source, body: undefined };
    expect(await list({ ...call, query: { age: '1', limit: '-1' } })).toMatchObject({
      json: '[{"id":1,"age":1}]',
    });
  }
});

it('shows none of the items that an example has by another name', async () => {
  const animals = { type: 'array', items: { $ref: '#/components/schemas/Animal' } };
  const schema = { properties: { result: animals, total: { type: 'integer' } } };
  const example = { results: [{ id: 70, name: 'Old' }], total: 9 };
  const operations = { 'GET /animals': { responses: { 200: jsonOf(schema, { example }) } } };
  const { call } = await serveDocument(
    documentOf('GET /animals -> 200\nGET /animals/{id} -> Animal', schemas, { operations }),
  );
  const { json } = await call('/animals');
  expect(Object.keys(json).toSorted()).toEqual(['result', 'total']);
  expect(json.total).toBe(json.result.length);
});

const document = documentOf('GET /pets?page:int&per_page:int -> [{ id: int, name }]');

it.each([
  ['?per_page=2', true],
  ['', false],
])(
  'counts the items of a bare array at %s, and links pages only where there are others',
  async (asked, links) => {
    const { call } = await serveDocument(document, { pets: 3 });
    const { headers } = await call(`/pets${asked}`);
    expect([headers.get('X-Total-Count'), headers.has('Link')]).toEqual(['3', links]);
  },
);

const schema = { type: 'object' };
const filter = { name: 'filter', in: 'query', content: { 'application/json': { schema } } };
const users = documentOf(
  `
  GET /users -> [User]
  POST /users User -> 201 User
  GET /users/{id:text} -> User
  `,
  { User: '{ id, name, age: int, team: object }' },
  { operations: { 'GET /users': { parameters: [filter] } } },
);

it('lists what an object of properties and comparisons asks for', async () => {
  const { send } = await serveDocument(users, { pets: 0 });
  const all = [
    { name: 'Ada', age: 36, team: { name: 'Web' } },
    { name: 'Bob', age: 20, team: { name: 'Web' } },
    { name: 'Cid', age: 50, team: { name: 'App' } },
  ];
  for (const one of all) await send('POST', '/users', one);
  const find = async (asked: object) => {
    const { json } = await send(
      'GET',
      `/users?filter=${encodeURIComponent(JSON.stringify(asked))}`,
    );
    return json.map(({ name }: { name: string }) => name).join();
  };
  expect(await find({ name: { _eq: 'Bob' } })).toBe('Bob');
  expect(await find({ name: 'Bob' })).toBe('Bob');
  expect(await find({ name: { _contains: 'd' }, age: { $gt: 40 } })).toBe('Cid');
  expect(await find({ _or: [{ age: { _lt: 30 } }, { name: { _in: ['Ada', 'Eva'] } }] })).toBe(
    'Ada,Bob',
  );
  expect(await find({ team: { name: { _neq: 'Web' } } })).toBe('Cid');
  expect(await find({ name: { _near: 'Bob' }, other: { _eq: 1 } })).toBe('Ada,Bob,Cid');
});

it('reads conditions as deep as they are in time', { timeout: 5000 }, async () => {
  const { send } = await serveDocument(users);
  const deep = (key: string) => Array.from({ length: 60 }).reduce((at) => ({ [key]: at }), 1);
  for (const asked of [{ team: deep('name') }, deep('team')]) {
    const text = encodeURIComponent(JSON.stringify(asked));
    expect(await send('GET', `/users?filter=${text}`)).toMatchObject({ status: 200 });
  }
});

const text = { type: 'string' };
const integer = { type: 'integer' };
const query = (name: string, schema: object = text, description = '') => ({
  ...{ name, in: 'query', schema, description },
});

/** Tickets whose list has parameters and a description. */
async function tickets(parameters: object[], description = '') {
  const document = documentOf(
    `
    GET /tickets -> [Ticket]
    POST /tickets Ticket -> 201 Ticket
    `,
    { Ticket: '{ readonly id!: int, title, state: "open" | "closed", areaOfTown }' },
    { operations: { 'GET /tickets': { description, parameters } } },
  );
  const { send } = await serveEmpty(document);
  return {
    make: (body: object) => send('POST', '/tickets', body),
    titles: async (search = '') =>
      (await send('GET', `/tickets${search}`)).json.map(({ title }: { title: string }) => title),
  };
}

it('asks what the default of a filter asks, and shows what has no value for it', async () => {
  const states = { ...text, enum: ['open', 'closed', 'all'], default: 'open' };
  const { make, titles } = await tickets([query('state', states)]);
  await make({ title: 'A', state: 'open' });
  await make({ title: 'B', state: 'closed' });
  await make({ title: 'C' });
  expect(await titles()).toEqual(['A', 'C']);
  expect(await titles('?state=closed')).toEqual(['B']);
  expect(await titles('?state=all')).toEqual(['A', 'B', 'C']);
});

it.each([
  ['Lists tickets, with the most recent tickets appearing first.', ['C', 'B', 'A']],
  ['Lists tickets, newest first.', ['C', 'B', 'A']],
  ['Lists tickets in descending order of creation.', ['C', 'B', 'A']],
  ['Lists tickets. The first page shows the most.', ['A', 'B', 'C']],
])('lists items in the order of its description: %s', async (description, order) => {
  const paging = [query('limit', integer), query('starting_after', integer)];
  const { make, titles } = await tickets(paging, description);
  for (const title of ['A', 'B', 'C']) await make({ title });
  expect(await titles()).toEqual(order);
  const [first] = order;
  const ids: Record<string, number> = { A: 1, B: 2, C: 3 };
  expect(await titles(`?starting_after=${ids[first ?? '']}`)).toEqual(order.slice(1));
});

it('finds what qualifiers ask for, where a search has them', async () => {
  const said = 'Words and qualifiers, such as `state:open`.';
  const { make, titles } = await tickets([query('q', text, said)]);
  await make({ title: 'It is broken', state: 'open', areaOfTown: 'Back end' });
  await make({ title: 'Nothing is broken', state: 'closed', areaOfTown: 'front' });
  const find = (q: string) => titles(`?q=${encodeURIComponent(q)}`);
  expect(await find('state:closed broken')).toEqual(['Nothing is broken']);
  expect(await find('broken is')).toHaveLength(2);
  expect(await find('areaOfTown eq "back end" and state eq "open"')).toEqual(['It is broken']);
  expect(await find("areaOfTown:'back end' AND repo:any/thing")).toEqual(['It is broken']);
  expect(await find('-state:closed')).toEqual(['It is broken']);
  expect(await find('areaOfTown~"fro" OR state:"open"')).toHaveLength(2);
  expect(await find('state:open nothing')).toEqual([]);
});

it('sorts by the one property that begins with a word, and shows all where the limit is below 0', async () => {
  const parameters = [query('sort'), query('limit', { ...integer, default: 2 })];
  const { make, titles } = await tickets(parameters);
  for (const [title, areaOfTown] of Object.entries({ A: 'c', B: 'a', C: 'b' }))
    await make({ title, areaOfTown });
  expect(await titles()).toEqual(['A', 'B']);
  expect(await titles('?limit=-1&sort=area')).toEqual(['B', 'C', 'A']);
});

it.each([
  ['/tickets?fields=title', [{ id: 1, title: 'A', at: expect.any(String) }]],
  [
    '/tickets?fields=title,notes.text,other',
    [{ id: 1, title: 'A', notes: { text: 'b' }, at: expect.any(String) }],
  ],
  ['/tickets?fields=*', [expect.objectContaining({ state: 'open', notes: { text: 'b' } })]],
  ['/tickets?fields=unknown', [expect.objectContaining({ state: 'open', notes: { text: 'b' } })]],
  ['/tickets/1?opt_fields=state', { data: { id: 1, state: 'open' } }],
])('shows of items what %s asks for, and what they must have', async (path, json) => {
  const document = documentOf(`
    GET /tickets?fields -> [Ticket]
    POST /tickets { title, state, notes: { text } } -> 201 Ticket
    GET /tickets/{id}?opt_fields -> { data!: Ticket }
    Ticket: { id!: int, title, state, notes: { text }, readonly at!: date-time }
  `);
  const [parameter] = document.paths['/tickets/{id}']?.get.parameters ?? [];
  parameter.description = 'Returns only these properties.';
  const { send } = await serveEmpty(document);
  await send('POST', '/tickets', { title: 'A', state: 'open', notes: { text: 'b' } });
  expect((await send('GET', path)).json).toEqual(json);
});
