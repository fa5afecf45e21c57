import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeEach, expect, it } from 'vitest';
import type { Operation } from '../../../../openapi/index.ts';
import { get } from '../../../support/bad-input.ts';
import { sendRaw } from '../../../support/raw-socket.ts';
import { standalone } from '../../../support/standalone.ts';
import { bearer, projectFile, shareTwin, startTwin } from '../../../support/twin.ts';
import { writeJson } from '../../../support/write-json.ts';

const noon = Date.UTC(2026, 0, 15, 12, 0, 20);
const twin = await shareTwin();
const { operations } = twin.document;
beforeEach(() => {
  twin.app.clock.freeze(noon);
});

type Call = {
  method?: string;
  prefer?: string | undefined;
  key?: string;
  body?: string;
  api?: string;
};

function call(
  path: string,
  { method = 'GET', prefer, key = 'demo-pro', body, api = twin.api }: Call = {},
): Promise<Response> {
  const headers = { ...bearer(key), ...(prefer !== undefined && { Prefer: prefer }) };
  return fetch(api + path, {
    method,
    headers,
    redirect: 'manual',
    ...(body !== undefined && { body }),
  });
}

function force({ method, path }: Operation, prefer: string): Promise<Response> {
  return call(path.replace(/\{[^{}]+\}/, '7'), { method, prefer });
}

async function problemOf(response: Response): Promise<string> {
  const { code, message } = (await response.json()) as { code: string; message: string };
  expect([response.status, code, response.headers.get('Preference-Applied')]).toEqual([
    400,
    'invalid_preference',
    null,
  ]);
  return message;
}

const documented = operations.flatMap((operation) =>
  operation.responses.map((response) => ({
    operation,
    response,
    title: `${operation.id} ${response.status}`,
  })),
);

it.each(documented)(
  'answers $title as the document describes it',
  async ({ operation, response: { status, headers, schema } }) => {
    const response = await force(operation, `code=${status}`);
    expect(response.status).toBe(Number(status));
    expect(response.headers.get('Preference-Applied')).toBe(`code=${status}`);
    expect(response.headers.has('X-Undocumented-Status')).toBe(false);
    for (const name of Object.keys(headers)) expect(response.headers.has(name), name).toBe(true);
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const validate = ajv.compile(standalone(twin.document, schema ?? {}));
    const body: unknown = await response.json();
    expect(validate(body), ajv.errorsText(validate.errors)).toBe(true);
    if (Number(status) >= 400) expect(body).toMatchObject({ status: Number(status) });
  },
);

it.each(
  documented.flatMap((one) =>
    Object.entries(one.response.examples).map(([name, value]) => ({ ...one, name, value })),
  ),
)(
  'answers $title with its example $name',
  async ({ operation, response: { status }, name, value }) => {
    const response = await force(operation, `code=${status}, example=${name}`);
    expect([response.status, response.headers.get('Preference-Applied')]).toEqual([
      Number(status),
      `code=${status}, example=${name}`,
    ]);
    if (status !== '429') return expect(await response.json()).toEqual(value);
    const { message, ...fields } = (await response.json()) as { message: string };
    expect(fields).toEqual({ code: (value as { code: string }).code, status: 429 });
    expect(message).toContain(`Retry in ${response.headers.get('Retry-After')} s.`);
    if (name === 'exceeded')
      expect(message).toBe('The pro plan allows 300 requests a minute. Retry in 40 s.');
  },
);

it('gives each error the words and headers that the twin gives it by itself', async () => {
  const seen = async (response: Response) => {
    const { headers } = response;
    const { message } = (await response.json()) as { message: string };
    return [
      response.status,
      message,
      ...['WWW-Authenticate', 'Sunset', 'Link'].map((name) => headers.get(name)),
    ];
  };
  const forcedGone = await seen(await call('/pets/7', { prefer: 'code=410' }));
  const forcedUnknown = await call('/pets/777', { prefer: 'code=404' });
  expect((await seen(forcedUnknown)).slice(0, 2)).toEqual(
    (await seen(await call('/pets/777'))).slice(0, 2),
  );
  expect(await seen(await call('/pets', { prefer: 'code=401' }))).toEqual(
    await seen(await fetch(`${twin.api}/pets`)),
  );
  twin.app.clock.freeze(Date.UTC(2030, 11, 5));
  expect(forcedGone).toEqual(await seen(await call('/pets/7')));
});

