import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import tls from 'node:tls';
import { expect, it, onTestFinished, vi } from 'vitest';
import { adminOf } from '../../../support/admin-requests.ts';
import { listenOn } from '../../../support/listen-on.ts';
import { sendRaw } from '../../../support/raw-socket.ts';
import { ca, forLocalhost } from '../../../support/tls.ts';
import { bearer, startTwin } from '../../../support/twin.ts';
import { openSecuredTwin, toSecuredDocument } from '../schemes/secured-document.ts';

type Settings = Parameters<typeof startTwin>[0];

const read = (file: string) => readFileSync(file, 'utf8');

async function listen(server: Server): Promise<string> {
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return listenOn(server);
}

/** A twin that forwards calls to a real service, which answers so, and what that was asked. */
async function forwardTo(answer: RequestListener, settings: Settings = {}) {
  const asked: { method?: string; url?: string; rawHeaders: string[]; body: string }[] = [];
  const origin = await listen(
    createServer(async (request, response) => {
      const { method = '', url = '', rawHeaders } = request;
      const body = Buffer.concat(await request.toArray()).toString('latin1');
      asked.push({ method, url, rawHeaders, body });
      answer(request, response);
    }),
  );
  const forward = `${origin}/base`;
  const forwardOperations = ['listPets', 'createPet'];
  const twin = await startTwin({ forward, forwardOperations, ...settings });
  const journal = () => adminOf(twin).list();
  return { twin, origin, asked, journal };
}

const valuesOf = (raw: string[] = [], name: string) =>
  raw.flatMap((one, at) => (at % 2 === 0 && one.toLowerCase() === name ? [raw[at + 1]] : []));

it('forwards what is named, as it came, and answers the rest itself', async () => {
  const { twin, origin, asked, journal } = await forwardTo((_, response) => {
    const cookies = ['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2'];
    const hop = ['Connection', 'x-hop', 'X-Hop', '1'];
    const own = ['X-Real', 'yes', 'Content-Type', 'application/json'];
    response.writeHead(200, 'Fine', [...own, ...cookies, ...hop]);
    response.end('[ {"id":1} ]');
  });
  const headers = { 'X-Sandbox': 'one', 'X-Own': 'ü', Authorization: 'Bearer real-key' };
  const response = await fetch(`${twin.api}/pets?limit=%32&a=b`, { headers });
  expect([response.status, response.statusText]).toEqual([200, 'Fine']);
  expect(await response.text()).toBe('[ {"id":1} ]');
  expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  expect([response.headers.get('x-real'), response.headers.get('x-hop')]).toEqual(['yes', null]);
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  expect(response.headers.get('x-ratelimit-limit')).toBeNull();
  expect(asked).toMatchObject([{ method: 'GET', url: '/base/pets?limit=%32&a=b', body: '' }]);
  const raw = asked[0]?.rawHeaders;
  expect(valuesOf(raw, 'authorization')).toEqual(['Bearer real-key']);
  expect(valuesOf(raw, 'x-own')).toEqual(['ü']);
  expect(valuesOf(raw, 'host')).toEqual([new URL(origin).host]);
  expect(valuesOf(raw, 'x-sandbox')).toEqual([]);
  const own = await fetch(`${twin.api}/pets/1`, { headers: bearer('demo-free') });
  expect(await own.json()).toMatchObject({ id: 1, name: 'Rex' });
  expect(asked).toHaveLength(1);
  const [ownEntry] = await journal();
  expect(ownEntry?.reason).toEqual({ step: 'behaviour', kind: 'read' });
  const [entry, ...others] = await adminOf(twin, '/sandboxes/one').list();
  const reason = { step: 'forwarded', url: `${origin}/base/pets` };
  expect(entry).toMatchObject({ operation: 'listPets', status: 200, reason });
  expect(entry?.response).toMatchObject({ body: '[ {"id":1} ]', truncated: false });
  expect(others).toEqual([]);
});

