import { expect, it } from 'vitest';
import { createToExampleCall } from '../../../mock/documented/example-calls.ts';
import { documentOf, schemaOf } from '../../support/document-of.ts';
import { serveDocument } from '../../support/serve-document.ts';
import { withJson } from '../../support/with-json.ts';

it('takes a change by the schema of its body where answers describe a property otherwise', async () => {
  const { send } = await serveDocument(`
    GET /org -> Thing
    PATCH /org { project, name } -> Thing
    GET /things/{id} -> Thing
    PATCH /things/{id} { project, name } -> Thing
    Thing: { id: int, project: bool, name }
  `);
  for (const path of ['/org', '/things/1']) {
    const { status, json } = await send('PATCH', path, { project: 'other' });
    expect([path, status, json.project]).toEqual([path, 200, 'other']);
  }
});

it('takes parts of a change by the schema of its body, and adds the members that answers require', async () => {
  const lines = schemaOf('{ lines: [{| kind!: "line", account!: { id } |}] }');
  const { send } = await serveDocument(
    documentOf(
      `
      GET /checks/{id} -> Check
      POST /checks/{id} { lines: [{| accountId! |}] } -> Check
      `,
      { Check: { allOf: [schemaOf('{ id: int }'), lines] } },
    ),
  );
  const { status, json } = await send('POST', '/checks/1', { lines: [{ accountId: 'a' }] });
  expect(status).toBe(200);
  expect(json.lines).toMatchObject([{ accountId: 'a', kind: 'line', account: {} }]);
  expect((await send('POST', '/checks/1', { lines: [{ account: {} }] })).status).toBe(400);
});

it('shows the one item beside which a list of related ones stands', async () => {
  const { call, document } = await serveDocument(`
    POST /versions Shown -> 201 Shown
    GET /versions/{id} -> Shown
    GET /builds/{id}/version -> Shown
    Rating: { id, type: "ratings", stars: int }
    Shown: { data: { id, type: "versions" }, included: [Rating], links: { self } }
  `);
  expect(document.resources.map(({ name }) => name)).toEqual(['versions']);
  expect((await call('/versions/1')).json.data).toMatchObject({ id: '1', type: 'versions' });
});

it('begins with values of the properties by which other paths name items', async () => {
  const { call } = await serveDocument(`
    GET /customers.json -> [Customer]
    POST /customers.json Customer -> 201 Customer
    GET /customers/{id}.json -> Customer
    GET /customers/email/{email}.json -> Customer
    Customer: { id: int, email: email, name }
  `);
  const { json } = await call('/customers.json');
  for (const { id, email } of json)
    expect((await call(`/customers/email/${email}.json`)).json.id).toBe(id);
  const missing = await call('/customers/email/nobody@example.com.json');
  expect(missing.status).toBe(404);
  expect(missing.json.message).not.toContain('integer');
});

it('begins with items that fit exactly one of the alternatives that answers have', async () => {
  const { document, ...twin } = await serveDocument(
    documentOf('listUsers: GET /users -> [User]\nPOST /users User -> 201 User', {
      Readable: '{ id!: int, email! }',
      Any: {
        maxProperties: 5,
        properties: { id: { type: 'integer' }, phone: { type: 'string' } },
      },
      User: { oneOf: ['Any', 'Readable'].map(schemaOf) },
    }),
  );
  const { json } = await twin.call('/users');
  expect(json.length).toBeGreaterThan(0);
  for (const one of json) expect(one).not.toHaveProperty('email');
});

it('shows calls that delete another item than the other calls name', async () => {
  const { app, document } = await serveDocument(`
    GET /pets.json -> [Pet]
    GET /pets/{id}.json -> Pet
    DELETE /pets/{id}.json -> 204
    Pet: { id: int, name }
  `);
  const toExampleCall = createToExampleCall(document, { store: app.store });
  const calls = await Promise.all(document.operations.map(toExampleCall));
  expect(calls.map((call) => call?.target)).toEqual(['/pets.json', '/pets/1.json', '/pets/2.json']);
});

it('shows calls that create by a free id in the path, and delete several by ids that are there', async () => {
  const { app, document, call } = await serveDocument(`
    GET /pets -> [Pet]
    POST /pets/{name:text} { age: int } -> 201 Pet
    GET /pets/{name:text} -> Pet
    DELETE /pets?ids!:[text] -> 204
    Pet: { name, age: int }
  `);
  const toExampleCall = createToExampleCall(document, { store: app.store });
  const calls = await Promise.all(document.operations.map(toExampleCall));
  const [, remove, read, create] = calls.map((call) => call?.target ?? '');
  const { json } = await call('/pets');
  expect(remove).toBe(`/pets?ids=${encodeURIComponent(json[1].name)}`);
  expect(read).toBe(`/pets/${json[0].name}`);
  expect(json.map(({ name }: { name: string }) => `/pets/${name}`)).not.toContain(create);
});

