import { expect, it } from 'vitest';
import { documentOf } from '../../support/document-of.ts';
import { serveDocument } from '../../support/serve-document.ts';

it('makes an item by a POST below the collection that is called create', async () => {
  const { send } = await serveDocument(`
    GET /volumes -> { Volumes!: [{ Name!, Driver! }] }
    POST /volumes/create { Name, Driver } -> 201 { Name!, Driver! }
    GET /volumes/{name:text} -> { Name!, Driver! }
    DELETE /volumes/{name:text} -> 204
  `);
  const one = { Name: 'data', Driver: 'local' };
  expect(await send('POST', '/volumes/create', one)).toEqual({ status: 201, json: one });
  expect((await send('GET', '/volumes/data')).json).toEqual(one);
  expect((await send('GET', '/volumes')).json.Volumes).toContainEqual(one);
  expect((await send('DELETE', '/volumes/data')).status).toBe(204);
  expect((await send('GET', '/volumes/data')).status).toBe(404);
});

it.each([
  ['/volumes/create', '/volumes', '/volumes/{id}'],
  ['/volumes.json', '/volumes.json', '/volumes/{id}.json'],
])('answers %s with the new item in the property of that name', async (create, list, read) => {
  const { send } = await serveDocument(`
    GET ${list} -> { volumes!: [{ id!: int, name! }], hosts: [{ id!: int, ip! }] }
    POST ${create} { volume: { name } } -> 201 { volume!: { id!: int, name! } }
    GET ${read} -> { volume!: { id!: int, name! } }
  `);
  const { json } = await send('POST', create, { volume: { name: 'data' } });
  expect(json).toEqual({ volume: { id: 3, name: 'data' } });
  expect((await send('GET', read.replace('{id}', '3'))).json).toEqual(json);
  expect((await send('GET', list)).json.volumes).toContainEqual(json.volume);
});

it('makes an item by a PUT that is called a create, and describes no 201', async () => {
  const { send } = await serveDocument(`
    GET /collections -> [{ name!, size!: int }]
    GET /collections/{name:text} -> { name!, size!: int }
    create_collection: PUT /collections/{name:text} { size!: int } -> { name!, size!: int }
  `);
  const made = { name: 'new', size: 4 };
  expect(await send('PUT', '/collections/new', { size: 4 })).toEqual({ status: 200, json: made });
  expect((await send('GET', '/collections/new')).json).toEqual(made);
  expect((await send('GET', '/collections')).json).toContainEqual(made);
});

it.each([
  ['Keys_CreateOrUpdate', ''],
  ['upsertKey', ''],
  ['putKey', 'Creates a new key, or replaces the existing one.'],
  ['putKey', 'Update a key. If the key does not exist, it is created.'],
  ['putKey', 'Sets a key, and creates it if it does not exist yet.'],
])('makes an item by the PUT %s, as its words say: %s', async (id, description) => {
  const { send } = await serveDocument(
    documentOf(
      `
      GET /keys -> [{ name!, size!: int }]
      POST /keys { name!, size!: int } -> 201 { name!, size!: int }
      ${id}: PUT /keys/{name:text} { size!: int } -> { name!, size!: int }, 404
      `,
      {},
      { operations: { 'PUT /keys/{name}': { description } } },
    ),
  );
  const made = { name: 'new', size: 4 };
  expect(await send('PUT', '/keys/new', { size: 4 })).toEqual({ status: 200, json: made });
  expect((await send('GET', '/keys')).json).toContainEqual(made);
});

it.each([
  'Updates the name or address of a cart.',
  'Requires the role of an editor or creator.',
  'Updates a cart. Its hook is called whenever a cart is created or updated.',
])('makes no item by a PUT whose words say something else: %s', async (description) => {
  const operations = { 'PUT /carts/{id}': { description } };
  const { send } = await serveDocument(
    documentOf(
      `
      GET /carts -> [{ id!: int, note! }]
      POST /carts { note! } -> 201 { id!: int, note! }
      PUT /carts/{id} { note! } -> { id!: int, note! }, 404
      `,
      {},
      { operations },
    ),
  );
  expect((await send('PUT', '/carts/77', { note: 'x' })).status).toBe(404);
});

