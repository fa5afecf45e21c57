import { expect, it } from 'vitest';
import { createSend, type TestAnswer } from '../../support/create-send.ts';
import { bearer, shareTwin } from '../../support/twin.ts';

const twin = await shareTwin();

const key = bearer('demo-enterprise');
const rateLimits = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];

type Pet = { id: number; name: string; categoryId: number; status?: string };

const send = createSend(twin.api, key);
const get = (path: string) => send('GET', path);
const create = (body: unknown) => send('POST', '/pets', body);

async function list(query = ''): Promise<Pet[]> {
  const { status, type, json } = await get(`/pets${query}`);
  expect([status, type]).toEqual([200, 'application/json']);
  return json;
}

/** Checks the Error object to the letter (§2) and gives its message. */
function expectError(
  { json, headers, ...answer }: TestAnswer,
  status: number,
  code: string,
): string {
  expect(json).toStrictEqual({ code, message: expect.stringMatching(/^\S[\s\S]*[.?]$/), status });
  expect([answer.status, answer.type]).toEqual([status, 'application/json']);
  for (const name of rateLimits) expect(headers.get(name), name).toMatch(/^\d+$/);
  return json.message;
}

it('lists the first 20 animals in order of creation', async () => {
  const pets = await list();
  expect(pets.map(({ id }) => id)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
});

it.each([1, 19, 21, 100])('lists as many animals as limit=%i allows', async (limit) => {
  expect(await list(`?limit=${limit}`)).toHaveLength(limit);
});

it('lists what there is when the limit is larger', async () => {
  const sold = await list('?status=sold&limit=100');
  expect(sold.length).toBeGreaterThan(10);
  expect(sold.length).toBeLessThan(100);
});

it.each(['available', 'pending', 'sold'])(
  'lists only %s animals, in order of creation',
  async (status) => {
    const all = (await list('?limit=100')).filter((pet) => pet.status === status);
    const found = await list(`?status=${status}&limit=100`);
    expect(new Set(found.map((pet) => pet.status))).toEqual(new Set([status]));
    expect(found.slice(0, all.length)).toEqual(all);
    const ids = found.map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted((left, right) => left - right));
  },
);

it('lists an animal without a status only when no status is asked for', async () => {
  const isNobody = ({ name }: Pet) => name === 'Nobody';
  expect((await list()).find(isNobody)).toStrictEqual({ id: 8, name: 'Nobody', categoryId: 3 });
  for (const status of ['available', 'pending', 'sold'])
    expect((await list(`?status=${status}&limit=100`)).some(isNobody)).toBe(false);
});

it('lists a new animal last', async () => {
  const pet = { name: 'Last', categoryId: 1, status: 'pending' };
  const { id } = (await create(pet)).json;
  expect((await list('?status=pending&limit=100')).at(-1)).toStrictEqual({ id, ...pet });
});

const range = 'Query parameter "limit" must be an integer from 1 to 100, but is ';

it.each<[line: string, status: number, code: string, message: string]>([
  ['GET /pets?limit=0', 400, 'invalid_parameter', range],
  ['GET /pets?limit=101', 400, 'invalid_parameter', range],
  ['GET /pets?status=sold&status=sold', 400, 'invalid_parameter', 'must be given once'],
  ['GET /pets?limit=1&%6Cimit=2', 400, 'invalid_parameter', 'must be given once'],
  ['GET /pets?status=gone', 400, 'invalid_parameter', 'one of available, pending, sold'],
  ['GET /pets?status=sold%20', 400, 'invalid_parameter', 'one of available, pending, sold'],
  ['POST /pets {}', 400, 'invalid_body', '"name" is required. "categoryId" is required.'],
  ['POST /pets null', 400, 'invalid_body', 'It must be an object'],
  ['POST /pets []', 400, 'invalid_body', 'It must be an object'],
  ['GET /pets/999999', 404, 'not_found', 'There is nothing at /v1/pets/999999.'],
  ['GET /pets/9007199254740993', 404, 'not_found', 'nothing at /v1/pets/9007199254740993.'],
  ['GET /pets/abc', 404, 'not_found', 'must be a 64-bit integer'],
  ['GET /pets/9223372036854775808', 404, 'not_found', 'must be a 64-bit integer'],
])('refuses %s: %i %s', async (line, status, code, message) => {
  const [method = '', path = '', body] = line.split(' ');
  const answer = await send(method, path, body);
  expect(answer.headers.get('WWW-Authenticate')).toBeNull();
  const sunset = status === 404 ? 'Thu, 05 Dec 2030 00:00:00 GMT' : null;
  expect(answer.headers.get('Sunset')).toBe(sunset);
  expect(expectError(answer, status, code)).toContain(message);
});

it.each([
  ...['GET /pets', 'GET /pets/1', 'GET /pets/x', 'GET /store/orders', 'GET /nowhere'],
  ...['GET /pets?limit=0', 'DELETE /pets', 'POST /pets'],
])('asks for a key: %s', async (line) => {
  const [method = '', path = ''] = line.split(' ');
  const answer = await createSend(twin.api)(method, path);
  expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer realm="petstore"');
  expectError(answer, 401, 'missing_api_key');
});

