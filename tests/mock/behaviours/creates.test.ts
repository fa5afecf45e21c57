import { expect, it } from 'vitest';
import { createToExampleCall } from '../../../mock/documented/example-calls.ts';
import { documentOf } from '../../support/document-of.ts';
import { jsonOf, serveDocument } from '../../support/serve-document.ts';

const schemas = { Animal: '{ readonly id!: int, name!, born: date }' };

it('creates several items below their parent, and answers with a wrapped list of them', async () => {
  const document = documentOf(
    `
    GET /herds/{herd:text}/animals -> [Animal]
    POST /herds/{herd:text}/animals [Animal] -> 201 { data!: [Animal], total!: int }
    GET /herds/{herd:text}/animals/{id} -> Animal
    `,
    schemas,
  );
  const { send } = await serveDocument(document, { pets: 0 });
  const animals = [{ name: 'Ada' }, { name: 'Bo', id: 9 }];
  const created = await send('POST', '/herds/north/animals', animals);
  const both = [
    { id: 1, name: 'Ada' },
    { id: 2, name: 'Bo' },
  ];
  expect([created.status, created.json]).toEqual([201, { data: both, total: 2 }]);
  expect((await send('GET', '/herds/north/animals')).json).toEqual(both);
  expect((await send('GET', '/herds/north/animals/2')).json).toEqual(both[1]);
  expect((await send('GET', '/herds/south/animals')).json).toEqual([]);
});

it('creates all items of a list in a body beside other members', async () => {
  const { send } = await serveDocument(
    `
    GET /rows -> { rows: [Row] }
    POST /rows { rows!: [{ fields!: object }], typecast: bool } -> { rows!: [Row] }
    GET /rows/{id:text} -> Row
    Row: { id!, fields!: object }`,
    { items: 0 },
  );
  const rows = [{ fields: { a: 1 } }, { fields: { a: 2 } }];
  const stored = rows.map((one, index) => ({ id: String(index + 1), ...one }));
  expect((await send('POST', '/rows', { rows, typecast: true })).json).toEqual({ rows: stored });
  expect((await send('GET', '/rows')).json).toEqual({ rows: stored });
  const [{ fields }, third] = [{ fields: {} }, { id: '3', fields: {} }];
  expect((await send('POST', '/rows', { rows: [{ fields }] })).json).toEqual({ rows: [third] });
});

it('creates what its 201 shows and a DELETE removes, whatever it takes', async () => {
  const { send } = await serveDocument(
    `
    GET /sessions -> { sessions!: [{ id!, current: bool }] }
    POST /sessions { email!, password! } -> 201 { id!, token! }, 401
    DELETE /sessions/{id:text} -> 204`,
    { items: 0 },
  );
  const { json } = await send('POST', '/sessions', { email: 'a@example.com', password: 'p' });
  expect(json).toEqual({ id: '1', token: expect.any(String) });
  expect((await send('GET', '/sessions')).json.sessions).toEqual([{ id: '1' }]);
  expect((await send('DELETE', '/sessions/1')).status).toBe(204);
  expect((await send('GET', '/sessions')).json.sessions).toEqual([]);
});

it('creates several items where the document says so, and answers as it describes', async () => {
  const document = documentOf(
    `
    GET /animals -> [Animal]
    POST /import [{ name }] -> 202
    `,
    schemas,
    {
      operations: {
        'POST /import': {
          'x-twin': { kind: 'createMany', collection: '/animals' },
          responses: { 202: jsonOf({ type: 'object' }, { example: { job: 7 } }) },
        },
      },
    },
  );
  const { send } = await serveDocument(document, { pets: 0 });
  const created = await send('POST', '/import', [{ name: 'Ada' }, { name: 'Bo' }]);
  expect(created).toEqual({ status: 202, json: { job: 7 } });
  expect((await send('GET', '/animals')).json).toMatchObject([{ name: 'Ada' }, { name: 'Bo' }]);
});

it('counts no items in the last one, which says when it was created', async () => {
  const { send } = await serveDocument(`
    GET /animals -> [Animal]
    POST /animals/bulk [{ name }] -> 201 Animal
    Animal: { readonly id!: int, name, readonly created!: int(example=1788000000) }
  `);
  const { json } = await send('POST', '/animals/bulk', [{ name: 'Bo' }, { name: 'Cy' }]);
  expect(json.created).toBeGreaterThan(2);
});

it('answers one item with an item and several with a list where either may be sent', async () => {
  const document = documentOf(
    `
    GET /animals -> [Animal]
    POST /animals Animal | [Animal] -> 201 Animal | [Animal]
    `,
    schemas,
  );
  const { send } = await serveDocument(document, { pets: 0 });
  const ada = { id: 1, name: 'Ada' };
  expect((await send('POST', '/animals', { name: 'Ada' })).json).toEqual(ada);
  const created = await send('POST', '/animals', [{ name: 'Bo' }, { name: 'Cy' }]);
  const both = [
    { id: 2, name: 'Bo' },
    { id: 3, name: 'Cy' },
  ];
  expect(created).toEqual({ status: 201, json: both });
  expect((await send('GET', '/animals')).json).toEqual([ada, ...both]);
});

/**
 * Describes values that are set by the query, by the service alone, by a list, and by actions that
 * show nothing.
 */
