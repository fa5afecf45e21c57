import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDigest } from '../../../../mock/extras/schemes/digest.ts';
import type { TestTwin } from '../../../support/twin.ts';
import { openSecuredTwin, toSecuredDocument } from './secured-document.ts';

const schemes = {
  digest: { type: 'http', scheme: 'digest' },
  bearer: { type: 'http', scheme: 'bearer' },
};
let twin: TestTwin;
beforeAll(async () => {
  twin = await openSecuredTwin(
    toSecuredDocument(
      { guarded: [{ digest: [] }], either: [{ bearer: [] }, { digest: [] }] },
      { schemes },
    ),
  );
  twin.app.clock.freeze(Date.parse('2030-01-01T12:00:00Z'));
});
afterAll(() => twin.close());

const realm = 'Parcel Shop';

async function challengesOf(url: string, headers: Record<string, string> = {}) {
  const response = await fetch(url, { headers });
  await response.body?.cancel();
  return response.headers.get('WWW-Authenticate') ?? '';
}

const nonceOf = (challenge: string) => /nonce="([^"]+)"/.exec(challenge)?.[1] ?? '';

type Parts = Record<'user' | 'password' | 'nonce' | 'uri' | 'algorithm' | 'nc' | 'qop', string>;

/** Credentials as a client makes them. */
function toCredentials(given: Partial<Parts>): string {
  const { user, password, nonce, uri, algorithm, nc, qop }: Parts = {
    ...{ user: 'demo-free', password: 'demo-free', nonce: '', uri: '/v2/guarded' },
    ...{ algorithm: 'SHA-256', nc: '00000001', qop: 'auth' },
    ...given,
  };
  const name = algorithm === 'MD5' ? 'md5' : 'sha256';
  const hash = (text: string) => createHash(name).update(text).digest('hex');
  const response = hash(
    `${hash(`${user}:${realm}:${password}`)}:${nonce}:${nc}:c:${qop}:${hash(`GET:${uri}`)}`,
  );
  return `Digest username="${user}", realm="${realm}", nonce="${nonce}", uri="${uri}", algorithm=${algorithm}, qop=${qop}, nc=${nc}, cnonce="c", response="${response}"`;
}

it('plays the exchange with curl', async () => {
  const url = `${twin.origin}/sandboxes/qa/v2/guarded?a=b`;
  const { stdout } = await promisify(execFile)('curl', [
    ...['-s', '-i', '--digest', '-u', 'demo-pro:demo-pro', url],
  ]);
  expect(stdout).toMatch(/^HTTP\/1.1 401 .*HTTP\/1.1 200 /s);
  expect(stdout).toMatch(/x-ratelimit-limit: 300/i);
});

it('challenges with both algorithms and a nonce of the sandbox', async () => {
  const value = await challengesOf(`${twin.api}/guarded`);
  const nonce = nonceOf(value);
  expect(value).toBe(
    `Digest realm="${realm}", qop="auth", algorithm=SHA-256, nonce="${nonce}", Digest realm="${realm}", qop="auth", algorithm=MD5, nonce="${nonce}"`,
  );
  expect(await challengesOf(`${twin.api}/either`)).toMatch(/^Bearer realm="[^"]+", Digest /);
});

it.each<[string, Partial<Parts>, number]>([
  ['SHA-256', {}, 200],
  ['MD5', { algorithm: 'MD5' }, 200],
  ['a wrong password', { password: 'demo-pro' }, 401],
  ['an unknown user', { user: 'nobody' }, 401],
  ['an unknown user without a password', { user: 'nobody', password: '' }, 401],
  ['another path', { uri: '/v2/either' }, 400],
  ['another qop', { qop: 'auth-int' }, 401],
  ['an algorithm that was not offered', { algorithm: 'SHA-512-256' }, 401],
  ['no count', { nc: '1' }, 401],
])('takes or refuses %s', async (_, parts, status) => {
  const url = `${twin.api}/guarded`;
  const nonce = nonceOf(await challengesOf(url));
  const headers = { Authorization: toCredentials({ nonce, ...parts }) };
  expect((await fetch(url, { headers })).status).toBe(status);
});

it('asks for another nonce once one is too old, or of another sandbox', async () => {
  const url = `${twin.api}/guarded`;
  const nonce = nonceOf(await challengesOf(url));
  twin.app.clock.advance(300_000);
  const value = await challengesOf(url, { Authorization: toCredentials({ nonce }) });
  expect(value).toContain('stale=true');
  const answer = await fetch(url, {
    headers: { Authorization: toCredentials({ nonce: nonceOf(value) }) },
  });
  expect(answer.status).toBe(200);
  const other = nonceOf(await challengesOf(`${twin.origin}/sandboxes/other/v2/guarded`));
  expect(await challengesOf(url, { Authorization: toCredentials({ nonce: other }) })).toContain(
    'stale=true',
  );
});

it('computes the responses of RFC 7616 §3.9.1', () => {
  const digest = createDigest(
    [{ key: 'Circle of Life', name: 'Mufasa' } as never],
    'http-auth@example.org',
  );
  const clock = { now: () => 0 };
  const place = { sandboxName: undefined, sandbox: { name: 'default', clock } } as never;
  const read = (algorithm: string, response: string) =>
    digest.read(
      `username="Mufasa", realm="http-auth@example.org", uri="/dir/index.html", algorithm=${algorithm}, nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", nc=00000001, cnonce="f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ", qop=auth, response="${response}", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"`,
      { method: 'GET', url: '/dir/index.html' } as never,
      place,
    );
  // The nonce is not the twin's own, which is seen only where all else is right.
  expect(read('MD5', '8ca523f5e9506fed4657c9700eebdbec')).toEqual({ problem: 'expired' });
  expect(
    read('SHA-256', '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1'),
  ).toEqual({ problem: 'expired' });
  expect(read('MD5', '753927fa0e85d155564e2e272a28d180')).toEqual({ problem: 'unknown' });
});
