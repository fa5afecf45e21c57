import { expect, it } from 'vitest';
import { adminOf } from '../../../support/admin-requests.ts';
import { documentOf, schemaOf } from '../../../support/document-of.ts';
import { expectAnswer, expectError } from '../../../support/expect-answer.ts';
import { serveDocument } from '../../../support/serve-document.ts';

const document = documentOf(
  `
  GET /users?cursor&limit:int -> { data!: [User], next_cursor }
  POST /users { nick } -> 201 User
  GET /users/{id:text} -> User, 404
  PATCH /users/{id:text} { nick } -> User, 404
  DELETE /users/{id:text} -> 204, 404
  POST /users/{id:text}/ban -> User, 404
  GET /users/{id:text}/posts -> [Post]
  POST /users/{id:text}/posts { title } -> 201 Post
  GET /users/{id:text}/posts/{post} -> Post, 404
  `,
  {
    User: '{ readonly id!: text, nick!, banned: bool }',
    Post: '{ readonly id!: int, user_id, title! }',
  },
  { servers: [{ url: '/v1' }], security: [{ key: [] }] },
);
const securitySchemes = { key: { type: 'apiKey', in: 'header', name: 'X-Key' } };
Object.assign(document, { components: { ...document.components, securitySchemes } });

const anyone = { auth: 'any' } as const;
const examples = { ...anyone, unknownIds: 'example' } as const;

it('admits every caller with auth any, and counts only keys that are known', async () => {
  const { call } = await serveDocument(document, anyone);
  for (const headers of [{}, { 'X-Key': 'whatever' }, { 'X-Key': 'demo-free' }])
    expect((await call('/users', { headers })).status).toBe(200);
  expect((await call('/users', { method: 'PUT' })).status).toBe(405);
  const strict = await serveDocument(document);
  expect((await strict.call('/users')).status).toBe(401);
});

it.each([
  ['optional', 200],
  ['required', 404],
] as const)('serves paths without that of the server where it is %s', async (basePath, status) => {
  const { call, origin } = await serveDocument(document, { ...anyone, basePath });
  expect((await fetch(`${origin}/users`)).status).toBe(status);
  expect((await call('/users')).status).toBe(200);
});

it('answers unknown ids with examples of them, and keeps the state of what is known', async () => {
  const { send } = await serveDocument(document, examples);
  const { json } = await send('GET', '/users/zzz');
  expect(json).toMatchObject({ id: 'zzz', nick: expect.any(String) });
  expect((await send('GET', '/users/zzz')).json).toEqual(json);
  expect((await send('PATCH', '/users/zzz', { nick: 'x' })).json).toEqual({ ...json, nick: 'x' });
  expect((await send('POST', '/users/zzz/ban')).json).toMatchObject({ id: 'zzz', banned: true });
  expect((await send('DELETE', '/users/zzz')).status).toBe(204);
  const post = await send('GET', '/users/zzz/posts/77');
  expect(post.json).toMatchObject({ id: 77, user_id: 'zzz' });
  const [one] = (await send('GET', '/users/zzz/posts')).json;
  expect(one).toMatchObject({ user_id: 'zzz', title: expect.any(String) });
  const added = await send('POST', '/users/zzz/posts', { title: 'Mine' });
  expect(added).toMatchObject({ status: 201, json: { title: 'Mine', user_id: 'zzz' } });
  const listed = (await send('GET', '/users')).json.data.map((one: { id: string }) => one.id);
  expect(listed).not.toContain('zzz');
});

it('answers an unknown cursor with the first page', async () => {
  const { send } = await serveDocument(document, examples);
  const first = await send('GET', '/users?limit=1');
  const { status, json } = await send('GET', '/users?limit=1&cursor=none');
  expect([status, json.data]).toEqual([200, first.json.data]);
});

it('makes no example of an id that is of another type', async () => {
  const { send } = await serveDocument(
    `
      GET /pets -> [{ id!: int }]
      GET /pets/{id:text} -> { id!: int }, 404
    `,
    examples,
  );
  expect((await send('GET', '/pets/77')).json).toEqual({ id: 77 });
  expect((await send('GET', '/pets/abc')).json).toEqual({ id: expect.any(Number) });
});

