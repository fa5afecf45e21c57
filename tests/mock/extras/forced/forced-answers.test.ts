import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeEach, expect, it } from 'vitest';
import type { Operation } from '../../../../openapi/index.ts';
import { get } from '../../../support/bad-input.ts';
import { createSend, type TestAnswer } from '../../../support/create-send.ts';
import { documentOf } from '../../../support/document-of.ts';
import { expectAnswer, expectError } from '../../../support/expect-answer.ts';
import { sendRaw } from '../../../support/raw-socket.ts';
import { serveDocument } from '../../../support/serve-document.ts';
import { standalone } from '../../../support/standalone.ts';
import { bearer, projectFile, shareTwin, startTwin } from '../../../support/twin.ts';

const noon = Date.UTC(2026, 0, 15, 12, 0, 20);
const twin = await shareTwin();
const { operations } = twin.document;
beforeEach(() => {
  twin.app.clock.freeze(noon);
});

type Call = { method?: string; prefer?: string; key?: string; body?: string; api?: string };

function call(path: string, { method = 'GET', prefer, key = 'demo-pro', ...of }: Call = {}) {
  const headers = { ...bearer(key), ...(prefer !== undefined && { Prefer: prefer }) };
  return createSend(of.api ?? twin.api, headers)(method, path, of.body);
}

function force({ method, path }: Operation, prefer: string): Promise<TestAnswer> {
  return call(path.replace(/\{[^{}]+\}/, '7'), { method, prefer });
}

const appliedIn = ({ headers }: TestAnswer) => headers.get('Preference-Applied');

function expectRefused(answer: TestAnswer, problem: string): void {
  expectError(answer, 400, 'invalid_preference', problem);
  expect(appliedIn(answer)).toBeNull();
}

/** Expects a value to fit a schema of a document. */
function expectFit(
  ...[document, schema, value]: [...Parameters<typeof standalone>, unknown]
): void {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const validate = ajv.compile(standalone(document, schema));
  expect(validate(value), ajv.errorsText(validate.errors)).toBe(true);
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
    const answer = await force(operation, `code=${status}`);
    expectAnswer(answer, Number(status));
    expect(appliedIn(answer)).toBe(`code=${status}`);
    expect(answer.headers.has('X-Undocumented-Status')).toBe(false);
    for (const name of Object.keys(headers)) expect(answer.headers.has(name), name).toBe(true);
    expectFit(twin.document, schema ?? {}, answer.json);
    if (Number(status) >= 400) expect(answer.json.status).toBe(Number(status));
  },
);

it.each(
  documented.flatMap((one) =>
    Object.entries(one.response.examples).map(([name, value]) => ({ ...one, name, value })),
  ),
)(
  'answers $title with its example $name',
  async ({ operation, response: { status }, name, value }) => {
    const prefer = `code=${status}, example=${name}`;
    const answer = await force(operation, prefer);
    expect([answer.status, appliedIn(answer)]).toEqual([Number(status), prefer]);
    if (status !== '429') return expect(answer.json).toEqual(value);
    const { message, ...fields } = answer.json;
    expect(fields).toEqual({ code: (value as { code: string }).code, status: 429 });
    expect(message).toContain(`Retry in ${answer.headers.get('Retry-After')} s.`);
    if (name === 'exceeded')
      expect(message).toBe('The pro plan allows 300 requests a minute. Retry in 40 s.');
  },
);