const sites = documentOf(`
  GET /hooks?site_id -> [Hook]
  POST /hooks?site_id { url } -> 201 Hook
  GET /hooks/{id:text} -> Hook
  DELETE /hooks/{id:text} -> { deleted_hook_id }
  GET /keys -> [Key]
  POST /keys -> 201 Key
  GET /keys/{id:text} -> Key
  GET /env -> [Variable]
  POST /env [Variable] -> 201 [Variable]
  GET /env/{key:text} -> Variable
  POST /pods Pod -> 201 Pod
  GET /pods/{id:text} -> Pod
  POST /pods/{id:text}/lifecycle/suspend -> 200
  PUT /pods/{id:text}/lock -> 204
  DELETE /pods/{id:text}/lock -> 204
  POST /pods/{id:text}/lifecycle/wake -> 200
  Hook: { id, site_id, url }
  Key: { id, public_key, note }
  Variable: { key, value }
  Pod: { id, status: "active" | "suspended", locked: bool }
`);

async function serve() {
  const { send, document } = await serveDocument(sites);
  const call = async (...sent: Parameters<typeof send>) => {
    const { status, json } = await send(...sent);
    return json ?? status;
  };
  return { call, document };
}

it('stores what the query of a create says of the item', async () => {
  const { call } = await serve();
  const made = await call('POST', '/hooks?site_id=s7', { url: 'https://example.com' });
  expect(made).toMatchObject({ site_id: 's7', url: 'https://example.com' });
  expect(await call('GET', '/hooks?site_id=s7')).toEqual([made]);
});

it('answers a delete with the id of what it deleted', async () => {
  const { call } = await serve();
  const { id } = await call('POST', '/hooks', { url: 'https://example.com' });
  expect(await call('DELETE', `/hooks/${id}`)).toEqual({ deleted_hook_id: id });
});

it('makes all of an item that is created without a body', async () => {
  const { call } = await serve();
  const made = await call('POST', '/keys');
  expect(made).toEqual({ id: '3', public_key: expect.any(String), note: expect.any(String) });
  expect(await call('GET', '/keys')).toContainEqual(made);
});

it('lets a list of new items choose their ids', async () => {
  const { call } = await serve();
  const token = { key: 'TOKEN', value: 'secret' };
  expect(await call('POST', '/env', [token])).toEqual([token]);
  expect(await call('GET', '/env/TOKEN')).toEqual(token);
});

it('sets what an action does that answers with nothing', async () => {
  const { call, document } = await serve();
  const { id } = await call('POST', '/pods', { status: 'active', locked: false });
  expect(await call('POST', `/pods/${id}/lifecycle/suspend`)).toBe(200);
  expect(await call('PUT', `/pods/${id}/lock`)).toBe(204);
  expect(await call('GET', `/pods/${id}`)).toMatchObject({ status: 'suspended', locked: true });
  expect(await call('DELETE', `/pods/${id}/lock`)).toBe(204);
  expect(await call('GET', `/pods/${id}`)).toMatchObject({ locked: false });
  expect(await call('POST', '/pods/99/lock')).toMatchObject({ status: 405 });
  const wake = document.operations.find(({ path }) => path.endsWith('/wake'));
  expect(wake?.actsOn).toBeUndefined();
});

/** Creates and replaces cups at the path of the collection, and describes no answers of it. */
const silent = documentOf(`
  addCup: POST /cup Cup -> 405
  putCup: PUT /cup Cup -> 404
  findCups: GET /cup/findByName?name -> [Cup]
  getCup: GET /cup/{cupId} -> Cup
  dropCup: DELETE /cup/{cupId} -> default
  searchCups: POST /cup/search Cup -> Cup
  Cup: { id!: int, name!, tags }
`);

async function serveSilent() {
  const { send: call, document, app } = await serveDocument(silent, { pets: 3 });
  return { call, document, app };
}

it('takes what an operation does from its body where its answers are not described', async () => {
  const { document } = await serveSilent();
  const kinds = Object.fromEntries(document.operations.map(({ id, kind }) => [id, kind]));
  expect(kinds).toEqual({
    addCup: 'create',
    putCup: 'replace',
    findCups: 'list',
    getCup: 'read',
    dropCup: 'delete',
    searchCups: undefined,
  });
});

it('creates the item under the id that its body has to have, and answers with it', async () => {
  const { call } = await serveSilent();
  expect(await call('POST', '/cup', { id: 99, name: 'Blue' })).toEqual({
    status: 201,
    json: { id: 99, name: 'Blue' },
  });
  expect(await call('GET', '/cup/99')).toEqual({ status: 200, json: { id: 99, name: 'Blue' } });
  expect((await call('GET', '/cup/findByName?name=Blue')).json).toEqual([{ id: 99, name: 'Blue' }]);
});

it('replaces the item that has the id in the body', async () => {
  const { call } = await serveSilent();
  expect(await call('PUT', '/cup', { id: 2, name: 'Red' })).toMatchObject({ status: 200 });
  expect(await call('GET', '/cup/2')).toEqual({ status: 200, json: { id: 2, name: 'Red' } });
  expect(await call('PUT', '/cup', { id: 77, name: 'Red' })).toMatchObject({ status: 404 });
});

it('shows a call that replaces an item that is there', async () => {
  const { document, app, call } = await serveSilent();
  const toExampleCall = createToExampleCall(document, { store: app.store });
  const [putCup] = document.operations.filter(({ id }) => id === 'putCup');
  const { body = '' } = (putCup && (await toExampleCall(putCup))) ?? {};
  expect(JSON.parse(body)).toMatchObject({ id: 1 });
  expect((await call('PUT', '/cup', JSON.parse(body))).status).toBe(200);
});

it('answers a HEAD like the read', async () => {
  const { call } = await serveSilent();
  expect(await call('HEAD', '/cup/2')).toEqual({ status: 200, json: undefined });
  expect((await call('HEAD', '/cup/77')).status).toBe(404);
});

it('deletes, and is done as the default answer says', async () => {
  const { call } = await serveSilent();
  expect((await call('DELETE', '/cup/2')).status).toBeLessThan(300);
  expect((await call('GET', '/cup/2')).status).toBe(404);
});