it('answers a path that names an item by another property from the document', async () => {
  const { send } = await serveDocument(
    `
      GET /repos -> [{ id!: int, owner!: { login! }, name! }]
      GET /repos/{owner:text}/{repo:text} -> { id!: int, owner!: { login! }, name! }, 404
    `,
    examples,
  );
  expectAnswer(await send('GET', '/repos/ada/none'), 200, { id: expect.any(Number) });
});

it('stores nothing of stateless calls, which see what they change themselves', async () => {
  const { send } = await serveDocument(document, { stateless: true });
  const added = await send('POST', '/users', { nick: 'New' });
  expect(added).toMatchObject({ status: 201, json: { nick: 'New' } });
  expect(await send('POST', '/users', { nick: 'New' })).toEqual(added);
  const { id } = added.json;
  expect((await send('GET', `/users/${id}`)).json).toMatchObject({ id });
  const before = await send('GET', '/users');
  await send('DELETE', '/users/1');
  expect(await send('GET', '/users')).toEqual(before);
});

it.each([
  ['auth=any', 404, 'not_found'],
  ['auth=any, unknown-ids=example', 200, undefined],
  ['stateless', 200, undefined],
  ['stateless, auth=check', 401, 'missing_api_key'],
  ['stateless=false', 401, 'missing_api_key'],
])('does the same for one request that prefers %s', async (prefer, status, code) => {
  const { call } = await serveDocument(document);
  const { json, headers, ...answer } = await call('/users/zzz', { headers: { prefer } });
  expect([answer.status, json.code]).toEqual([status, code]);
  expect(headers.get('X-Ignored-Preferences')).toBeNull();
  const applied = prefer.replace(/stateless(?!=)/, 'stateless=true');
  expect(headers.get('Preference-Applied')).toBe(status === 401 ? null : applied);
});

it.each(['auth=nope', 'unknown-ids=nope', 'stateless=maybe'])('refuses %s', async (prefer) => {
  const { send } = await serveDocument(document, anyone);
  const refused = await send('GET', '/users', undefined, { prefer });
  expectError(refused, 400, 'invalid_preference');
});

it('lets what is given beside stateless count', async () => {
  const settings = { stateless: true, auth: 'check', unknownIds: 'refuse' } as const;
  const { call } = await serveDocument(document, settings);
  expect((await call('/users/1')).status).toBe(401);
  const headers = { 'X-Key': 'demo-free' };
  expect((await call('/users/zzz', { headers })).status).toBe(404);
});

it('creates by a PUT at an unknown id where the document says that it does', async () => {
  const { send } = await serveDocument(
    `
      GET /books -> [{ id!: int, title! }]
      GET /books/{id} -> { id!: int, title! }
      PUT /books/{id} { title! } -> { id!: int, title! }, 201 { id!: int, title! }
    `,
    examples,
  );
  const made = { id: 55, title: 'Mine' };
  expect(await send('PUT', '/books/55', { title: 'Mine' })).toEqual({ status: 201, json: made });
  expect((await send('GET', '/books/55')).json).toEqual(made);
});

it('keeps no file of a stateless call, and says in the journal that it answered with an example', async () => {
  const picture = { 'image/png': { schema: { type: 'string', format: 'binary' } } };
  const withFile = documentOf(`
    GET /teams -> [{ id!: int }]
    GET /teams/{id} -> { id!: int }
    PUT /teams/{id}/logo -> 204
    GET /teams/{id}/logo -> 200
  `);
  const { put, get } = withFile.paths['/teams/{id}/logo'] ?? {};
  put.requestBody = { content: picture };
  get.responses[200].content = picture;
  const { call, send } = await serveDocument(withFile, { stateless: true });
  const before = await call('/teams/1/logo');
  const sent = { method: 'PUT', headers: { 'content-type': 'image/png' }, body: 'mine' };
  expect((await call('/teams/1/logo', sent)).status).toBe(204);
  expect((await call('/teams/1/logo')).text).toBe(before.text);
  await send('GET', '/teams/777');
  const journal = await send('GET', '/__admin/requests');
  expect(JSON.stringify(journal.json)).toContain('"kind":"example"');
});

it('neither remembers nor repeats a stateless call with an Idempotency-Key', async () => {
  const { send } = await serveDocument(document, anyone);
  const create = async (nick: string, prefer: string) =>
    (await send('POST', '/users', { nick }, { 'idempotency-key': 'k', prefer })).json;
  await create('first', 'stateless');
  const second = await create('second', '');
  expect(second.nick).toBe('second');
  expect((await send('GET', `/users/${second.id}`)).json.nick).toBe('second');
  expect((await create('third', 'stateless')).nick).toBe('third');
});

