import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { bearer, type TestTwin } from '../../../support/twin.ts';
import { basic, openSecuredTwin, securitySchemes, toSecuredDocument } from './secured-document.ts';

const key = 'demo-free';

const document = toSecuredDocument({
  ...Object.fromEntries(Object.keys(securitySchemes).map((name) => [name, [{ [name]: [] }]])),
  open: [],
  optional: [{ header: [] }, {}],
  either: [{ header: [] }, { basic: [] }, { bearer: [] }],
  both: [{ header: [], query: [] }],
  certified: [{ certificate: [], header: [] }],
});

let twin: TestTwin;
beforeAll(async () => {
  twin = await openSecuredTwin(document);
});
afterAll(() => twin.close());

type Headers = Record<string, string>;

async function call(path: string, headers: Headers = {}) {
  const response = await fetch(twin.api + path, { headers });
  const body = (await response.json()) as { code?: string; message?: string };
  return { status: response.status, headers: response.headers, ...(Object(body) === body && body) };
}

const remaining = ({ headers }: { headers: globalThis.Headers }) =>
  Number(headers.get('X-RateLimit-Remaining'));

let minute = Date.UTC(2030, 0, 1);

const credentials: [scheme: string, path: string, headers: Headers][] = [
  ['header', '/header', { 'X-Shop-Key': key }],
  ['header, in another case', '/header', { 'x-SHOP-key': key }],
  ['query', `/query?appid=${key}`, {}],
  ['query, beside others and percent-encoded', '/query?a=b&appid=demo%2Dfree', {}],
  ['cookie', '/cookie', { Cookie: `a=b; session=${key}` }],
  ['basic', '/basic', basic('demo', key)],
  ['basic, with a key as the user', '/basic', basic(key, '')],
  ['bearer', '/bearer', bearer(key)],
  ['another scheme of HTTP', '/hawk', { Authorization: `Hawk ${key}` }],
  ['Authorization as a header with a key', '/raw', { Authorization: key }],
  ['Authorization as a header with a scheme', '/raw', bearer(key)],
  ['Authorization as a header with a token', '/raw', { Authorization: `Token token="${key}"` }],
];

it.each(credentials)('lets in by %s, and counts for the key', async (_, path, headers) => {
  // Both calls in one minute, and each pair in another.
  twin.app.clock.freeze((minute += 60_000));
  const before = await call('/header', { 'X-Shop-Key': key });
  const answer = await call(path, headers);
  expect(answer.status).toBe(200);
  expect(remaining(answer)).toBe(remaining(before) - 1);
});

const challenges: Record<string, string> = {
  header: 'ApiKey realm="Parcel Shop", in="header", name="X-Shop-Key"',
  query: 'ApiKey realm="Parcel Shop", in="query", name="appid"',
  cookie: 'ApiKey realm="Parcel Shop", in="cookie", name="session"',
  basic: 'Basic realm="Parcel Shop", charset="UTF-8"',
  bearer: 'Bearer realm="Parcel Shop"',
  hawk: 'Hawk realm="Parcel Shop"',
  either: 'Basic realm="Parcel Shop", charset="UTF-8", Bearer realm="Parcel Shop"',
};

it.each(Object.entries(challenges))('answers 401 to no credentials for %s', async (name, value) => {
  expect(await call(`/${name}`)).toMatchObject({ status: 401, code: 'missing_api_key' });
  expect((await call(`/${name}`)).headers.get('WWW-Authenticate')).toBe(value);
});

const unknownKey = /unknown\. Expected "X-Shop-Key: <key>"\.$/;
const wrong: [what: string, path: string, headers: Headers, message: RegExp][] = [
  ['an unknown key in the header', '/header', { 'X-Shop-Key': 'x' }, unknownKey],
  ['a wrong password', '/basic', basic('demo', 'x'), /unknown\. Expected basic credentials/],
  ['no base64', '/basic', { Authorization: 'Basic %%%' }, /malformed/],
  ['an unknown token', '/bearer', bearer('x'), /unknown/],
  ['another key of a pair', `/both?appid=x`, { 'X-Shop-Key': key }, /unknown/],
  ['an unknown key beside a certificate', '/certified', { 'X-Shop-Key': 'x' }, /unknown/],
];

it.each(wrong)('answers 401 to %s', async (_, path, headers, problem) => {
  const message = expect.stringMatching(problem);
  const refused = { status: 401, code: 'invalid_api_key', message };
  expect(await call(path, headers)).toMatchObject(refused);
});