it('forces a 429 whose headers agree, and that refuses nothing afterwards', async () => {
  const { headers } = await call('/pets', { prefer: 'code=429' });
  expect(Object.fromEntries(headers)).toMatchObject({
    'retry-after': '40',
    'cache-control': 'no-store',
    'x-ratelimit-limit': '300',
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': String(noon / 1000 + 40),
  });
  const next = await call('/pets');
  expect([next.status, next.headers.get('X-RateLimit-Remaining')]).toEqual([200, '298']);
});

it('answers undocumented statuses, and says so', async () => {
  const spec = projectFile('tests/support/shelters.yaml');
  const { app, api } = await startTwin({ spec, rateLimits: 'observe' });
  app.clock.freeze(noon);
  const cases: [status: number, code: string, headers: object][] = [
    [405, 'method_not_allowed', { allow: 'GET, HEAD, POST, OPTIONS' }],
    [401, 'missing_api_key', { 'www-authenticate': 'Bearer realm="Shelters"' }],
    [418, 'i_m_a_teapot', {}],
    [429, 'rate_limit_exceeded', { 'retry-after': '40', 'x-ratelimit-remaining': '0' }],
    [503, 'service_unavailable', { 'retry-after': '1' }],
    [599, 'status_599', {}],
  ];
  for (const [status, code, headers] of cases) {
    const response = await call('/shelters', { api, prefer: `code=${status}` });
    expect(Object.fromEntries(response.headers)).toMatchObject({
      ...headers,
      'x-undocumented-status': String(status),
    });
    const message = expect.stringMatching(
      new RegExp(`^This ${status} .*was requested\\. Documented for listShelters: 200\\.$`),
    );
    expect(await response.json()).toEqual({ code, message, status });
  }
});

it.each<[number, object]>([
  [206, { 'content-range': 'bytes 0-3/4', 'content-length': '4' }],
  [407, { 'proxy-authenticate': 'Basic realm="petstore"' }],
  [416, { 'content-range': 'bytes */0' }],
  [426, { upgrade: 'HTTP/3.0', connection: 'Upgrade, close' }],
])('sends the headers with %i that RFC 9110 wants', async (status, headers) => {
  const { answers } = await sendRaw(twin.origin, get('/v1/pets', { Prefer: `code=${status}` }));
  expect(answers).toMatchObject([{ status, headers }]);
});

it.each([202, 204, 205, 301, 304])('answers an undocumented %i without content', async (status) => {
  const response = await call('/pets', { prefer: `code=${status}` });
  expect([response.status, await response.text()]).toEqual([status, '']);
  expect(response.headers.get('X-Undocumented-Status')).toBe(String(status));
  expect((await call('/pets?limit=1')).status).toBe(200);
});

it('makes content from the schema, the same for the same seed and otherwise another each time', async () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const validate = ajv.compile(standalone(twin.document, { $ref: '#/components/schemas/Pets' }));
  const texts: string[] = [];
  for (const prefer of [
    'dynamic=true',
    'dynamic=true',
    'dynamic=true, seed=abc',
    'seed=abc',
    'seed=abd',
    'code=200, seed=abc',
  ]) {
    const response = await call('/pets', { prefer });
    expect([response.status, response.headers.get('Preference-Applied')]).toEqual([200, prefer]);
    const text = await response.text();
    const pets = JSON.parse(text) as { id: number; status?: string }[];
    expect(validate(pets), ajv.errorsText(validate.errors)).toBe(true);
    expect(pets.map(({ id }) => id)).toEqual([1, 2, 3]);
    expect(pets.every(({ status }) => status !== undefined)).toBe(true);
    texts.push(text);
  }
  const [one, other, abc, again, abd, withCode] = texts;
  expect(new Set([one, other, abc, abd]).size).toBe(4);
  expect([again, withCode]).toEqual([abc, abc]);

  await twin.app.reset();
  expect(await (await call('/pets', { prefer: 'dynamic=true' })).text()).toBe(one);
});

it('leaves the answer alone for a delay, for dynamic=false and for what it does not know', async () => {
  const listed = await (await call('/pets?limit=3')).text();
  for (const [prefer, applied] of [
    ['delay=1', 'delay=1'],
    ['dynamic=false', 'dynamic=false'],
    ['return=minimal, respond-async', null],
    ['', null],
  ] as const) {
    const response = await call('/pets?limit=3', { prefer });
    expect([await response.text(), response.headers.get('Preference-Applied')]).toEqual([
      listed,
      applied,
    ]);
  }
});

