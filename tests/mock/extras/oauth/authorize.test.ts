import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeJson } from '../../../support/write-json.ts';
import { toSecuredDocument } from '../schemes/secured-document.ts';
import { callsOf, demo, openOAuthTwin } from './oauth-twin.ts';

let opened: Awaited<ReturnType<typeof openOAuthTwin>>;
beforeAll(async () => {
  opened = await openOAuthTwin();
});
afterAll(() => opened.twin.close());

const redirect_uri = 'http://127.0.0.1:9999/callback?app=1';
const verifier = 'a'.repeat(43);
const pkce = {
  code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  code_challenge_method: 'S256',
};
const asked = { response_type: 'code', client_id: 'demo-free', redirect_uri, state: 's 1' };
const exchange = { grant_type: 'authorization_code', client_id: 'demo-free', redirect_uri };

async function codeFor(query: Record<string, string> = {}): Promise<string> {
  const { location } = await opened.authorize({ ...asked, ...query });
  return new URL(location as string).searchParams.get('code') as string;
}

it('sends the user back with a code, for which a public client gets tokens by PKCE', async () => {
  const { authorize, token, get, root } = opened;
  const { status, location } = await authorize({ ...asked, ...pkce, scope: 'read' });
  expect(status).toBe(302);
  const url = new URL(location as string);
  expect(url.href).toMatch(/^http:\/\/127\.0\.0\.1:9999\/callback\?app=1&code=/);
  expect(url.searchParams.get('state')).toBe('s 1');
  expect(url.searchParams.get('iss')).toBe(`${root}/__oauth`);
  const code = url.searchParams.get('code') as string;
  const { body } = await token({ ...exchange, code, code_verifier: verifier });
  expect(body).toMatchObject({ token_type: 'Bearer', scope: 'read' });
  expect(body.refresh_token).toEqual(expect.any(String));
  expect((await get('/read', body.access_token)).status).toBe(200);
  const again = await token({ ...exchange, code, code_verifier: verifier });
  const used = { error: 'invalid_grant', error_description: 'The code was used before.' };
  expect(again).toMatchObject({ status: 400, body: used });
});

it('takes a code without PKCE from a client that sends its secret', async () => {
  const code = await codeFor();
  expect((await opened.token({ ...exchange, code })).body.error).toBe('invalid_client');
  expect((await opened.token({ ...exchange, ...demo, code })).status).toBe(200);
});

const misuses: [what: string, query: Record<string, string>, form: Record<string, string>][] = [
  ['another verifier', pkce, { code_verifier: 'b'.repeat(43) }],
  ['no verifier', pkce, demo],
  ['the challenge as the verifier', pkce, { code_verifier: pkce.code_challenge }],
  ['a verifier without a challenge', {}, { ...demo, code_verifier: verifier }],
  ['another redirect URI', pkce, { code_verifier: verifier, redirect_uri: 'http://localhost/' }],
  ['another client', pkce, { code_verifier: verifier, client_id: 'demo-pro' }],
];

it.each(misuses)('refuses a code with %s', async (_, query, form) => {
  const code = await codeFor(query);
  const answer = await opened.token({ ...exchange, code, ...form });
  expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
});

it('lets a code expire after a minute', async () => {
  const code = await codeFor(pkce);
  opened.twin.app.clock.advance(60_000);
  const { body } = await opened.token({ ...exchange, code, code_verifier: verifier });
  const expired = { error: 'invalid_grant', error_description: 'The code has expired.' };
  expect(body).toMatchObject(expired);
});

const elsewhere = [
  'https://evil.example/',
  'http://localhost.evil.example/',
  'http://127.0.0.1/#fragment',
  'javascript:alert(1)',
  'http://user:pass@localhost/',
  'http://localhost\\@evil.example/',
];

it('redirects to the machine of the user, and to no other', async () => {
  for (const uri of elsewhere) {
    const { status, location, text } = await opened.authorize({ ...asked, redirect_uri: uri });
    expect([status, location], uri).toEqual([400, null]);
    expect(JSON.parse(text)).toMatchObject({ error: 'invalid_request' });
  }
  for (const uri of ['http://localhost:3000/a', 'http://[::1]:8080/', 'http://app.localhost/cb'])
    expect((await opened.authorize({ ...asked, redirect_uri: uri })).location).toContain(uri);
  // Nor for a client that it does not know.
  expect((await opened.authorize({ ...asked, client_id: 'nobody' })).status).toBe(400);
  expect((await opened.authorize({ response_type: 'code', redirect_uri })).status).toBe(400);
});

const errors: [query: Record<string, string>, error: string][] = [
  [{ response_type: 'id_token' }, 'unsupported_response_type'],
  [{ response_type: '' }, 'invalid_request'],
  [{ scope: 'everything' }, 'invalid_scope'],
  [{ code_challenge: 'short' }, 'invalid_request'],
  [{ ...pkce, code_challenge_method: 'S512' }, 'invalid_request'],
];

