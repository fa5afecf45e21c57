import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from 'node:tls';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { UsageError } from '../../../common/cli/usage-error.ts';
import { readIdentity } from '../../../mock/files/read-identity.ts';
import { animal, get, head, post } from '../../support/bad-input.ts';
import { openRaw, sendRaw } from '../../support/raw-socket.ts';
import { runMock, serveMock } from '../../support/run-mock.ts';
import { ca, fetchOverTls, forElsewhere, forLocalhost } from '../../support/tls.ts';
import { bearer, openTestTwin, shareTwin } from '../../support/twin.ts';
import { writeText } from '../../support/write-json.ts';

const twin = await shareTwin({ ...forLocalhost });

/** Shakes hands with the twin, or gives the code of the error. */
async function shakeHands(options: ConnectionOptions): Promise<TLSSocket | string> {
  const { hostname, port } = new URL(twin.origin);
  const socket = connectTls({ host: hostname, port: Number(port), ca, ...options });
  try {
    await once(socket, 'secureConnect');
    socket.destroy();
    return socket;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? '';
  }
}

it('speaks HTTPS alone, and says so in its address', async () => {
  expect(twin.origin).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
  const headers = { ...bearer('demo-pro'), 'Content-Type': 'application/json' };
  const list = await fetchOverTls(`${twin.api}/pets?limit=1`, { headers });
  expect(list).toMatchObject({ status: 200 });
  const made = await fetchOverTls(`${twin.api}/pets`, { method: 'POST', headers, body: animal });
  expect(made).toMatchObject({ status: 201 });
  const health = await fetchOverTls(`${twin.origin}/__admin/health`);
  expect(health).toMatchObject({ status: 200, text: '{"status":"ready"}' });
});

it('speaks TLS 1.2 and 1.3, and nothing older', async () => {
  expect(await shakeHands({ maxVersion: 'TLSv1.2' })).toBeTypeOf('object');
  expect(await shakeHands({ minVersion: 'TLSv1.3' })).toBeTypeOf('object');
  const [minVersion, maxVersion] = ['TLSv1', 'TLSv1.1'] as const;
  const old = { minVersion, maxVersion, ciphers: 'DEFAULT@SECLEVEL=0' };
  expect(await shakeHands(old)).toBe('ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION');
});

it('agrees on HTTP/1.1, and refuses a client that knows HTTP/2 alone', async () => {
  const both = await shakeHands({ ALPNProtocols: ['h2', 'http/1.1'] });
  expect(both).toMatchObject({ alpnProtocol: 'http/1.1' });
  expect(await shakeHands({})).toMatchObject({ alpnProtocol: false });
  expect(await shakeHands({ ALPNProtocols: ['h2'] })).toMatch(/ALERT_NO_APPLICATION_PROTOCOL/);
});

const first = get('/v1/pets/1', { Connection: undefined });

it.each([
  ['garbage', '\0\0garbage\r\n\r\n', 400, 'malformed_request'],
  ['CONNECT', head('CONNECT localhost:80 HTTP/1.1', 'Host: localhost'), 405, 'method_not_allowed'],
  ['a request and garbage', `${first}\0\r\n\r\n`, 400, 'malformed_request'],
])('answers %s over TLS too, and closes', async (_, bytes, status, code) => {
  const { answers, end, rest } = await sendRaw(twin.origin, bytes, { ca });
  const last = answers.at(-1);
  expect([last?.status, JSON.parse(last?.text ?? '').code]).toEqual([status, code]);
  expect([end, rest]).toEqual(['closed', '']);
  expect(last?.headers).toHaveProperty('x-ratelimit-limit');
});

it.each([
  ['a GET', get('/v1/pets')],
  ['a POST', post(animal)],
])('tells a client that sends %s without TLS to use https://, and closes', async (_, bytes) => {
  const { answers, end, rest } = await sendRaw(twin.origin.replace('https:', 'http:'), bytes);
  expect([answers.map(({ status }) => status), end, rest]).toEqual([[400], 'closed', '']);
  const message = expect.stringContaining('https://');
  const { headers, text } = answers[0] ?? {};
  expect(JSON.parse(text ?? '')).toMatchObject({ code: 'malformed_request', message });
  expect(headers).toMatchObject({ 'content-type': 'application/json', connection: 'close' });
  expect(answers[0]?.headers).toHaveProperty('x-ratelimit-limit');
});

it('stops within bounds while a client never ends its handshake', async () => {
  const one = await openTestTwin({ ...forLocalhost, timeouts: { stop: 300 } });
  const { hostname, port } = new URL(one.origin);
  const silent = connect(Number(port), hostname);
  await once(silent, 'connect');
  const ended = once(silent, 'close');
  silent.on('error', () => {});
  const idle = await openRaw(one.origin, { ca });
  const begun = performance.now();
  await one.close();
  expect(performance.now() - begun).toBeLessThan(2000);
  await ended;
  expect((await idle.finish()).end).toBe('closed');
});

