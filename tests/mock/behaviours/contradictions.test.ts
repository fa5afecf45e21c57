import { expect, it } from 'vitest';
import { createToExampleCall } from '../../../mock/documented/example-calls.ts';
import { documentOf } from '../../support/document-of.ts';
import { jsonOf, pathParameter, serveDocument, toDocument } from '../../support/serve-document.ts';
import { withJson } from '../../support/with-json.ts';

const text = { type: 'string' };
const integer = { type: 'integer' };
const of = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });

it('takes a change by the schema of its body where answers describe a property otherwise', async () => {
  const shown = of({ id: integer, project: { type: 'boolean' }, name: text });
  const sent = of({ project: text, name: text });
  const change = { requestBody: jsonOf(sent), responses: { 200: jsonOf(shown) } };
  const { send } = await serveDocument(
    toDocument({
      '/org': { get: { responses: { 200: jsonOf(shown) } }, patch: change },
      '/things/{id}': {
        parameters: [pathParameter('id', integer)],
        get: { responses: { 200: jsonOf(shown) } },
        patch: change,
      },
    }),
  );
  for (const path of ['/org', '/things/1']) {
    const { status, json } = await send('PATCH', path, { project: 'other' });
    expect([path, status, json.project]).toEqual([path, 200, 'other']);
  }
});

it('takes parts of a change by the schema of its body, and adds the members that answers require', async () => {
  const line = (properties: object, required: string[]) =>
    of({
      lines: { type: 'array', items: of(properties, { required, additionalProperties: false }) },
    });
  const shown = line({ kind: { const: 'line' }, account: of({ id: text }) }, ['kind', 'account']);
  const sent = line({ accountId: text }, ['accountId']);
  const answer = { 200: jsonOf({ allOf: [of({ id: integer }), shown] }) };
  const { send } = await serveDocument(
    toDocument({
      '/checks/{id}': {
        parameters: [pathParameter('id', integer)],
        get: { responses: answer },
        post: { requestBody: jsonOf(sent), responses: answer },
      },
    }),
  );
  const { status, json } = await send('POST', '/checks/1', { lines: [{ accountId: 'a' }] });
  expect(status).toBe(200);
  expect(json.lines).toMatchObject([{ accountId: 'a', kind: 'line', account: {} }]);
  expect((await send('POST', '/checks/1', { lines: [{ account: {} }] })).status).toBe(400);
});

it('shows the one item beside which a list of related ones stands', async () => {
  const version = of({ id: text, type: { type: 'string', enum: ['versions'] } });
  const rating = of({ id: text, type: { type: 'string', enum: ['ratings'] }, stars: integer });
  const included = { type: 'array', items: rating };
  const answer = jsonOf(of({ data: version, included, links: of({ self: text }) }));
  const parameters = [pathParameter('id')];
  const { call, document } = await serveDocument(
    toDocument({
      '/versions': { post: { requestBody: answer, responses: { 201: answer } } },
      '/versions/{id}': { parameters, get: { responses: { 200: answer } } },
      '/builds/{id}/version': { parameters, get: { responses: { 200: answer } } },
    }),
  );
  expect(document.resources.map(({ name }) => name)).toEqual(['versions']);
  expect((await call('/versions/1')).json.data).toMatchObject({ id: '1', type: 'versions' });
});

it('begins with values of the properties by which other paths name items', async () => {
  const customer = of({ id: integer, email: { type: 'string', format: 'email' }, name: text });
  const components = { schemas: { Customer: customer } };
  const shown = jsonOf({ $ref: '#/components/schemas/Customer' });
  const { call } = await serveDocument(
    toDocument(
      {
        '/customers.json': {
          get: {
            responses: {
              200: jsonOf({ type: 'array', items: { $ref: '#/components/schemas/Customer' } }),
            },
          },
          post: { requestBody: shown, responses: { 201: shown } },
        },
        '/customers/{id}.json': {
          parameters: [pathParameter('id', integer)],
          get: { responses: { 200: shown } },
        },
        '/customers/email/{email}.json': {
          parameters: [pathParameter('email')],
          get: { responses: { 200: shown } },
        },
      },
      { components },
    ),
  );
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
      Any: '{ id: int, phone }',
      User: {
        oneOf: ['Any', 'Readable'].map((name) => ({ $ref: `#/components/schemas/${name}` })),
      },
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
        Content: {
          oneOf: ['Folder', 'File'].map((name) => ({ $ref: `#/components/schemas/${name}` })),
        },
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
