import { expect, it } from 'vitest';
import { jsonOf, pathParameter, serveDocument, toDocument } from '../../support/serve-document.ts';

const text = { type: 'string' };
const object = (properties: object, required = Object.keys(properties)) => ({
  type: 'object',
  required,
  properties,
});
const gone = { responses: { 204: { description: 'Gone.' } } };

it('makes an item by a POST below the collection that is called create', async () => {
  const volume = object({ Name: text, Driver: text });
  const { send } = await serveDocument(
    toDocument({
      '/volumes': {
        get: { responses: { 200: jsonOf(object({ Volumes: { type: 'array', items: volume } })) } },
      },
      '/volumes/create': {
        post: {
          requestBody: jsonOf({ ...volume, required: [] }),
          responses: { 201: jsonOf(volume) },
        },
      },
      '/volumes/{name}': {
        parameters: [pathParameter('name', text)],
        get: { responses: { 200: jsonOf(volume) } },
        delete: gone,
      },
    }),
  );
  const one = { Name: 'data', Driver: 'local' };
  expect(await send('POST', '/volumes/create', one)).toEqual({ status: 201, json: one });
  expect((await send('GET', '/volumes/data')).json).toEqual(one);
  expect((await send('GET', '/volumes')).json.Volumes).toContainEqual(one);
  expect((await send('DELETE', '/volumes/data')).status).toBe(204);
  expect((await send('GET', '/volumes/data')).status).toBe(404);
});

it('makes an item by a PUT that is called a create, and describes no 201', async () => {
  const collection = object({ name: text, size: { type: 'integer' } });
  const { send } = await serveDocument(
    toDocument({
      '/collections': { get: { responses: { 200: jsonOf({ type: 'array', items: collection }) } } },
      '/collections/{name}': {
        parameters: [pathParameter('name', text)],
        get: { responses: { 200: jsonOf(collection) } },
        put: {
          operationId: 'create_collection',
          requestBody: jsonOf(object({ size: { type: 'integer' } })),
          responses: { 200: jsonOf(collection) },
        },
      },
    }),
  );
  const made = { name: 'new', size: 4 };
  expect(await send('PUT', '/collections/new', { size: 4 })).toEqual({ status: 200, json: made });
  expect((await send('GET', '/collections/new')).json).toEqual(made);
  expect((await send('GET', '/collections')).json).toContainEqual(made);
});

it('makes no item by a PUT that documents 404 and no 201, whatever it is called', async () => {
  const cart = object({ id: { type: 'integer' }, note: text });
  const { send } = await serveDocument(
    toDocument({
      '/carts': { get: { responses: { 200: jsonOf({ type: 'array', items: cart }) } } },
      '/carts/{id}': {
        parameters: [pathParameter('id')],
        put: {
          operationId: 'addItemToCart',
          requestBody: jsonOf(object({ note: text })),
          responses: { 200: jsonOf(cart), 404: { description: 'No such cart.' } },
        },
      },
    }),
  );
  expect((await send('PUT', '/carts/77', { note: 'x' })).status).toBe(404);
  expect((await send('PUT', '/carts/1', { note: 'x' })).status).toBe(200);
});

it('makes several items by a verb of the collection', async () => {
  const pet = object({ id: { type: 'integer' }, name: text });
  const list = { type: 'array', items: pet };
  const { send } = await serveDocument(
    toDocument({
      '/pets': { get: { responses: { 200: jsonOf(list) } } },
      '/pets/{id}': { parameters: [pathParameter('id')], get: { responses: { 200: jsonOf(pet) } } },
      '/pets:batchCreate': {
        post: {
          requestBody: jsonOf({ type: 'array', items: object({ name: text }) }),
          responses: { 200: jsonOf(list) },
        },
      },
    }),
  );
  const { json } = await send('POST', '/pets:batchCreate', [{ name: 'Ada' }, { name: 'Rex' }]);
  expect(json).toMatchObject([{ name: 'Ada' }, { name: 'Rex' }]);
  expect((await send('GET', '/pets')).json).toEqual(expect.arrayContaining(json));
});