it('says in the challenge what is wrong with a token (RFC 6750)', async () => {
  const { headers } = await call('/either', bearer('x'));
  expect(headers.get('WWW-Authenticate')).toBe(
    'Basic realm="Parcel Shop", charset="UTF-8", Bearer realm="Parcel Shop", error="invalid_token", error_description="The key or token is unknown"',
  );
});

it('asks for one of all requirements of a way in', async () => {
  const message =
    'This operation needs credentials. Send "X-Shop-Key: <key>" and the query parameter "appid=<key>".';
  expect(await call('/both', { 'X-Shop-Key': key })).toMatchObject({ status: 401, message });
  expect((await call(`/both?appid=demo-pro`, { 'X-Shop-Key': key })).status).toBe(200);
});

it('takes any of several ways in, and the first that is met counts', async () => {
  const pro = await call('/either', { ...basic('a', 'demo-pro') });
  expect(pro.headers.get('X-RateLimit-Limit')).toBe('300');
  const first = await call('/either', { 'X-Shop-Key': key, ...basic('a', 'demo-pro') });
  expect(first.headers.get('X-RateLimit-Limit')).toBe('60');
  expect((await call('/either', { 'X-Shop-Key': 'x', ...bearer('demo-pro') })).status).toBe(200);
});

describe('without credentials', () => {
  it.each(['/open', '/certificate'])('lets everybody in at %s', async (path) => {
    expect((await call(path)).status).toBe(200);
  });

  it('lets everybody in where security is optional, and counts for a key that is sent', async () => {
    const anonymous = await call('/optional');
    expect([anonymous.status, remaining(anonymous)]).toEqual([200, 60]);
    expect((await call('/optional', { 'X-Shop-Key': 'x' })).status).toBe(200);
    const known = await call('/optional', { 'X-Shop-Key': 'demo-pro' });
    expect(known.headers.get('X-RateLimit-Limit')).toBe('300');
  });

  it('answers 404 and 405, which no scheme is described for', async () => {
    expect((await call('/nowhere')).status).toBe(404);
    expect((await fetch(`${twin.api}/header`, { method: 'PUT' })).status).toBe(405);
  });
});

it('uses the security of the document where an operation has none of its own', async () => {
  const whole = toSecuredDocument(
    { own: [{ basic: [] }], none: [], inherits: undefined },
    { security: [{ header: [] }] },
  );
  const other = await openSecuredTwin(whole);
  const statusOf = async (path: string, headers: Headers = {}) =>
    (await fetch(other.api + path, { headers })).status;
  expect(await statusOf('/inherits')).toBe(401);
  expect(await statusOf('/inherits', { 'X-Shop-Key': key })).toBe(200);
  expect(await statusOf('/own', { 'X-Shop-Key': key })).toBe(401);
  expect(await statusOf('/own', basic('a', key))).toBe(200);
  expect(await statusOf('/none')).toBe(200);
  await other.close();
});

it('lets pages of other origins send each header', async () => {
  const headers = {
    ...{ Origin: 'https://app.example', 'Access-Control-Request-Method': 'GET' },
    'Access-Control-Request-Headers': 'x-shop-key,authorization',
  };
  const response = await fetch(`${twin.api}/header`, { method: 'OPTIONS', headers });
  expect(response.headers.get('Access-Control-Allow-Headers')).toBe('x-shop-key,authorization');
});

it('answers a forced 401 with the challenge of the operation', async () => {
  const { headers } = await call('/basic', { ...basic('a', key), Prefer: 'code=401' });
  expect(headers.get('WWW-Authenticate')).toBe('Basic realm="Parcel Shop", charset="UTF-8"');
});

it('lets in by a word that the description of a bearer scheme has before a token', async () => {
  const description = 'Send `Authorization: token <TOKEN>`.';
  const schemes = { worded: { type: 'http', scheme: 'bearer', description } };
  const worded = toSecuredDocument({ worded: [{ worded: [] }] }, { schemes });
  const { api, close } = await openSecuredTwin(worded);
  onTestFinished(() => close());
  const statusOf = async (Authorization: string) =>
    (await fetch(`${api}/worded`, { headers: { Authorization } })).status;
  expect(await statusOf(`token ${key}`)).toBe(200);
  expect(await statusOf(`Token token=${key}`)).toBe(200);
  expect(await statusOf(`Bearer ${key}`)).toBe(200);
  expect(await statusOf(`Key ${key}`)).toBe(401);
  expect(await statusOf('token other')).toBe(401);
});

it('lets everybody in where an operation asks for one requirement without any part', async () => {
  const open = toSecuredDocument({ open: {} as never }, { security: [{ header: [] }] });
  const { api, close } = await openSecuredTwin(open);
  onTestFinished(() => close());
  expect((await fetch(`${api}/open`)).status).toBe(200);
});
