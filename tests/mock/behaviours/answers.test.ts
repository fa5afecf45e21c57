import { expect, it } from 'vitest';
import { bearer, shareTwin } from '../../support/twin.ts';

const twin = await shareTwin();

const key = bearer('demo-enterprise');
const asJson = { ...key, 'Content-Type': 'application/json' };
const rateLimits = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];

type Pet = { id: number; name: string; categoryId: number; status?: string };

function get(path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(twin.api + path, { headers: key, ...init });
}

const create = (body: unknown) => get('/pets', sent(JSON.stringify(body)));

async function list(query = ''): Promise<Pet[]> {
  const response = await get(`/pets${query}`);
  expect(response.status).toBe(200);
  expect(response.headers.get('Content-Type')).toBe('application/json');
  return (await response.json()) as Pet[];
}

/** Checks the Error object to the letter (§2) and gives its message. */
async function expectError(response: Response, status: number, code: string): Promise<string> {
  const body = (await response.json()) as { message: string };
  expect(body).toStrictEqual({ code, message: expect.stringMatching(/^\S[\s\S]*[.?]$/), status });
  expect(response.status).toBe(status);
  expect(response.headers.get('Content-Type')).toBe('application/json');
  for (const name of rateLimits) expect(response.headers.get(name), name).toMatch(/^\d+$/);
  return body.message;
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
    expect(found.map(({ id }) => id)).toEqual(
      found.map(({ id }) => id).toSorted((left, right) => left - right),
    );
  },
);

it('lists an animal without a status only when no status is asked for', async () => {
  const isNobody = ({ name }: Pet) => name === 'Nobody';
  expect((await list()).find(isNobody)).toStrictEqual({ id: 8, name: 'Nobody', categoryId: 3 });
  for (const status of ['available', 'pending', 'sold'])
    expect((await list(`?status=${status}&limit=100`)).some(isNobody)).toBe(false);
});

it('lists a new animal last', async () => {
  const { id } = (await (
    await create({ name: 'Last', categoryId: 1, status: 'pending' })
  ).json()) as Pet;
  const found = await list('?status=pending&limit=100');
  expect(found.at(-1)).toStrictEqual({ id, name: 'Last', categoryId: 1, status: 'pending' });
});

const sent = (body: string): RequestInit => ({ method: 'POST', headers: asJson, body });
const without = (method = 'GET'): RequestInit => ({ method, headers: {} });
const range = 'Query parameter "limit" must be an integer from 1 to 100, but is ';

it.each<[path: string, init: RequestInit, status: number, code: string, message: string]>([
  ['/pets?limit=0', {}, 400, 'invalid_parameter', range],
  ['/pets?limit=101', {}, 400, 'invalid_parameter', range],
  ['/pets?status=sold&status=sold', {}, 400, 'invalid_parameter', 'must be given once'],
  ['/pets?limit=1&%6Cimit=2', {}, 400, 'invalid_parameter', 'must be given once'],
  ['/pets?status=gone', {}, 400, 'invalid_parameter', 'one of available, pending, sold'],
  ['/pets?status=sold%20', {}, 400, 'invalid_parameter', 'one of available, pending, sold'],
  ['/pets', sent('{}'), 400, 'invalid_body', '"name" is required. "categoryId" is required.'],
  ['/pets', sent('null'), 400, 'invalid_body', 'It must be an object'],
  ['/pets', sent('[]'), 400, 'invalid_body', 'It must be an object'],
  ['/pets/999999', {}, 404, 'not_found', 'There is nothing at /v1/pets/999999.'],
  ['/pets/9007199254740993', {}, 404, 'not_found', 'nothing at /v1/pets/9007199254740993.'],
  ['/pets/abc', {}, 404, 'not_found', 'must be a 64-bit integer'],
  ['/pets/9223372036854775808', {}, 404, 'not_found', 'must be a 64-bit integer'],
  ['/pets', without(), 401, 'missing_api_key', ''],
  ['/pets/1', without(), 401, 'missing_api_key', ''],
  ['/pets/x', without(), 401, 'missing_api_key', ''],
  ['/store/orders', without(), 401, 'missing_api_key', ''],
  ['/nowhere', without(), 401, 'missing_api_key', ''],
  ['/pets?limit=0', without(), 401, 'missing_api_key', ''],
  ['/pets', without('DELETE'), 401, 'missing_api_key', ''],
  ['/pets', without('POST'), 401, 'missing_api_key', ''],
])('refuses %s with %j: %i %s', async (path, init, status, code, message) => {
  const response = await get(path, init);
  const challenge = status === 401 ? 'Bearer realm="petstore"' : null;
  expect(response.headers.get('WWW-Authenticate')).toBe(challenge);
  const isOfGetPet = path.startsWith('/pets/') && status === 404;
  if (isOfGetPet) expect(response.headers.get('Sunset')).toBe('Thu, 05 Dec 2030 00:00:00 GMT');
  expect(await expectError(response, status, code)).toContain(message);
});

it.each(['?', '?page=2', '?limit[]=1', '?Limit=0', '?constructor=1&__proto__=2'])(
  'ignores what the query %s adds',
  async (query) => {
    expect(await list(query)).toHaveLength(20);
  },
);