it('gives each error the words and headers that the twin gives it by itself', async () => {
  const seen = async (path: string, prefer?: string, api = twin.api) => {
    const { status, json, headers } = await call(path, { api, ...(prefer && { prefer }) });
    const fields = ['WWW-Authenticate', 'Sunset', 'Link'].map((name) => headers.get(name));
    return [status, json.message, ...fields];
  };
  const gone = await seen('/pets/7', 'code=410');
  const unknown = await seen('/pets/777', 'code=404');
  expect(unknown.slice(0, 2)).toEqual((await seen('/pets/777')).slice(0, 2));
  const { status, json, headers } = await createSend(twin.api)('GET', '/pets');
  const challenge = headers.get('WWW-Authenticate');
  expect(await seen('/pets', 'code=401')).toEqual([status, json.message, challenge, null, null]);
  twin.app.clock.freeze(Date.UTC(2030, 11, 5));
  expect(gone).toEqual(await seen('/pets/7'));
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
    const answer = await call('/shelters', { api, prefer: `code=${status}` });
    const undocumented = { 'x-undocumented-status': String(status) };
    expect(Object.fromEntries(answer.headers)).toMatchObject({ ...headers, ...undocumented });
    const words = `^This ${status} .*was requested\\. Documented for listShelters: 200\\.$`;
    expectError(answer, status, code, new RegExp(words));
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
  const answer = await call('/pets', { prefer: `code=${status}` });
  expect(answer).toMatchObject({ status, text: '' });
  expect(answer.headers.get('X-Undocumented-Status')).toBe(String(status));
  expect((await call('/pets?limit=1')).status).toBe(200);
});

it('makes content from the schema, the same for the same seed and otherwise another each time', async () => {
  const texts: string[] = [];
  const seeded = ['dynamic=true, seed=abc', 'seed=abc', 'seed=abd', 'code=200, seed=abc'];
  for (const prefer of ['dynamic=true', 'dynamic=true', ...seeded]) {
    const answer = await call('/pets', { prefer });
    expect([answer.status, appliedIn(answer)]).toEqual([200, prefer]);
    const pets: { id: number; status?: string }[] = answer.json;
    expectFit(twin.document, { $ref: '#/components/schemas/Pets' }, pets);
    expect(pets.map(({ id }) => id)).toEqual([1, 2, 3]);
    expect(pets.every(({ status }) => status !== undefined)).toBe(true);
    texts.push(answer.text);
  }
  const [one, other, abc, again, abd, withCode] = texts;
  expect(new Set([one, other, abc, abd]).size).toBe(4);
  expect([again, withCode]).toEqual([abc, abc]);

  await twin.app.reset();
  expect((await call('/pets', { prefer: 'dynamic=true' })).text).toBe(one);
});