it('answers whatever the request holds, with a key and within its limits', async () => {
  const post = { method: 'POST', body: '{"nonsense"', prefer: 'code=201' };
  expect((await call('/pets', post)).status).toBe(201);
  expect(await twin.app.store.count('pets')).toBe(120);
  expect((await call('/pets?limit=0', { prefer: 'code=200' })).status).toBe(200);
  expect((await call('/pets', { ...post, key: 'nobody' })).status).toBe(401);
  for (let calls = 0; calls < 60; calls++)
    await call('/pets', { key: 'demo-free', prefer: 'code=500' });
  const refused = await call('/pets', { key: 'demo-free', prefer: 'code=500' });
  expect([refused.status, refused.headers.get('Preference-Applied')]).toEqual([429, null]);
});

it('forces operations alone', async () => {
  const prefer = 'code=503';
  const statuses = await Promise.all([
    call('/nowhere', { prefer }),
    call('/pets', { method: 'DELETE', prefer }),
    call('/pets', { method: 'OPTIONS', prefer }),
    fetch(`${twin.origin}/__admin/health`, { headers: { Prefer: prefer } }),
    fetch(`${twin.origin}/__admin/limits?__code=503`),
  ]);
  expect(statuses.map(({ status }) => status)).toEqual([404, 405, 204, 200, 400]);
});

it('reads the query where there is no Prefer header', async () => {
  expect((await call('/pets?__code=404')).headers.get('Preference-Applied')).toBe('code=404');
  expect(
    (await call('/pets?limit=1&__example=none&__delay=0')).headers.get('Preference-Applied'),
  ).toBe('example=none, delay=0');
  expect((await call('/pets?__dynamic=true&__seed=a%20b')).headers.get('Preference-Applied')).toBe(
    'dynamic=true, seed="a b"',
  );
  expect((await call('/pets?__code=404', { prefer: 'code=500' })).status).toBe(500);
  expect((await call('/pets?__code=404', { prefer: 'return=minimal' })).status).toBe(200);
  expect((await call('/pets?__CODE=404&__other=1&x=__code')).status).toBe(200);
  expect((await call('/pets/7?__code=404')).status).toBe(404);
});

it.each<[prefer: string, expected: string]>([
  [
    'code=4x4',
    'Preference "code" must be a status from 200 to 599, but is "4x4". Documented for listPets: 200, 400, 401, 429.',
  ],
  ['code=100', 'from 200 to 599'],
  ['example=', 'Preference "example" must be the name of an example, but has no value.'],
  [
    'example=nobody',
    'but listPets has animals (200), none (200), limit (400), missing (401), exceeded (429), banned (429).',
  ],
  ['example=__proto__', 'Preference "example" is "__proto__", but listPets has animals (200)'],
  [
    'code=400, example=none',
    'Preference "example" is "none", but listPets with 400 has limit (400).',
  ],
  [
    'code=418, example=none',
    'but listPets with 418 has no examples. Documented for listPets: 200, 400, 401, 429.',
  ],
  ['dynamic=yes', 'Preference "dynamic" must be true or false, but is "yes".'],
  [`seed=${'a'.repeat(101)}`, '1 to 100 visible ASCII characters'],
  [
    'delay=-1',
    'Preference "delay" must be a whole number of milliseconds from 0 to 60000, but is "-1".',
  ],
  ['delay=soon', 'but is "soon".'],
  ['code=404, delay=soon', 'but is "soon".'],
])('refuses %s', async (prefer, expected) => {
  expect(await problemOf(await call('/pets', { prefer }))).toContain(expected);
  const query = prefer
    .split(', ')
    .map((one) => `__${one.replace(/^(\w+)$/, '$1=')}`)
    .join('&');
  expect(await problemOf(await call(`/pets?${query}`))).toContain(expected);
});

it('refuses a query that repeats a preference, and leaves a malformed one to the query step', async () => {
  expect(await problemOf(await call('/pets?__code=404&__code=404'))).toBe(
    'Query parameter "__code" must be given once.',
  );
  expect(await (await call('/pets?__code=%zz')).json()).toMatchObject({
    code: 'malformed_request',
  });
});

