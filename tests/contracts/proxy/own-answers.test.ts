import { expect, it } from 'vitest';
import { findFreePort } from '../../support/free-port.ts';
import { connectTo, openRawTarget, openThrough, startProxy } from './raw-target.ts';

const get = 'GET /v1/pets HTTP/1.1\r\nHost: localhost\r\n\r\n';
const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

/** Returns what the proxy answers in place of the target. */
async function readOwn(bytes: string, origin: string) {
  const client = await connectTo(origin);
  client.send(bytes);
  const { bytes: received } = await client.over();
  const [head = '', body = ''] = received.split('\r\n\r\n');
  return {
    status: Number(/^HTTP\/1\.1 (\d+) /.exec(head)?.[1]),
    isOwn: /^Proxy-Status: petstore-twin\r?$/m.test(head),
    body: body === '' ? undefined : JSON.parse(body),
  };
}

const refused =
  'the connection was refused (ECONNREFUSED); check that it is running and that the address is right';

it('answers 502 for a target that is not there', async () => {
  const proxy = await startProxy(`http://127.0.0.1:${await findFreePort()}/v1`);
  expect(await readOwn(get, proxy.origin)).toEqual({
    status: 502,
    isOwn: true,
    body: {
      status: 502,
      code: 'target_unreachable',
      message: `The proxy got no answer from the target: ${refused}.`,
    },
  });
  expect(proxy.recorded).toMatchObject([
    { failure: { kind: 'unreachable', message: refused }, request: { method: 'GET' } },
  ]);
});

it('answers 502 although a large body is on its way', async () => {
  const proxy = await startProxy(`http://127.0.0.1:${await findFreePort()}/v1`);
  const response = await fetch(`${proxy.origin}/v1/pets`, {
    method: 'POST',
    body: 'x'.repeat(4 * 1024 * 1024),
  });
  expect(response.status).toBe(502);
});

it.each([
  ['no HTTP', 'SSH-2.0-OpenSSH_9\r\n', 'not-http'],
  ['a status that is none', 'HTTP/1.1 099 No\r\nContent-Length: 0\r\n\r\n', 'not-http'],
  ['a reason that is none', 'HTTP/1.1 200 O\x00K\r\nContent-Length: 0\r\n\r\n', 'not-http'],
  ['headers without end', `HTTP/1.1 200 OK\r\nX: ${'a'.repeat(300_000)}\r\n\r\n`, 'too-large'],
] as const)('answers 502 for a target that sends %s', async (_, response, kind) => {
  const { proxy, client } = await openThrough(response);
  client.send(get);
  const { bytes } = await client.over();
  expect(bytes).toContain(`HTTP/1.1 502 Bad Gateway\r\n`);
  expect(proxy.recorded).toMatchObject([{ failure: { kind } }]);
});

it('answers 504 for a target that says nothing for the idle time', async () => {
  const target = await openRawTarget(() => {});
  const proxy = await startProxy(target, { idleTimeout: 50 });
  expect(await readOwn(get, proxy.origin)).toMatchObject({
    status: 504,
    body: { code: 'target_timeout' },
  });
  expect(proxy.recorded).toMatchObject([
    { failure: { kind: 'timeout', message: 'no answer within 0.05 s' } },
  ]);
});

it('ends the connection of a client whose body stops for the idle time, and blames nobody', async () => {
  const { proxy, client } = await openThrough(() => {}, { idleTimeout: 50 });
  client.send('POST /v1/pets HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nhalf');
  expect((await client.over()).bytes).toBe('');
  expect(proxy.recorded).toMatchObject([{ failure: { kind: 'aborted' } }]);
});

it('breaks off a response that stops for the idle time', async () => {
  const half = 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf';
  const { proxy, client } = await openThrough(half, { idleTimeout: 50 });
  client.send(get);
  expect(await client.over()).toEqual({ bytes: half, end: 'closed' });
  expect(proxy.recorded).toMatchObject([
    { failure: { kind: 'timeout', message: 'an answer that stopped for 0.05 s' } },
  ]);
});

