import { expect, it } from 'vitest';
import { toItemId } from '../../../mock/items/stored-item.ts';
import type { Schema } from '../../../openapi/index.ts';
import { documentOf } from '../../support/document-of.ts';
import { jsonOf, serveDocument, serveEmpty } from '../../support/serve-document.ts';

const prices = documentOf(`
  GET /prices?region&amount:number -> [Price]
  GET /prices/{region:text}/{sku:text} -> Price, 404
  PUT /prices/{region:text}/{sku:text} Price -> 200 Price, 201 Price
  DELETE /prices/{region:text}/{sku:text} -> 204, 404
  Price: { region, sku, amount: number }
`);

it('keeps what is put at paths with the same last key apart, and lists all of it above', async () => {
  const { send } = await serveEmpty(prices);
  const [eu, us] = ['eu', 'us'].map((region) => ({ region, sku: 'k', amount: 1 }));
  for (const one of [eu, us])
    expect(await send('PUT', `/prices/${one?.region}/k`, one)).toEqual({ status: 201, json: one });
  expect((await send('GET', '/prices')).json).toEqual([eu, us]);
  const dear = { ...us, amount: 2.5 };
  expect(await send('PUT', '/prices/us/k', dear)).toEqual({ status: 200, json: dear });
  expect((await send('GET', '/prices/eu/k')).json).toEqual(eu);
  expect((await send('GET', '/prices?region=us')).json).toEqual([dear]);
  expect((await send('GET', '/prices?amount=2.50')).json).toEqual([dear]);
  expect((await send('DELETE', '/prices/eu/k')).status).toBe(204);
  expect((await send('GET', '/prices')).json).toEqual([dear]);
});

it('creates by a PUT without 404 where nothing else creates', async () => {
  const { send } = await serveEmpty(`
    GET /flags -> [Flag]
    GET /flags/{key:text} -> Flag, 404
    PUT /flags/{key:text} Flag -> Flag
    Flag: { key, on: bool }
  `);
  const flag = { key: 'a', on: true };
  expect(await send('PUT', '/flags/a', flag)).toEqual({ status: 200, json: flag });
  expect((await send('GET', '/flags')).json).toEqual([flag]);
});

it('creates nothing by a PUT whose id the path does not allow', async () => {
  const document = documentOf(`
    GET /labels -> [Label]
    GET /labels/{locale:text} -> Label, 404
    PUT /labels/{locale:text} { name } -> 201 Label
    Label: { locale!, name }
  `);
  const schema = { type: 'string', pattern: '^[a-z]{2}$' };
  Object.assign(document.paths['/labels/{locale}']?.parameters[0], { schema });
  const { send } = await serveEmpty(document);
  expect(await send('PUT', '/labels/de', { name: 'A' })).toMatchObject({ status: 201 });
  expect(await send('PUT', '/labels/DE', { name: 'A' })).toMatchObject({ status: 404 });
  expect((await send('GET', '/labels')).json).toEqual([{ locale: 'de', name: 'A' }]);
});

const text = { type: 'string' };
const forms: [name: string, schema: Schema][] = [
  ['integers', { type: 'integer' }],
  ['integers with a minimum', { type: 'integer', minimum: 100 }],
  ['texts', text],
  ['UUIDs', { type: 'string', format: 'uuid' }],
  ['texts of a pattern', { type: 'string', pattern: '^tag-[0-9]+$' }],
];

/** Notes below two parents, whose ids callers may give and change. */
function documentWith(id: object): object {
  const at = (path: string) => `
    GET ${path} -> [Note]
    POST ${path} { id: Id, title } -> 201 Note, 409 object
    GET ${path}/{id} -> Note
    PUT ${path}/{id} { id: Id, title } -> Note, 201 Note, 409 object
    PATCH ${path}/{id} { title, new_id: Id } -> Note
    DELETE ${path}/{id} -> 204`;
  const document = documentOf(at('/notes') + at('/books/{book:text}/notes'), {
    ...{ Id: id, Note: '{ id!: Id, title }' },
  });
  for (const { parameters } of Object.values(document.paths))
    for (const one of (parameters ?? []) as { name: string }[])
      if (one.name === 'id') Object.assign(one, { schema: id });
  return document;
}