it.each(errors)('sends the user back with an error for %j', async (query, error) => {
  const { location } = await opened.authorize({ ...asked, ...query });
  const { searchParams } = new URL(location as string);
  expect([searchParams.get('error'), searchParams.get('state')]).toEqual([error, 's 1']);
  expect(searchParams.has('code')).toBe(false);
});

it('gives a token in the fragment where the implicit flow is described', async () => {
  const { location } = await opened.authorize({ ...asked, response_type: 'token', scope: 'read' });
  const [before, fragment] = (location as string).split('#');
  expect(before).toBe(redirect_uri);
  const answer = new URLSearchParams(fragment);
  expect([answer.get('token_type'), answer.get('scope')]).toEqual(['Bearer', 'read']);
  expect((await opened.get('/read', answer.get('access_token') as string)).status).toBe(200);
});

const openIdDocument = (openIdConnectUrl: string) =>
  toSecuredDocument(
    { any: [{ id: ['openid'] }] },
    { schemes: { id: { type: 'openIdConnect', openIdConnectUrl } } },
  );

it('is found by OpenID Connect Discovery', async () => {
  const document = openIdDocument('https://shop.example/id/.well-known/openid-configuration');
  const { twin } = await openOAuthTwin({}, document);
  const { root, authorize, post, get } = callsOf(twin, '/sandboxes/x');
  const found = await (await fetch(`${root}/id/.well-known/openid-configuration`)).json();
  expect(found).toMatchObject({
    issuer: `${root}/id`,
    authorization_endpoint: `${root}/__oauth/authorize`,
    token_endpoint: `${root}/__oauth/token`,
    response_types_supported: ['code'],
  });
  const query = { ...asked, ...pkce, scope: 'openid' };
  const { location } = await authorize(query, '/__oauth/authorize');
  const code = new URL(location as string).searchParams.get('code') as string;
  const { body } = await post('/__oauth/token', { ...exchange, code, code_verifier: verifier });
  expect((await get('/any', body.access_token)).status).toBe(200);
  await twin.close();
});

it('is found where RFC 8414 says, and below /__oauth where the document is elsewhere', async () => {
  const document = openIdDocument('https://elsewhere.example/.well-known/openid-configuration');
  const { twin } = await openOAuthTwin({}, document);
  const metadata = async (path: string) => (await fetch(twin.origin + path)).json();
  for (const path of [
    '/__oauth/.well-known/openid-configuration',
    '/.well-known/oauth-authorization-server/__oauth',
  ])
    expect(await metadata(path)).toMatchObject({ issuer: `${twin.origin}/__oauth` });
  const issuer = `${twin.origin}/sandboxes/s1/__oauth`;
  const path = '/.well-known/oauth-authorization-server/sandboxes/s1/__oauth';
  expect(await metadata(path)).toMatchObject({ issuer, token_endpoint: `${issuer}/token` });
  await twin.close();
});

const secret = 'a-secret-key-of-mine-12345';

it('gives tokens of secret keys to none but who sends them', async () => {
  const uri = 'https://app.example/cb';
  const own = { key: secret, plan: 'free', name: 'mine', redirectUris: [uri] };
  const keys = await writeJson({ keys: [own] });
  const { twin, token, authorize } = await openOAuthTwin({ keys });
  const query = { ...asked, client_id: 'mine', redirect_uri: 'https://app.example/cb', ...pkce };
  const { location } = await authorize(query);
  expect(location).toMatch(/^https:\/\/app\.example\/cb\?code=/);
  const code = new URL(location as string).searchParams.get('code') as string;
  const form = { ...exchange, ...query, code, code_verifier: verifier };
  const answer = await token(form);
  expect(answer).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
  expect((await token({ ...form, client_secret: secret })).status).toBe(200);
  const metadata = await fetch(`${twin.origin}/__oauth/.well-known/openid-configuration`);
  expect(await metadata.json()).toMatchObject({
    response_types_supported: ['code'],
    grant_types_supported: expect.not.arrayContaining(['implicit']),
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
  });
  const implicit = await authorize({ ...query, response_type: 'token' });
  expect(implicit.location).toMatch(/#error=unauthorized_client/);
  expect((await authorize({ ...query, redirect_uri: 'https://app.example/cb/' })).status).toBe(400);
  await twin.close();
});

it('takes tokens after a restart, and in other processes with the same key', async () => {
  const first = await openOAuthTwin();
  const { body } = await first.token({ grant_type: 'client_credentials', ...demo });
  await first.twin.close();
  const second = await openOAuthTwin();
  expect((await second.get('/any', body.access_token)).status).toBe(200);
  await second.twin.close();
});