const malformed: Record<string, [request: string, status: number, code: string]> = {
  'a folded header': ['GET / HTTP/1.1\r\nHost: a\r\nX: 1\r\n 2\r\n\r\n', 400, 'malformed_request'],
  'a space before the colon': ['GET / HTTP/1.1\r\nHost : a\r\n\r\n', 400, 'malformed_request'],
  'two lengths': [
    'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
    400,
    'malformed_request',
  ],
  'a length and chunks': [
    'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
    400,
    'malformed_request',
  ],
  'no HTTP': ['hello\r\n\r\n', 501, 'unknown_method'],
  'an unknown method': ['FROB /v1/pets HTTP/1.1\r\nHost: localhost\r\n\r\n', 501, 'unknown_method'],
  'two Hosts': [
    'GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n',
    400,
    'invalid_host',
  ],
  'a Host that is none': ['GET / HTTP/1.1\r\nHost: [::1\r\n\r\n', 400, 'invalid_host'],
  'a host that a page could have sent': [
    'GET /v1/pets HTTP/1.1\r\nHost: evil.example\r\n\r\n',
    403,
    'host_not_allowed',
  ],
  'an absolute URL': [
    'GET http://localhost/v1/pets HTTP/1.1\r\nHost: localhost\r\n\r\n',
    400,
    'malformed_request',
  ],
  'a tunnel': ['CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n', 501, 'no_tunnel'],
  'a WebSocket': [
    'GET /v1/pets HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    501,
    'no_tunnel',
  ],
  'headers without end': [
    `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'a'.repeat(300_000)}`,
    431,
    'headers_too_large',
  ],
};

it.each(Object.entries(malformed))('refuses %s, and says why', async (_, [bytes, status, code]) => {
  const target = await openRawTarget(() => {});
  const proxy = await startProxy(target);
  const own = await readOwn(bytes, proxy.origin);
  expect(own).toMatchObject({
    status,
    body: { status, code, message: expect.stringMatching(/\.$/) },
  });
  expect(own.isOwn).toBe(true);
  expect(proxy.recorded).toEqual([]);
});

it('serves the hosts that it is told to', async () => {
  const { client } = await openThrough(ok, { allowedHosts: ['proxy.test'] });
  client.send(get.replace('localhost', 'Proxy.test:4011'));
  expect(await client.until('ok')).toBe(ok);
});

it('passes a request that offers HTTP/2, and keeps to HTTP/1.1', async () => {
  const { target, client } = await openThrough(ok);
  client.send(
    get.replace(
      '\r\n\r\n',
      '\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: A\r\n\r\n',
    ),
  );
  expect(await client.until('ok')).toBe(ok);
  expect(target.received()).not.toMatch(/h2c|HTTP2|Connection/);
});

it('passes large and many headers whole', async () => {
  const lines = Array.from({ length: 3000 }, (_, at) => `X-${at}: ${'a'.repeat(40)}\r\n`).join('');
  const response = `HTTP/1.1 200 OK\r\n${lines}Content-Length: 2\r\n\r\nok`;
  const { target, client } = await openThrough(response);
  client.send(get.replace('\r\n\r\n', `\r\n${lines}\r\n`));
  expect(await client.until('\r\n\r\nok')).toBe(response);
  expect(target.received()).toContain(lines);
});

it('ends what is under way before it closes, and starts nothing new', async () => {
  const go = Promise.withResolvers<void>();
  const { proxy, client } = await openThrough(async (end) => {
    await end.until('\r\n\r\n');
    await go.promise;
    end.send(ok);
  });
  client.send(get);
  await expect.poll(() => proxy.count()).toEqual({ passed: 0, underWay: 1 });
  const closed = proxy.close({ grace: 10_000 });
  await expect(fetch(`${proxy.origin}/v1/pets`)).rejects.toThrow('fetch failed');
  go.resolve();
  const { bytes } = await client.over();
  expect(bytes).toBe(ok);
  await closed;
});