it.each(['GET', 'POST'])(
  'frames the body of a %s whose Connection names its length',
  async (method) => {
    const { twin, asked } = await forwardTo((_, response) => response.end('[]'), {
      forwardOperations: ['* *'],
    });
    const smuggled = 'GET /base/pets HTTP/1.1\r\nHost: a\r\n\r\n';
    const path = method === 'POST' ? '/v1/pets' : '/v1/pets/1';
    const fields = ['Host: localhost', `Content-Length: ${smuggled.length}`];
    const named = 'Connection: close, Content-Length, Transfer-Encoding';
    const head = [`${method} ${path} HTTP/1.1`, ...fields, named].join('\r\n');
    await sendRaw(twin.origin, `${head}\r\n\r\n${smuggled}`);
    expect(asked.map((one) => [one.method, one.body])).toEqual([[method, smuggled]]);
  },
);

it.each([
  [['Content-Type', 'text/html'], true],
  [['Content-Type', 'image/svg+xml', 'X-Content-Type-Options', 'none'], true],
  [['Content-Type', 'application/json', 'Content-Type', 'text/html'], true],
  [[], true],
  [['Content-Type', 'application/problem+json; charset=utf-8'], false],
])('isolates content with %j from the origin of the mock', async (fields, isIsolated) => {
  const own = ['Content-Security-Policy', "default-src 'self'"];
  const { twin } = await forwardTo((_, response) => {
    response.writeHead(200, [...fields, ...own]).end('<script>alert(1)</script>');
  });
  const { headers } = await fetch(`${twin.api}/pets`);
  const policy = isIsolated ? "default-src 'self', sandbox" : "default-src 'self'";
  expect(headers.get('content-security-policy')).toBe(policy);
  expect(headers.get('x-content-type-options')).toBe(isIsolated ? 'nosniff' : null);
});

it('replaces the keys of the twin, refuses who has none, and counts nothing', async () => {
  const { twin, asked, journal } = await forwardTo(
    (request, response) => response.end(`you sent ${request.headers.authorization}`),
    { forwardKey: 'real-s3cret' },
  );
  for (const prefer of ['', 'auth=any', 'stateless'])
    expect((await fetch(`${twin.api}/pets`, { headers: { prefer } })).status).toBe(401);
  for (let count = 0; count < 70; count++)
    expect((await fetch(`${twin.api}/pets`, { headers: bearer('demo-free') })).status).toBe(200);
  expect(asked).toHaveLength(70);
  expect(valuesOf(asked[0]?.rawHeaders, 'authorization')).toEqual(['Bearer real-s3cret']);
  const [entry] = await journal();
  expect(entry?.response?.body).toBe('you sent Bearer [Filtered]');
  expect(JSON.stringify(await journal())).not.toContain('real-s3cret');
});

it('puts the key of the service where the document says, beside what else is there', async () => {
  const { origin, asked } = await forwardTo((_, response) => response.end('"way"'));
  const document = toSecuredDocument({ way: [{ query: [], cookie: [], header: [] }] });
  const settings = { forward: origin, forwardOperations: ['way'], forwardKey: 'real/key' };
  const twin = await openSecuredTwin(document, settings);
  onTestFinished(() => twin.close());
  const headers = { Cookie: 'a=1; session=demo-free; b', 'X-Shop-Key': 'demo-free' };
  const response = await fetch(`${twin.api}/way?x=%2F&appid=demo-free&y`, { headers });
  expect([response.status, asked[0]?.url]).toEqual([200, '/way?x=%2F&y&appid=real%2Fkey']);
  const raw = asked[0]?.rawHeaders;
  const sent = ['cookie', 'x-shop-key', 'authorization'].map((name) => valuesOf(raw, name));
  expect(sent).toEqual([['a=1; b; session=real/key'], ['real/key'], []]);
});

it('streams bodies both ways, whatever their length, and retains their beginning', async () => {
  const { twin, asked, journal } = await forwardTo((_, response) => {
    response.write('a'.repeat(100_000));
    setImmediate(() => response.end('b'.repeat(3_000_000)));
  });
  const body = 'ü'.repeat(1_000_000);
  const headers = { 'Content-Type': 'text/anything' };
  const response = await fetch(`${twin.api}/pets`, { method: 'POST', headers, body });
  expect((await response.text()).length).toBe(3_100_000);
  expect(asked[0]?.body.length).toBe(2_000_000);
  expect((await journal())[0]).toMatchObject({
    request: { bytes: 2_000_000, truncated: true },
    response: { bytes: 3_100_000, truncated: true },
  });
});