it('shows by a change what is stored where only its type differs', async () => {
  const { send } = await serveDocument(`
    GET /pets -> [{ id!: int, name!, price: number }]
    POST /pets { name!, price: number } -> 201 { id!: int, name!, price!: text }
    GET /pets/{id} -> { id!: int, name!, price: number }
    PATCH /pets/{id} { name, price: number } -> { id!: int, name!, price!: text }
    DELETE /pets/{id} -> { id!: int, name!, price!: text }
  `);
  const sent = { name: 'Ada', price: 5.5 };
  const { json } = await send('POST', '/pets', sent);
  expect(json).toEqual({ id: json.id, name: 'Ada', price: '5.5' });
  expect((await send('PATCH', `/pets/${json.id}`, { name: 'Bo' })).json.price).toBe('5.5');
  const removed = await send('DELETE', `/pets/${json.id}`);
  expect(removed).toEqual({ status: 200, json: { ...json, name: 'Bo' } });
});

it('shows by a change no item that has a property of another type', async () => {
  const { call } = await serveDocument(`
    GET /pets -> [Pet]
    GET /pets/{id} -> 202 Pet
    DELETE /pets/{id} -> 202 Request
    Pet: { id: int, links!: { self } }
    Request: { id: int, links: [text], state! }
  `);
  expect((await call('/pets/1')).status).toBe(202);
  const { status, json } = await call('/pets/1', { method: 'DELETE' });
  expect([status, json.id]).toEqual([202, 1]);
  expect(json.links ?? []).toBeInstanceOf(Array);
  expect(json).toHaveProperty('state');
});

it('reads the item itself where an answer may be an array as well', async () => {
  const { call } = await serveDocument(
    documentOf(
      `
      GET /files/{path:text} -> Content
      PUT /files/{path:text} Sent -> 201 File
      DELETE /files/{path:text} -> 204
      `,
      {
        Sent: '{ content! }',
        File: '{ path!, content! }',
        Folder: '[File]',
        Content: { oneOf: ['Folder', 'File'].map(schemaOf) },
      },
    ),
  );
  await call('/files/a.md', withJson('PUT', { content: 'Hi' }));
  expect((await call('/files/a.md')).json).toEqual({ path: 'a.md', content: 'Hi' });
});

it('puts no name of a parent into a property of numbers', async () => {
  const { call } = await serveDocument(`
    GET /feeds -> [Feed]
    GET /feeds/{feed_key:text} -> Feed
    GET /feeds/{feed_key:text}/data -> [Datum]
    POST /feeds/{feed_key:text}/data Datum -> 201 Datum
    Feed: { key!, title }
    Datum: { id: int, feed_id!: number, value }
  `);
  const [{ key }] = (await call('/feeds')).json;
  const { json } = await call(`/feeds/${key}/data`);
  expect(json.length).toBeGreaterThan(0);
  for (const one of json) expect(one.feed_id).toEqual(expect.any(Number));
});

it('finds an item by its number and by its slug where the path takes both', async () => {
  const document = documentOf(`
    GET /teams -> [Team]
    GET /teams/{team_id_or_slug} -> Team
    Team: { id!: int, slug, name }
  `);
  const [parameter] = document.paths['/teams/{team_id_or_slug}']?.parameters ?? [];
  parameter.schema = { oneOf: [{ type: 'integer' }, { type: 'string' }] };
  const { call } = await serveDocument(document);
  const [team] = (await call('/teams')).json;
  for (const name of [team.id, team.slug])
    expect((await call(`/teams/${name}`)).json).toEqual(team);
  expect((await call('/teams/no-such-team')).status).toBe(404);
});

it.each(['POST', 'PUT', 'PATCH'])(
  'shows texts and numbers that %s takes as answers have them',
  async (method) => {
    const { send } = await serveDocument(`
      GET /pets -> [Pet]
      POST /pets NewPet -> 201 Pet
      GET /pets/{id} -> Pet
      PUT /pets/{id} NewPet -> Pet
      PATCH /pets/{id} NewPet -> Pet
      Pet: { readonly id: int, age: int, code }
      NewPet: { age: text, code: int }
    `);
    const { json } = await send(method, method === 'POST' ? '/pets' : '/pets/1', {
      age: '5',
      code: 7,
    });
    expect(json).toEqual({ id: json.id, age: 5, code: '7' });
    expect((await send('GET', `/pets/${json.id}`)).json).toEqual(json);
  },
);

it('begins with what of items fits, where answers contradict each other in some properties', async () => {
  const user = '{ first!: text, last!: text }';
  const { send } = await serveDocument(`
    GET /boards -> [{ id!: int, title, css, a: ${user}, b: ${user}, c: ${user} }]
    GET /boards/{id} -> { id!: int, title, css, a: [${user}], b: [${user}], c: [${user}] }
    PUT /boards/{id} { title, a: [int] } -> { id!: int, title, a: [int], b: [int] }
  `);
  const { json } = await send('GET', '/boards');
  const names = new Set(json.flatMap((one: object) => Object.keys(one)));
  expect([...names].toSorted()).toEqual(['css', 'id', 'title']);
});