it.each(['?', '?page=2', '?limit[]=1', '?Limit=0', '?constructor=1&__proto__=2'])(
  'ignores what the query %s adds',
  async (query) => {
    expect(await list(query)).toHaveLength(20);
  },
);

it('creates an animal with the next id and reads it back', async () => {
  const pet = { name: 'Bello', categoryId: 7, status: 'pending' };
  const text = '{"id":121,"name":"Bello","categoryId":7,"status":"pending"}';
  const type = 'application/json';
  expect(await create(pet)).toMatchObject({ status: 201, type, text });
  expect((await get('/pets/121')).text).toBe(text);
  expect((await create(pet)).json.id).toBe(122);
});

it('creates an animal without a status and invents none', async () => {
  const { json } = await create({ name: 'Plain', categoryId: 1 });
  expect(json).toStrictEqual({ id: 121, name: 'Plain', categoryId: 1 });
});

const ends = ({ headers }: TestAnswer) =>
  ['Deprecation', 'Sunset', 'Link'].map((name) => headers.get(name));

it('reads one animal and says that the operation will go', async () => {
  const answer = await get('/pets/1');
  const text = '{"id":1,"name":"Rex","categoryId":1,"status":"available"}';
  expect(answer).toMatchObject({ status: 200, type: 'application/json', text });
  const link = '</v1/pets>; rel="successor-version"';
  expect(ends(answer)).toEqual(['@1733356800', 'Thu, 05 Dec 2030 00:00:00 GMT', link]);
});

it.each(['/pets', '/store/orders'])('does not call %s deprecated', async (path) => {
  expect(ends(await get(path))).toEqual([null, null, null]);
});

it('answers the store orders with what the description says of them', async () => {
  const empty = { status: 200, type: 'application/json', text: '[]' };
  expect(await get('/store/orders')).toMatchObject(empty);
  expect((await send('HEAD', '/store/orders')).status).toBe(200);
});

it.each([
  ['/pets', 'GET, HEAD, POST, OPTIONS', 'DELETE'],
  ['/pets', 'GET, HEAD, POST, OPTIONS', 'PUT'],
  ['/pets/1', 'GET, HEAD, OPTIONS', 'PATCH'],
  ['/pets/1', 'GET, HEAD, OPTIONS', 'POST'],
  ['/store/orders', 'GET, HEAD, OPTIONS', 'POST'],
])('at %s allows %s and refuses %s', async (path, allow, method) => {
  const refused = await send(method, path);
  expect(refused.headers.get('Allow')).toBe(allow);
  expect(expectError(refused, 405, 'method_not_allowed')).toContain(allow);
  const options = await createSend(twin.api)('OPTIONS', path);
  expect(options).toMatchObject({ status: 204, text: '' });
  expect(options.headers.get('Allow')).toBe(allow);
});

it.each(['/pets', '/pets/1', '/pets/999999', '/pets?limit=0', '/nowhere', '/store/orders'])(
  'answers HEAD %s as GET without content',
  async (path) => {
    twin.app.clock.freeze(Date.UTC(2026, 0, 1));
    const got = await get(path);
    const headed = await send('HEAD', path);
    const changing = /^(date|connection|keep-alive)$|remaining/;
    const fields = ({ headers }: TestAnswer) =>
      Object.fromEntries([...headers].filter(([name]) => !changing.test(name)));
    expect(headed).toMatchObject({ status: got.status, text: '' });
    expect(fields(headed)).toEqual(fields(got));
    expect(headed.headers.get('Content-Length')).toBe(String(Buffer.byteLength(got.text)));
  },
);

it.each(['Bearer nobody', 'Bearer DEMO-FREE', 'Basic ZGVtbzpmcmVl'])(
  'refuses the credentials %j',
  async (Authorization) => {
    const refused = await createSend(twin.api, { Authorization })('GET', '/pets');
    expect(refused.headers.get('WWW-Authenticate')).toMatch(
      /^Bearer realm="petstore", error="invalid_token", error_description="[^"]+"$/,
    );
    const message = expectError(refused, 401, 'invalid_api_key');
    expect(message).not.toMatch(/nobody|DEMO|xxx/);
  },
);

it.each(['/pets', '/pets/1', '/store/orders', '/nowhere'])(
  'counts the quota on every answer of %s',
  async (path) => {
    twin.app.clock.freeze(Date.UTC(2026, 0, 1, 12, 0, 30));
    const figures = ({ headers }: TestAnswer) =>
      rateLimits.map((name) => Number(headers.get(name)));
    const reset = Date.UTC(2026, 0, 1, 12, 1) / 1000;
    expect(figures(await get(path))).toEqual([10_000, 9_999, reset]);
    expect(figures(await send('DELETE', path))).toEqual([10_000, 9_998, reset]);
    expect(figures(await createSend(twin.api)('GET', path))).toEqual([60, 60, reset]);
  },
);