it('passes what streams before it ends, and ends with the client', async () => {
  const left = Promise.withResolvers<void>();
  const { twin } = await forwardTo((_, response) => {
    response.once('close', () => left.resolve());
    response.write('data: 1\n\n');
  });
  const controller = new AbortController();
  const response = await fetch(`${twin.api}/pets`, { signal: controller.signal });
  const { value } = (await response.body?.getReader().read()) ?? {};
  expect(Buffer.from(value ?? []).toString()).toBe('data: 1\n\n');
  controller.abort();
  await left.promise;
});

const upgrade = 'HTTP/1.1 101 A\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';
const failures: Record<string, RequestListener> = {
  'cannot be used: the connection ended before a complete answer (ECONNRESET).': ({ socket }) =>
    void socket.destroy(),
  'cannot be used: what came is not HTTP (HPE_INVALID_CONSTANT).': ({ socket }) =>
    void socket.end('nothing\r\n\r\n'),
  'redirects to https://x.example/. Forward to where it leads, or describe it.': (_, response) =>
    response.writeHead(308, { Location: 'https://x.example/?key=1' }).end(),
  'switches to another protocol, which is not forwarded.': ({ socket }) =>
    void socket.write(upgrade),
  'cannot be used: what came is not HTTP (HPE_HEADER_OVERFLOW).': (_, response) =>
    response.writeHead(200, { 'X-Big': 'a'.repeat(100_000) }).end(),
};

it.each(Object.entries(failures))('answers 502: the service %s', async (message, answer) => {
  const { twin, origin, journal } = await forwardTo(answer);
  const response = await fetch(`${twin.api}/pets`);
  const error = { code: 'bad_gateway', message: `${origin} ${message}`, status: 502 };
  expect([response.status, await response.json()]).toEqual([502, error]);
  const [entry] = await journal();
  expect(entry?.reason).toMatchObject({ step: 'forwarded', error: 'bad_gateway' });
  expect((await fetch(`${twin.api}/pets/1`, { headers: bearer('demo-free') })).status).toBe(200);
});

it('says so where nothing listens', async () => {
  const twin = await startTwin({ forward: 'http://127.0.0.1:1', forwardOperations: ['* *'] });
  const refused = expect.stringContaining('127.0.0.1:1 cannot be used: the connection was refused');
  expect(await (await fetch(`${twin.api}/pets`)).json()).toMatchObject({ message: refused });
});

it('gives up after 30 seconds without a byte', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { twin, origin } = await forwardTo(() => vi.advanceTimersByTime(30_000));
  const response = await fetch(`${twin.api}/pets`);
  const message = `${origin} has sent nothing for 30 s.`;
  const error = { code: 'gateway_timeout', message, status: 504 };
  expect([response.status, await response.json()]).toEqual([504, error]);
});

it('cuts off what the service cuts off', async () => {
  const { twin, journal } = await forwardTo((_, response) => {
    response.writeHead(200, { 'Content-Length': '10' });
    response.write('begun', () => response.destroy());
  });
  const response = await fetch(`${twin.api}/pets`);
  await expect(response.text()).rejects.toThrow();
  expect((await journal())[0]).toMatchObject({ status: 200, response: { body: 'begun' } });
});

it('speaks TLS with a service whose certificate is trusted', async () => {
  const identity = { cert: read(forLocalhost.tlsCert), key: read(forLocalhost.tlsKey) };
  const origin = await listen(
    createTlsServer(identity, (_, response) => response.end('safe')) as unknown as Server,
  );
  const forward = origin.replace('http://127.0.0.1', 'https://localhost');
  const twin = await startTwin({ forward, forwardOperations: ['listPets'] });
  const message = expect.stringContaining('the certificate is not trusted on this machine');
  expect(await (await fetch(`${twin.api}/pets`)).json()).toMatchObject({ message });
  const trusted = tls.getCACertificates('default');
  tls.setDefaultCACertificates([...trusted, ca]);
  onTestFinished(() => tls.setDefaultCACertificates(trusted));
  expect(await (await fetch(`${twin.api}/pets`)).text()).toBe('safe');
});