it('leaves the answer alone for a delay, for dynamic=false and for what it does not know', async () => {
  const { text } = await call('/pets?limit=3');
  for (const [prefer, applied] of [
    ['delay=1', 'delay=1'],
    ['dynamic=false', 'dynamic=false'],
    ['return=minimal, respond-async', null],
    ['', null],
  ] as const) {
    const answer = await call('/pets?limit=3', { prefer });
    expect([answer.text, appliedIn(answer)]).toEqual([text, applied]);
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
  expect([refused.status, appliedIn(refused)]).toEqual([429, null]);
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
  for (const [query, applied] of Object.entries({
    '__code=404': 'code=404',
    'limit=1&__example=none&__delay=0': 'example=none, delay=0',
    '__dynamic=true&__seed=a%20b': 'dynamic=true, seed="a b"',
  }))
    expect(appliedIn(await call(`/pets?${query}`))).toBe(applied);
  expect((await call('/pets?__code=404', { prefer: 'code=500' })).status).toBe(500);
  expect((await call('/pets?__code=404', { prefer: 'return=minimal' })).status).toBe(200);
  expect((await call('/pets?__CODE=404&__other=1&x=__code')).status).toBe(200);
  expect((await call('/pets/7?__code=404')).status).toBe(404);
});

const all = 'Documented for listPets: 200, 400, 401, 429.';
const refused = {
  'code=4x4': `Preference "code" must be a status from 200 to 599, but is "4x4". ${all}`,
  'code=100': 'from 200 to 599',
  'example=': 'Preference "example" must be the name of an example, but has no value.',
  'example=nobody': 'animals (200), none (200), limit (400), missing (401), exceeded (429), banned',
  'example=__proto__': 'Preference "example" is "__proto__", but listPets has animals (200)',
  'code=400, example=none':
    'Preference "example" is "none", but listPets with 400 has limit (400).',
  'code=418, example=none': `but listPets with 418 has no examples. ${all}`,
  'dynamic=yes': 'Preference "dynamic" must be true or false, but is "yes".',
  [`seed=${'a'.repeat(101)}`]: '1 to 100 visible ASCII characters',
  'delay=-1': '"delay" must be a whole number of milliseconds from 0 to 60000, but is "-1".',
  'delay=soon': 'but is "soon".',
  'code=404, delay=soon': 'but is "soon".',
};

it.each(Object.entries(refused))('refuses %s', async (prefer, problem) => {
  expectRefused(await call('/pets', { prefer }), problem);
  const pairs = prefer.split(', ').map((one) => `__${one.replace(/^(\w+)$/, '$1=')}`);
  expectRefused(await call(`/pets?${pairs.join('&')}`), problem);
});

it('refuses a query that repeats a preference, and leaves a malformed one to the query step', async () => {
  const twice = await call('/pets?__code=404&__code=404');
  expectRefused(twice, 'Query parameter "__code" must be given once.');
  expectError(await call('/pets?__code=%zz'), 400, 'malformed_request');
});

it('takes examples from another document, and makes what has none', async () => {
  const { api, document } = await startTwin({ spec: projectFile('tests/support/shelters.yaml') });
  const ask = (path: string, prefer: string) => call(path, { api, prefer });
  // There is nothing but made content, so it is not claimed that it is not.
  expect(appliedIn(await ask('/shelters/x', 'code=200, dynamic=false'))).toBe('code=200');
  const { json: one } = await ask('/shelters/x', 'code=200');
  expectFit(document, { $ref: '#/components/schemas/Shelter' }, one);
  expect((await ask('/shelters/y', 'code=200')).json).toEqual(one);
  expect(one).toHaveProperty('email');
  const { json: two } = await ask('/shelters/1/volunteers', 'example=two');
  expect(two).toEqual([{ name: 'Ada' }, { name: 'Grace' }]);
  const none = 'is "x", but listShelters has no examples. Documented for listShelters: 200.';
  expectRefused(await ask('/shelters', 'example=x'), none);
});

it('knows responses by range and by default', async () => {
  const of = (value: unknown) => ({
    description: '',
    content: { 'application/json': { schema: {}, examples: { [`is ${value}`]: { value } } } },
  });
  const ranges = { '2XX': of('ok'), '4XX': of('client') };
  const only = { default: of('any') };
  const { call } = await serveDocument({
    ...documentOf('GET /only -> 200'),
    paths: {
      '/ranges': { get: { responses: ranges } },
      '/default': { get: { responses: { ...ranges, ...only } } },
      '/only': { get: { responses: only } },
    },
  });
  const answer = async (path: string, Prefer: string) => {
    const { status, headers, json } = await call(path, { headers: { Prefer } });
    return [status, headers.get('X-Undocumented-Status'), json?.message ?? json];
  };
  expect(await answer('/ranges', 'code=206')).toEqual([206, null, 'ok']);
  expect(await answer('/ranges', 'example="is client"')).toEqual([400, null, 'client']);
  const requested = expect.stringMatching(/^This 500 Internal Server Error was requested\./);
  expect(await answer('/ranges', 'code=500')).toEqual([500, '500', requested]);
  expect(await answer('/default', 'example="is any"')).toEqual([500, null, 'any']);
  const failed = expect.stringMatching(/^The mock failed/);
  expect(await answer('/default', 'code=500')).toEqual([500, null, failed]);
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
  const document = documentOf('addJob: POST /jobs -> 201 object');
  Object.assign(document.paths['/jobs']?.post.responses[201], { headers });
  const { call } = await serveDocument(document);
  for (const prefer of ['code=201', 'dynamic=true', 'code=201, dynamic=true']) {
    const answer = await call('/jobs', { method: 'POST', headers: { prefer } });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('X-Request-Id')).toMatch(/./);
    expect([answer.headers.get('X-Cost'), answer.headers.get('X-May')]).toEqual(['7', null]);
  }
});