it('creates an animal with the next id and reads it back', async () => {
  const response = await create({ name: 'Bello', categoryId: 7, status: 'pending' });
  expect(response.status).toBe(201);
  expect(response.headers.get('Content-Type')).toBe('application/json');
  const text = await response.text();
  expect(text).toBe('{"id":121,"name":"Bello","categoryId":7,"status":"pending"}');
  expect(await (await get('/pets/121')).text()).toBe(text);
  expect(
    await (await create({ name: 'Bello', categoryId: 7, status: 'pending' })).json(),
  ).toHaveProperty('id', 122);
});

it('creates an animal without a status and invents none', async () => {
  expect(await (await create({ name: 'Plain', categoryId: 1 })).json()).toStrictEqual({
    id: 121,
    name: 'Plain',
    categoryId: 1,
  });
});

it('reads one animal and says that the operation will go', async () => {
  const response = await get('/pets/1');
  expect(response.status).toBe(200);
  expect(response.headers.get('Content-Type')).toBe('application/json');
  expect(await response.text()).toBe('{"id":1,"name":"Rex","categoryId":1,"status":"available"}');
  expect(response.headers.get('Deprecation')).toBe('@1733356800');
  expect(response.headers.get('Sunset')).toBe('Thu, 05 Dec 2030 00:00:00 GMT');
  expect(response.headers.get('Link')).toBe('</v1/pets>; rel="successor-version"');
});

it.each(['/pets', '/store/orders'])('does not call %s deprecated', async (path) => {
  const { headers } = await get(path);
  expect([headers.get('Deprecation'), headers.get('Sunset'), headers.get('Link')]).toEqual([
    null,
    null,
    null,
  ]);
});

it('answers the store orders with what the description says of them', async () => {
  const response = await get('/store/orders');
  expect(response.status).toBe(200);
  expect(response.headers.get('Content-Type')).toBe('application/json');
  expect(await response.text()).toBe('[]');
  expect((await get('/store/orders', { method: 'HEAD' })).status).toBe(200);
});

const methods: [string, string, string][] = [
  ['/pets', 'GET, HEAD, POST, OPTIONS', 'DELETE'],
  ['/pets', 'GET, HEAD, POST, OPTIONS', 'PUT'],
  ['/pets/1', 'GET, HEAD, OPTIONS', 'PATCH'],
  ['/pets/1', 'GET, HEAD, OPTIONS', 'POST'],
  ['/store/orders', 'GET, HEAD, OPTIONS', 'POST'],
];

it.each(methods)('at %s allows %s and refuses %s', async (path, allow, method) => {
  const response = await get(path, { method });
  expect(response.headers.get('Allow')).toBe(allow);
  expect(await expectError(response, 405, 'method_not_allowed')).toContain(allow);
  const options = await fetch(twin.api + path, { method: 'OPTIONS' });
  expect([options.status, options.headers.get('Allow'), await options.text()]).toEqual([
    204,
    allow,
    '',
  ]);
});

it.each(['/pets', '/pets/1', '/pets/999999', '/pets?limit=0', '/nowhere', '/store/orders'])(
  'answers HEAD %s as GET without content',
  async (path) => {
    twin.app.clock.freeze(Date.UTC(2026, 0, 1));
    const got = await get(path);
    const headed = await get(path, { method: 'HEAD' });
    const fields = ({ headers }: Response) =>
      Object.fromEntries(
        [...headers].filter(([name]) => !/^(date|connection|keep-alive)$|remaining/.test(name)),
      );
    expect(headed.status).toBe(got.status);
    expect(fields(headed)).toEqual(fields(got));
    expect(headed.headers.get('Content-Length')).toBe(String((await got.arrayBuffer()).byteLength));
    expect(await headed.text()).toBe('');
  },
);

it.each(['Bearer nobody', 'Bearer DEMO-FREE', 'Basic ZGVtbzpmcmVl'])(
  'refuses the credentials %j',
  async (authorization) => {
    const response = await get('/pets', { headers: { Authorization: authorization } });
    expect(response.headers.get('WWW-Authenticate')).toMatch(
      /^Bearer realm="petstore", error="invalid_token", error_description="[^"]+"$/,
    );
    const message = await expectError(response, 401, 'invalid_api_key');
    expect(message).not.toMatch(/nobody|DEMO|xxx/);
  },
);

it.each(['/pets', '/pets/1', '/store/orders', '/nowhere'])(
  'counts the quota on every answer of %s',
  async (path) => {
    twin.app.clock.freeze(Date.UTC(2026, 0, 1, 12, 0, 30));
    const figures = ({ headers }: Response) => rateLimits.map((name) => Number(headers.get(name)));
    const reset = Date.UTC(2026, 0, 1, 12, 1) / 1000;
    expect(figures(await get(path))).toEqual([10_000, 9_999, reset]);
    expect(figures(await get(path, { method: 'DELETE' }))).toEqual([10_000, 9_998, reset]);
    expect(figures(await get(path, { headers: {} }))).toEqual([60, 60, reset]);
  },
);