it('has faults and preferences come first', async () => {
  const { twin, asked } = await forwardTo((_, response) => response.end('[]'));
  const response = await fetch(`${twin.api}/pets`, { headers: { Prefer: 'code=503' } });
  expect([response.status, asked.length]).toEqual([503, 0]);
});

it('answers preflights of forwarded operations itself', async () => {
  const { twin, asked } = await forwardTo((_, response) => response.end());
  const headers = { Origin: 'http://localhost:3000', 'Access-Control-Request-Method': 'POST' };
  const response = await fetch(`${twin.api}/pets`, { method: 'OPTIONS', headers });
  expect([response.status, asked.length]).toEqual([204, 0]);
});

const unknown = (name: string) =>
  `--forward-operations names "${name}", which is no operation of the document.`;
const forward = 'http://a';

it.each<[settings: Settings, message: string]>([
  [{ forward, forwardOperations: ['listPet'] }, `${unknown('listPet')} Did you mean "listPets"?`],
  [{ forward, forwardOperations: ['GET /nothing/*'] }, unknown('GET /nothing/*')],
  [{ forward }, '--forward needs --forward-operations, such as listPets'],
  [{ forwardOperations: ['listPets'] }, '--forward-operations needs --forward URL'],
  [{ forwardKey: 'x' }, '--forward-key needs --forward URL'],
  [{ forward, forwardKey: 'x', auth: 'any' }, '--auth any and --forward-key exclude'],
])('refuses %o at the start', async (settings, message) => {
  await expect(startTwin(settings)).rejects.toThrow(message);
});

it('takes operations by method and path', async () => {
  const { twin, asked } = await forwardTo((_, response) => response.end('[]'), {
    forwardOperations: ['GET /pets*'],
  });
  const headers = { ...bearer('demo-pro'), 'Content-Type': 'application/json' };
  for (const path of ['/pets', '/pets/7']) await fetch(twin.api + path, { headers });
  const body = '{"name":"Rex","categoryId":1}';
  const made = await fetch(`${twin.api}/pets`, { method: 'POST', headers, body });
  expect(made.status).toBe(201);
  expect(asked.map(({ url }) => url)).toEqual(['/base/pets', '/base/pets/7']);
});

/** Asks for a path as it is, which `fetch` would resolve. */
const getRaw = async (origin: string, path: string) => {
  const head = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer demo-free\r\n`;
  const { answers } = await sendRaw(origin, `${head}Connection: close\r\n\r\n`);
  return answers[0];
};

it.each([
  '/v1/pets/..',
  '/v1/pets/.',
  '/v1/pets/%2e%2e',
  '/v1/pets/%2E.?a=b',
  '/v1/pets/.%2e%2f..%2fowners',
  '/v1/pets/..%5Cowners',
  '/v1/pets/..;a=1',
  '/v1/pets/1%2F..%2F..%2fowners',
])('refuses %s, which a service may resolve to another operation', async (path) => {
  const { twin, asked, journal } = await forwardTo((_, response) => response.end('[]'), {
    forwardOperations: ['GET /pets/*'],
    forwardKey: 'real-s3cret',
  });
  const answer = await getRaw(twin.origin, path);
  expect([answer?.status, asked]).toEqual([400, []]);
  const message =
    'A path that is forwarded must not have a segment "." or "..", percent-encoded or not.';
  const refusal = { code: 'malformed_request', message, status: 400 };
  expect(JSON.parse(answer?.text ?? '')).toEqual(refusal);
  expect((await journal())[0]?.reason).toMatchObject({ error: 'malformed_request' });
});

it.each(['/pets/a..b', '/pets/...', '/pets/1?next=/../a', '/pets/a%7e|"^`{}\\b?c=\'|"'])(
  'forwards %s byte for byte',
  async (path) => {
    const { twin, asked } = await forwardTo((_, response) => response.end('[]'), {
      forwardOperations: ['GET /pets/*'],
    });
    expect((await getRaw(twin.origin, `/v1${path}`))?.status).toBe(200);
    expect(asked.map(({ url }) => url)).toEqual([`/base${path}`]);
  },
);
