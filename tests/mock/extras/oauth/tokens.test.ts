import { afterAll, beforeAll, expect, it } from 'vitest';
import { jsonOf } from '../../../support/serve-document.ts';
import { basic } from '../schemes/secured-document.ts';
import { callsOf, demo, oauthDocument, openOAuthTwin } from './oauth-twin.ts';

let opened: Awaited<ReturnType<typeof openOAuthTwin>>;
beforeAll(async () => {
  opened = await openOAuthTwin();
});
afterAll(() => opened.twin.close());

const grant = { grant_type: 'client_credentials' };
const user = { ...demo, grant_type: 'password', username: 'a', password: 'demo-free' };

it('gives a client a token that lets in and counts for its key', async () => {
  const { token, get } = opened;
  const { status, headers, body } = await token({ ...grant, ...demo });
  expect(status).toBe(200);
  expect([headers.get('Cache-Control'), headers.get('Pragma')]).toEqual(['no-store', 'no-cache']);
  const access_token = expect.any(String);
  const fields = { token_type: 'Bearer', expires_in: 3600, scope: 'read write' };
  expect(body).toEqual({ access_token, ...fields });
  const first = await get('/both', body.access_token);
  const second = await get('/any', 'demo-free');
  expect([first.status, second.status]).toEqual([200, 200]);
  const left = [first, second].map((one) => Number(one.headers.get('X-RateLimit-Remaining')));
  expect(left[1]).toBe((left[0] as number) - 1);
  expect((await get('/bearer', body.access_token)).status).toBe(200);
});

it('enforces the scopes of a token with 403 (RFC 6750 §3.1)', async () => {
  const { token, get } = opened;
  const { body } = await token({ ...grant, ...demo, scope: 'read' });
  expect(body.scope).toBe('read');
  expect((await get('/read', body.access_token)).status).toBe(200);
  const refused = await get('/both', body.access_token);
  expect(refused.status).toBe(403);
  expect(refused.body).toMatchObject({ code: 'insufficient_scope', status: 403 });
  expect(refused.headers.get('WWW-Authenticate')).toBe(
    'Bearer realm="Parcel Shop", error="insufficient_scope", error_description="The token lacks a scope", scope="write"',
  );
  expect((await get('/both', 'demo-free')).status).toBe(200);
});

it('lets tokens expire by the clock of the sandbox', async () => {
  const { twin, token, get } = opened;
  const { body } = await token({ ...grant, ...demo });
  twin.app.clock.advance(3_599_000);
  expect((await get('/any', body.access_token)).status).toBe(200);
  twin.app.clock.advance(1000);
  const refused = await get('/any', body.access_token);
  const message = 'The access token has expired. Get another one.';
  expect(refused).toMatchObject({ status: 401, body: { message } });
  expect(refused.headers.get('WWW-Authenticate')).toContain('error="invalid_token"');
});

it('takes no token that was changed, or is for another use or sandbox', async () => {
  const { twin, token, get } = opened;
  const { body } = await token(user);
  const [header, payload, signature] = body.access_token.split('.') as [string, string, string];
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const forged = [
    `${header}.${encode({ ...claims, client_id: 'demo-business' })}.${signature}`,
    `${encode({ alg: 'none', typ: 'at+jwt' })}.${payload}.`,
    `${header}.${payload}.${signature.slice(0, -2)}`,
    `${header}.${encode({ ...claims, client_id: '__proto__' })}.${signature}`,
    body.refresh_token as string,
  ];
  for (const one of forged) expect((await get('/any', one)).status, one).toBe(401);
  expect((await callsOf(twin, '/sandboxes/other').get('/any', body.access_token)).status).toBe(401);
  expect((await get('/any', body.access_token)).status).toBe(200);
});

it('takes the client in Basic credentials, each part encoded', async () => {
  const { token } = opened;
  expect((await token(grant, basic('demo%2Dfree', 'demo-free'))).status).toBe(200);
  const wrong = await token(grant, basic('demo-free', 'x'));
  expect(wrong).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
  expect(wrong.headers.get('WWW-Authenticate')).toBe('Basic realm="Parcel Shop"');
});