it.each([
  ['/tickets.json', '/tickets/{id}', '/tickets/1'],
  ['/Products()', '/Products({id})', '/Products(1)'],
  ['/pets', '/pets;id={id}', '/pets;id=1'],
])('keeps the items of %s at %s', async (list, item, path) => {
  const pet = object({ id: { type: 'integer' }, name: text });
  const { send } = await serveDocument(
    toDocument({
      [list]: { get: { responses: { 200: jsonOf({ type: 'array', items: pet }) } } },
      [item]: {
        parameters: [pathParameter('id')],
        get: { responses: { 200: jsonOf(pet) } },
        delete: gone,
      },
    }),
  );
  expect(await send('GET', path)).toMatchObject({ status: 200, json: { id: 1 } });
  expect(await send('DELETE', path)).toMatchObject({ status: 204 });
  expect(await send('GET', path)).toMatchObject({ status: 404 });
});

it('filters by no flag what its values tell to be a text', async () => {
  const pet = object({ id: { type: 'integer' }, kind: { enum: ['a', 'b'] } });
  const flag = { name: 'kind', in: 'query', schema: { type: 'boolean', default: true } };
  const { call } = await serveDocument(
    toDocument({
      '/pets': {
        get: { parameters: [flag], responses: { 200: jsonOf({ type: 'array', items: pet }) } },
      },
    }),
  );
  for (const path of ['/pets', '/pets?kind=false']) expect((await call(path)).json).toHaveLength(2);
});

it('serves every server of a document, with each value of its variables', async () => {
  const version = { default: 'v1', enum: ['v1', 'v2'] };
  const servers = [
    { url: 'https://a.example/{version}', variables: { version } },
    { url: 'https://b.example/beta/' },
  ];
  const get = { responses: { 200: jsonOf({ const: 1 }) } };
  const { origin } = await serveDocument(toDocument({ '/a': { get } }, { servers }));
  for (const path of ['/v1/a', '/v2/a', '/beta/a'])
    expect((await fetch(origin + path)).status).toBe(200);
  expect((await fetch(`${origin}/v3/a`)).status).toBe(404);
});

it('serves servers whose URL ends in a slash, with and without a second one', async () => {
  const get = { responses: { 200: jsonOf({ const: 1 }) } };
  const servers = [{ url: 'https://y.example/files/' }];
  const { origin } = await serveDocument(
    toDocument(
      { '/f': { servers, get }, '/g': { get: { ...get, servers } }, '/a': { get } },
      { servers: [{ url: 'https://x.example/v1/' }] },
    ),
  );
  for (const path of ['/files/f', '/files//f', '/files//g', '/v1/f', '/v1/a', '/v1//a'])
    expect([path, (await fetch(origin + path)).status]).toEqual([path, 200]);
  for (const path of ['/files///f', '/files/a', '/files//a'])
    expect([path, (await fetch(origin + path)).status]).toEqual([path, 404]);
});

it.each([
  ['document', {}, [{ url: '/tenants/{t}', variables: { t: { default: 'acme' } } }]],
  ['item', { servers: [{ url: '/tenants/{t}/', variables: { t: { default: 'acme' } } }] }, []],
  [
    'operation',
    {
      servers: [
        {
          url: 'https://{host}:{port}/tenants/{t}?a=1',
          variables: {
            host: { default: 'a.example' },
            port: { default: '443' },
            t: { default: 'acme' },
          },
        },
      ],
    },
    [],
  ],
])('serves any value of a variable of a server of the %s that lists none', async (at, own, all) => {
  const get = { responses: { 200: jsonOf({ const: 1 }) } };
  const described = at === 'operation' ? { get: { ...get, ...own } } : { ...own, get };
  const { origin } = await serveDocument(
    toDocument(
      { '/r/{id}': { parameters: [pathParameter('id')], ...described } },
      { servers: all },
    ),
  );
  for (const path of ['/tenants/acme/r/1', '/tenants/other/r/1', '/tenants/a%20b/r/1'])
    expect([path, (await fetch(origin + path)).status]).toEqual([path, 200]);
  for (const path of ['/tenants//r/1', '/tenants/a/b/r/1', '/others/acme/r/1'])
    expect([path, (await fetch(origin + path)).status]).toEqual([path, 404]);
});