it('makes no item by a PUT that documents 404 and no 201, whatever it is called', async () => {
  const { send } = await serveDocument(`
    GET /carts -> [{ id!: int, note! }]
    addItemToCart: PUT /carts/{id} { note! } -> { id!: int, note! }, 404
  `);
  expect((await send('PUT', '/carts/77', { note: 'x' })).status).toBe(404);
  expect((await send('PUT', '/carts/1', { note: 'x' })).status).toBe(200);
});

it('makes several items by a verb of the collection', async () => {
  const { send } = await serveDocument(`
    GET /pets -> [{ id!: int, name! }]
    GET /pets/{id} -> { id!: int, name! }
    POST /pets:batchCreate [{ name! }] -> [{ id!: int, name! }]
  `);
  const { json } = await send('POST', '/pets:batchCreate', [{ name: 'Ada' }, { name: 'Rex' }]);
  expect(json).toMatchObject([{ name: 'Ada' }, { name: 'Rex' }]);
  expect((await send('GET', '/pets')).json).toEqual(expect.arrayContaining(json));
});

it.each([
  ['/tickets.json', '/tickets/{id}', '/tickets/1'],
  ['/Products()', '/Products({id})', '/Products(1)'],
  ['/pets', '/pets;id={id}', '/pets;id=1'],
])('keeps the items of %s at %s', async (list, item, path) => {
  const { send } = await serveDocument(`
    GET ${list} -> [{ id!: int, name! }]
    GET ${item} -> { id!: int, name! }
    DELETE ${item} -> 204
  `);
  expect(await send('GET', path)).toMatchObject({ status: 200, json: { id: 1 } });
  expect(await send('DELETE', path)).toMatchObject({ status: 204 });
  expect(await send('GET', path)).toMatchObject({ status: 404 });
});

it('filters by no flag what its values tell to be a text', async () => {
  const { call } = await serveDocument(
    documentOf('GET /pets?kind:Flag -> [{ id!: int, kind!: "a" | "b" }]', {
      Flag: { type: 'boolean', default: true },
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
  const { origin } = await serveDocument(documentOf('GET /a -> 1', {}, { servers }));
  for (const path of ['/v1/a', '/v2/a', '/beta/a'])
    expect((await fetch(origin + path)).status).toBe(200);
  expect((await fetch(`${origin}/v3/a`)).status).toBe(404);
});

it('serves servers whose URL ends in a slash, with and without a second one', async () => {
  const servers = [{ url: 'https://y.example/files/' }];
  const operations = { 'GET /g': { servers } };
  const document = documentOf('GET /f -> 1\nGET /g -> 1\nGET /a -> 1', {}, { operations });
  Object.assign(document.paths['/f'] ?? {}, { servers });
  const { origin } = await serveDocument({
    ...document,
    servers: [{ url: 'https://x.example/v1/' }],
  });
  for (const path of ['/files/f', '/files//f', '/files//g', '/v1/f', '/v1/a', '/v1//a'])
    expect([path, (await fetch(origin + path)).status]).toEqual([path, 200]);
  for (const path of ['/files///f', '/files/a', '/files//a'])
    expect([path, (await fetch(origin + path)).status]).toEqual([path, 404]);
});

it.each([
  ['document', '/tenants/{t}'],
  ['item', '/tenants/{t}/'],
  ['operation', 'https://{host}:{port}/tenants/{t}?a=1'],
])('serves any value of a variable of a server of the %s that lists none', async (at, url) => {
  const variables = {
    t: { default: 'acme' },
    ...(at === 'operation' && { host: { default: 'a.example' }, port: { default: '443' } }),
  };
  const document = documentOf('GET /r/{id} -> 1');
  const [item] = Object.values(document.paths);
  const described = { document, item, operation: item?.get }[at];
  Object.assign(described, { servers: [{ url, variables }] });
  const { origin } = await serveDocument(document);
  for (const path of ['/tenants/acme/r/1', '/tenants/other/r/1', '/tenants/a%20b/r/1'])
    expect([path, (await fetch(origin + path)).status]).toEqual([path, 200]);
  for (const path of ['/tenants//r/1', '/tenants/a/b/r/1', '/others/acme/r/1'])
    expect([path, (await fetch(origin + path)).status]).toEqual([path, 404]);
});