it('keeps paths below the base path, and pages, where the base path is optional', async () => {
  const lines = 'GET / -> { root!: bool }\nGET /{name:text} -> { one!: bool }';
  const below = documentOf(lines, {}, { servers: [{ url: '/v1' }] });
  const { origin } = await serveDocument(below, { basePath: 'optional' });
  const read = async (path: string) => (await fetch(origin + path, { redirect: 'manual' })).text();
  expect(await read('/v1')).toContain('root');
  expect(await read('/other')).toContain('one');
  expect(await read('/__docs')).not.toContain('one');
});

it('holds values to their types and members without state, and not to bounds', async () => {
  const Rollout = {
    ...schemaOf('{ id, code!: text(pattern="^[A-Z]+$"), size: Size, fast: any, slow: any }'),
    ...{ minProperties: 2, oneOf: [{ required: ['fast'] }, { required: ['slow'] }] },
  };
  const lines = 'POST /rollouts?size:Size Rollout -> 201 Rollout\nSize: int(maximum=3)';
  const loose = documentOf(lines, { Rollout });
  const { send } = await serveDocument(loose, { stateless: true });
  for (const body of [{ code: 'a' }, { code: 'A', size: 7, fast: 1, slow: 1 }])
    expect((await send('POST', '/rollouts?size=7', body)).status).toBe(201);
  for (const body of [{}, { code: 7 }, { code: 'A', size: 'big' }])
    expect((await send('POST', '/rollouts', body)).status).toBe(400);
  expect((await send('POST', '/rollouts?size=big', { code: 'a' })).status).toBe(400);
  const strict = await serveDocument(loose, { stateless: true, strictRequests: true });
  expect((await strict.send('POST', '/rollouts', { code: 'a' })).status).toBe(400);
});

it('answers without state as each operation describes it, and shows what was sent as far as that allows', async () => {
  const { send } = await serveDocument(
    `
    GET /products -> [Row]
    POST /products { name!, state } -> 201 Product
    GET /products/{id:text} -> Product, 404
    PATCH /products/{id:text} { name, state } -> Product, 404
    Row: { id!: text, name!, price!: int }
    Product: { id!, name!, state!: "live" | "gone", price!: { amount: int } }
  `,
    { stateless: true },
  );
  const shown = { name: 'Mine', state: expect.stringMatching(/^(live|gone)$/), price: {} };
  const sent = { name: 'Mine', state: 'state' };
  expect(await send('POST', '/products', sent)).toMatchObject({ status: 201, json: shown });
  const changed = await send('PATCH', '/products/zzz', sent);
  expect(changed).toMatchObject({ status: 200, json: { ...shown, id: 'zzz' } });
  const [row] = (await send('GET', '/products')).json;
  expect(row.price).toEqual(expect.any(Number));
});

it('names the option that prevents a refusal in the journal', async () => {
  const { send, origin } = await serveDocument(document);
  const key = { 'X-Key': 'demo-free' };
  await send('GET', '/users');
  await send('GET', '/users/zzz', undefined, key);
  await fetch(`${origin}/users`);
  await send('GET', '/users', undefined, key);
  const advised = (await adminOf({ origin }).list()).map(({ reason }) => reason.advice);
  const options = advised.map((one) => /--[a-z-]+ ?[a-z]*/.exec(one ?? '')?.[0]);
  const advice = ['--base-path optional', '--unknown-ids example', '--auth any'];
  expect(options).toEqual([undefined, ...advice]);
});

const keys = documentOf(`
  POST /keys/list?next_page { entity, next_page } -> { data!: [Key], next_page }
  POST /keys/add { key!, entity! } -> 200
  POST /keys/remove { key!, entity! } -> 200
  Key: { key!, entity! }
`);

it('refuses no cursor of an operation that is named as a list, and no taken key, without state', async () => {
  const { send } = await serveDocument(keys, { stateless: true });
  const listed = await send('POST', '/keys/list?next_page=nowhere', {});
  expect(listed.status).toBe(200);
  const asked = await send('POST', '/keys/list', { next_page: 'nowhere' });
  expect(asked.status).toBe(200);
  const [{ key }] = listed.json.data;
  for (let time = 0; time < 2; time += 1)
    expect((await send('POST', '/keys/add', { key, entity: 'a' })).status).toBe(200);
});