it('prints lines that work when they are pasted, and its address with https', async () => {
  const { tlsCert, tlsKey } = forLocalhost;
  const { stdout } = await serveMock(['--tls-cert', tlsCert, '--tls-key', tlsKey]);
  expect(stdout).toMatch(/^ {2}https:\/\/127\.0\.0\.1:\d+\/v1$/m);
  expect(stdout).toMatch(/Admin .*https:\/\/127\.0\.0\.1:\d+\/__admin$/m);
  expect(await pasteFirst(stdout)).toHaveLength(20);
});

it.each([
  ['by its address', undefined, '--cacert '],
  ['by a name that the certificate is not for', 'twin.localhost', '-k '],
])(
  'shows a request that came %s as a line that works when it is pasted',
  async (_, name, option) => {
    const Host = name && `${name}:${new URL(twin.origin).port}`;
    await fetchOverTls(`${twin.api}/pets/7`, {
      servername: 'localhost',
      headers: { ...bearer('demo-pro'), ...(Host && { Host }) },
    });
    const { text } = await fetchOverTls(`${twin.origin}/__admin/requests/latest/curl`);
    expect(text).toContain(`curl -i ${option}`);
    expect(await paste(`KEY=demo-pro; ${text.trim()}`)).toMatch(/^HTTP\/1\.1 200 [\s\S]*"id":7,/);
  },
);

/** Lets a shell run the line of the banner that lists animals. */
async function pasteFirst(banner: string): Promise<unknown> {
  return JSON.parse(await paste(/listPets +(curl .*)/.exec(banner)?.[1] ?? ''));
}

/** Lets a shell run a line, anywhere but where the twin was started. */
async function paste(line: string): Promise<string> {
  const args = ['-c', `${line} --silent --show-error`];
  return (await promisify(execFile)('bash', args, { cwd: '/' })).stdout;
}

const key = readFileSync(forLocalhost.tlsKey, 'utf8');
const otherKey = readFileSync(forElsewhere.tlsKey, 'utf8');
const encrypted =
  '-----BEGIN ENCRYPTED PRIVATE KEY-----\nAA==\n-----END ENCRYPTED PRIVATE KEY-----\n';
const broken = '-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n';

const noCert = /^--tls-cert CERT contains no PEM certificate \(.+\)\.$/;
const noKey = /^--tls-key KEY contains no PEM private key \(.+\)\.$/;
const unusable = /^--tls-cert CERT cannot be used with --tls-key KEY \(.+\)\.$/;
const hasPassphrase =
  /^--tls-key KEY is encrypted\. Remove the passphrase: openssl pkey -in KEY -out plain\.pem$/;
const foreign = /^--tls-key KEY is not the key of the certificate in --tls-cert CERT\.$/;

it.each([
  ['no PEM', 'text', key, noCert],
  ['a key for the certificate', key, key, noCert],
  ['a broken certificate behind a good one', ca + broken, key, unusable],
  ['no PEM for the key', ca, 'text', noKey],
  ['a certificate for the key', ca, ca, noKey],
  ['an encrypted key', ca, encrypted, hasPassphrase],
  ['the key of another', ca, otherKey, foreign],
])('says in one line that there is %s', async (_, certText, keyText, problem) => {
  const [tlsCert, tlsKey] = [await writeText(certText), await writeText(keyText)];
  const read = () => readIdentity({ tlsCert, tlsKey });
  expect(read).toThrow(UsageError);
  const message = messageOf(read).replaceAll(tlsCert, 'CERT').replaceAll(tlsKey, 'KEY');
  expect(message).toMatch(problem);
  expect(message).not.toContain(key.split('\n')[1]);
});

function messageOf(read: () => unknown): string {
  try {
    return String(read());
  } catch (error) {
    return (error as Error).message;
  }
}

const { tlsCert, tlsKey } = forLocalhost;

it.each<[string[], string]>([
  [['--tls-cert', tlsCert], 'needs --tls-key FILE too, with the key of the certificate.'],
  [['--tls-key', tlsKey], 'needs --tls-cert FILE too, with the certificate of the key.'],
  [['--tls-key', '/a.pem', '--tls-cert', tlsCert], '/a.pem cannot be read: there is no such file.'],
])('ends with 2 and one line for %j', async (args, problem) => {
  const { code, stdout, stderr } = await runMock(['--port', '0', ...args]);
  const expected = { code: 2, stdout: '', stderr: `petstore-twin: ${args[0]} ${problem}\n` };
  expect({ code, stdout, stderr }).toEqual(expected);
});