it('takes JSON where the document describes it, and a form all the same', async () => {
  const taken = { type: 'object', properties: { grant_type: { type: 'string' } } };
  const post = { requestBody: jsonOf(taken), responses: { 200: jsonOf({}) } };
  const { paths, ...document } = oauthDocument as { paths: object };
  const servers = [{ url: 'https://shop.example' }];
  const described = { ...document, servers, paths: { ...paths, '/oauth/token': { post } } };
  const { twin, root, token } = await openOAuthTwin({}, described);
  const send = async (body: unknown, at = root) => {
    const headers = { 'Content-Type': 'application/json; charset=utf-8' };
    const sent = { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await fetch(`${at}/oauth/token`, sent);
    return { status: response.status, body: await response.json() };
  };
  const tokens = { status: 200, body: { token_type: 'Bearer', scope: 'read' } };
  expect(await send({ ...grant, ...demo, scope: 'read', audience: null })).toMatchObject(tokens);
  expect(await token({ ...grant, ...demo, scope: 'read' })).toMatchObject(tokens);
  const invalid = { status: 400, body: { error: 'invalid_request' } };
  expect(await send({ ...grant, ...demo, scope: ['read'] })).toMatchObject(invalid);
  expect(await send([grant])).toMatchObject(invalid);
  expect(await send({ ...grant, ...demo }, opened.root)).toMatchObject(invalid);
  await twin.close();
});

type Refusal = [what: string, form: Record<string, string>, status: number, error: string];
const code = { ...demo, grant_type: 'authorization_code' };
const unknownRefresh = { ...demo, grant_type: 'refresh_token', refresh_token: 'a.b.c' };

const refusals: Refusal[] = [
  ['no grant type', demo, 400, 'invalid_request'],
  ['an unknown grant type', { ...demo, grant_type: 'constructor' }, 400, 'unsupported_grant_type'],
  ['no client', grant, 401, 'invalid_client'],
  ['an unknown client', { ...grant, ...demo, client_id: 'nobody' }, 401, 'invalid_client'],
  ['a wrong secret', { ...grant, ...demo, client_secret: 'x' }, 401, 'invalid_client'],
  ['a client without its secret', { ...grant, client_id: 'demo-free' }, 401, 'invalid_client'],
  ['an unknown scope', { ...grant, ...demo, scope: 'read all' }, 400, 'invalid_scope'],
  ['a wrong password', { ...user, password: 'x' }, 400, 'invalid_grant'],
  ['no user', { ...demo, grant_type: 'password', password: 'demo-free' }, 400, 'invalid_request'],
  ['no code', code, 400, 'invalid_request'],
  ['an unknown code', { ...code, code: 'x' }, 400, 'invalid_grant'],
  ['an unknown refresh token', unknownRefresh, 400, 'invalid_grant'],
];

it.each(refusals)('refuses %s in the form of RFC 6749 §5.2', async (_, form, status, error) => {
  const answer = await opened.token(form);
  const error_description = expect.stringMatching(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
  expect(answer).toMatchObject({ status, body: { error, error_description } });
  expect(answer.headers.get('Cache-Control')).toBe('no-store');
});

it('gives another token for a refresh token, with no more scopes and to no other client', async () => {
  const { token, get } = opened;
  const { body } = await token({ ...user, password: 'demo-pro', scope: 'read' });
  const { refresh_token = '' } = body;
  const refresh = { ...demo, grant_type: 'refresh_token', refresh_token };
  const next = await token(refresh);
  expect(next.body).toMatchObject({ scope: 'read', refresh_token: expect.any(String) });
  const answer = await get('/read', next.body.access_token);
  expect([answer.status, answer.headers.get('X-RateLimit-Limit')]).toEqual([200, '300']);
  const wider = await token({ ...refresh, scope: 'write' });
  expect(wider).toMatchObject({ status: 400, body: { error: 'invalid_scope' } });
  const other = { client_id: 'demo-pro', client_secret: 'demo-pro' };
  expect(await token({ ...refresh, ...other })).toMatchObject({ body: { error: 'invalid_grant' } });
  opened.twin.app.clock.advance(30 * 86_400_000);
  const error_description = 'The refresh_token has expired.';
  const expired = { error: 'invalid_grant', error_description };
  expect(await token(refresh)).toMatchObject({ body: expired });
});

it('shows no secret of its calls in the journal', async () => {
  const { token, root } = opened;
  await token({ ...demo, client_secret: 'hunter2-wrong', ...grant });
  const { access_token, refresh_token = '' } = (await token(user)).body;
  const journal = await (await fetch(`${root}/__admin/requests?step=oauth&limit=2`)).text();
  const secrets = ['hunter2-wrong', access_token, refresh_token, 'secret=demo', 'password=demo'];
  for (const secret of secrets) expect(journal).not.toContain(secret);
  const { requests } = JSON.parse(journal);
  const reason = { step: 'oauth', endpoint: '/oauth/token', problem: 'invalid_client' };
  expect(requests[1]).toMatchObject({ unmatched: false, reason });
});