it.each(forms)('counts past items that exist, of ids that are %s', async (_, schema) => {
  const { send, call, origin } = await serveDocument(documentWith(schema), { pets: 0 });
  const idOf = (n: number) => toItemId(n, schema);
  const title = 'kept';
  const expectNew = async (path: string) => {
    const before: { id: unknown }[] = (await send('GET', path)).json;
    const { status, json } = await send('POST', path, { title: 'new' });
    expect(status).toBe(201);
    expect((await send('GET', path)).json).toEqual([...before, json]);
    expect(before.map(({ id }) => id)).not.toContain(json.id);
  };
  for (const path of ['/notes', '/books/a/notes']) {
    await expectNew(path);
    await send('PATCH', `${path}/${idOf(1)}`, { new_id: idOf(2), title });
    await expectNew(path);
    await send('PUT', `${path}/${idOf(4)}`, { title });
    await expectNew(path);
    await send('POST', path, { id: idOf(6), title });
    await expectNew(path);
    await send('PUT', `/books/b/notes/${idOf(9)}`, { title });
    await send('DELETE', `/books/b/notes/${idOf(9)}`);
    await expectNew(path);
  }
  const put = { method: 'PUT', body: JSON.stringify({ title }) };
  const headers = { 'Content-Type': 'application/json' };
  for (const n of [12, 13])
    await fetch(`${origin}/__admin/data/notes/${idOf(n)}`, { ...put, headers });
  for (let times = 0; times < 8; times++) await expectNew('/notes');
  expect(
    (await call('/notes')).json.filter((one: { title: string }) => one.title === title),
  ).toHaveLength(5);
});

const Consent = {
  type: 'object',
  properties: Object.fromEntries(
    ['bank', 'until', 'state'].map((name) => [name, { type: 'string' }]),
  ),
  required: ['bank', 'host'],
};
const document = documentOf(
  `
  GET /consents -> [{ bank }]
  POST /consents { bank, until } -> 201 { consentId!, state! }
  GET /consents/{consentId:text} -> Consent
  DELETE /consents/{consentId:text} -> 204
  GET /consents/{consentId:text}/status -> { state }, 404
  `,
  { Consent },
);

it('reads, lists and deletes what is created, though only the create shows its id', async () => {
  const { call } = await serveDocument(document);
  const headers = { 'Content-Type': 'application/json' };
  const sent = { method: 'POST', headers, body: '{"bank":"Ours","until":"May"}' };
  const { status, json } = await call('/consents', sent);
  expect([status, json]).toEqual([201, expect.objectContaining({ state: expect.any(String) })]);
  const path = `/consents/${json.consentId}`;
  const read = { bank: 'Ours', until: 'May', state: json.state, host: expect.anything() };
  expect((await call(path)).json).toMatchObject(read);
  expect((await call('/consents')).json).toContainEqual(expect.objectContaining(read));
  expect((await call(`${path}/status`)).status).toBe(200);
  expect((await call(path, { method: 'DELETE' })).status).toBe(204);
  expect((await call(path)).status).toBe(404);
  expect((await call(`${path}/status`)).status).toBe(404);
});

const book = { $ref: '#/components/schemas/Book' };
const knownItems = documentOf(
  `
  GET /books -> [Book]
  GET /books/{id:text} -> Book
  GET /shops -> [Book]
  POST /shops Book -> 201 Book
  GET /shops/{shop:text} -> Book
  POST /shops/{shop:text} -> { sum: int }, 404
  GET /shops/{shop:text}/sales -> [Book]
  GET /shops/{shop:text}/sales/{id:text} -> Book
  POST /shops/{shop:text}/sales/{id:text} -> { sum: int }, 410
  GET /notes -> [Book]
  GET /notes/{id:text} -> Book
  POST /notes/{id:text} -> { sum: int }
  `,
  { Book: '{ id!: int, title }' },
  { openapi: '3.2.0' },
);
Object.assign(knownItems.paths['/books/{id}'] ?? {}, {
  additionalOperations: { COPY: { responses: { 201: jsonOf(book) } } },
});

it('refuses what is about an item that does not exist, though nothing is known of what it does', async () => {
  const { call } = await serveDocument(knownItems);
  const statusOf = async (method: string, path: string) => (await call(path, { method })).status;
  expect(await statusOf('COPY', '/books/1')).toBe(201);
  expect(await statusOf('COPY', '/books/99')).toBe(404);
  expect(await statusOf('POST', '/shops/1')).toBe(200);
  expect(await statusOf('POST', '/shops/99')).toBe(404);
  expect(await statusOf('POST', '/shops/1/sales/1')).toBe(200);
  expect(await statusOf('POST', '/shops/2/sales/1')).toBe(410);
  expect(await statusOf('POST', '/shops/99/sales/1')).toBe(410);
  // Nothing says that this one is about an item.
  expect(await statusOf('POST', '/notes/99')).toBe(200);
});

it('repeats no query of a request, which may hold a key', async () => {
  const { call } = await serveDocument(knownItems, { onDeleteParent: 'refuse' });
  for (const path of ['/books/99', '/shops/99/sales', '/shops/1/sales/99']) {
    const { status, json } = await call(`${path}?api_key=secret`);
    expect([status, json.message]).toEqual([404, expect.stringContaining(`at ${path}`)]);
    expect(json.message).not.toContain('secret');
  }
  const headers = { Prefer: 'code=404' };
  const forced = await call('/shops/1?api_key=secret', { method: 'POST', headers });
  expect(forced.json.message).toBe('There is nothing at /shops/1.');
});