it('takes examples from another document, and makes what has none', async () => {
  const { api, document } = await startTwin({ spec: projectFile('tests/support/shelters.yaml') });
  const ask = (path: string, prefer: string) => call(path, { api, prefer });
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const validate = ajv.compile(standalone(document, { $ref: '#/components/schemas/Shelter' }));
  // There is nothing but made content, so it is not claimed that it is not.
  expect(
    (await ask('/shelters/x', 'code=200, dynamic=false')).headers.get('Preference-Applied'),
  ).toBe('code=200');
  const one = (await (await ask('/shelters/x', 'code=200')).json()) as { email?: string };
  expect(validate(one), ajv.errorsText(validate.errors)).toBe(true);
  expect(await (await ask('/shelters/y', 'code=200')).json()).toEqual(one);
  expect(one).toHaveProperty('email');
  expect(await (await ask('/shelters/1/volunteers', 'example=two')).json()).toEqual([
    { name: 'Ada' },
    { name: 'Grace' },
  ]);
  expect(await problemOf(await ask('/shelters', 'example=x'))).toBe(
    'Preference "example" is "x", but listShelters has no examples. Documented for listShelters: 200.',
  );
});

it('knows responses by range and by default', async () => {
  const content = (value: unknown) => ({
    'application/json': { schema: {}, examples: { [`is ${value}`]: { value } } },
  });
  const ranges = {
    '2XX': { description: '', content: content('ok') },
    '4XX': { description: '', content: content('client') },
  };
  const only = { default: { description: '', content: content('any') } };
  const spec = await writeJson({
    openapi: '3.1.0',
    info: { title: 'Ranges', version: '1' },
    paths: {
      '/ranges': { get: { responses: ranges } },
      '/default': { get: { responses: { ...ranges, ...only } } },
      '/only': { get: { responses: only } },
    },
  });
  const { api } = await startTwin({ spec });
  const answer = async (path: string, prefer: string) => {
    const response = await fetch(api + path, { headers: { Prefer: prefer } });
    return [
      response.status,
      response.headers.get('X-Undocumented-Status'),
      await response.json().catch(() => ''),
    ];
  };
  expect(await answer('/ranges', 'code=206')).toEqual([206, null, 'ok']);
  expect(await answer('/ranges', 'example="is client"')).toEqual([400, null, 'client']);
  expect(await answer('/ranges', 'code=500')).toEqual([
    500,
    '500',
    expect.objectContaining({
      message: expect.stringMatching(/^This 500 Internal Server Error was requested\./),
    }),
  ]);
  expect(await answer('/default', 'example="is any"')).toEqual([500, null, 'any']);
  expect(await answer('/default', 'code=500')).toEqual([
    500,
    null,
    expect.objectContaining({ message: expect.stringMatching(/^The mock failed/) }),
  ]);
  expect(await answer('/only', 'example="is any"')).toEqual([200, null, 'any']);
});

it.each([
  ['status=500', null, 'status'],
  ['code=404, Status=500, wait=3', 'code=404', 'status, wait'],
  ['code=404', 'code=404', null],
])('names the preferences of %j that it does not know', async (prefer, applied, ignored) => {
  const { headers } = await call('/pets/7', { prefer });
  const shown = ['Preference-Applied', 'X-Ignored-Preferences'].map((name) => headers.get(name));
  expect(shown).toEqual([applied, ignored]);
});

it('gives responses that are asked for the headers that the document requires', async () => {
  const headers = {
    'X-Request-Id': { required: true, schema: { type: 'string' } },
    'X-Cost': { required: true, schema: { type: 'integer', example: 7 } },
    'X-May': { schema: { type: 'string' } },
  };
  const content = { 'application/json': { schema: { type: 'object' } } };
  const responses = { 201: { description: 'Made.', headers, content } };
  const paths = { '/jobs': { post: { operationId: 'addJob', responses } } };
  const info = { title: 'Jobs', version: '1' };
  const { api } = await startTwin({ spec: await writeJson({ openapi: '3.1.0', info, paths }) });
  for (const prefer of ['code=201', 'dynamic=true', 'code=201, dynamic=true']) {
    const answer = await fetch(`${api}/jobs`, { method: 'POST', headers: { prefer } });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('X-Request-Id')).toMatch(/./);
    expect([answer.headers.get('X-Cost'), answer.headers.get('X-May')]).toEqual(['7', null]);
  }
});
