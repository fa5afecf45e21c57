import { expect, it } from 'vitest';
import { openRawTarget, openThrough, type RawEnd, startProxy } from './raw-target.ts';

const get = 'GET /v1/pets HTTP/1.1\r\nHost: localhost\r\n\r\n';
const last = 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nlast';

/**
 * Returns what a client receives that sends a request and then another one on the same connection.
 */
async function receiveBoth(request: string, response: string) {
  const { proxy, client } = await openThrough(async (end) => {
    await end.until('\r\n\r\n');
    end.send(response);
    await end.until('/last');
    end.send(last);
  });
  client.send(request);
  await client.until('\r\n\r\n');
  client.send(get.replace('/v1/pets', '/last'));
  await client.until('last');
  return { received: client.received(), recorded: proxy.recorded };
}

it.each([
  ['HEAD with the length of a body', 'HEAD', 'HTTP/1.1 200 OK\r\nContent-Length: 1234\r\n\r\n'],
  [
    'HEAD with the chunks of a body',
    'HEAD',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n',
  ],
  ['204', 'GET', 'HTTP/1.1 204 No Content\r\n\r\n'],
  ['204 with a length', 'DELETE', 'HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n'],
  ['304', 'GET', 'HTTP/1.1 304 Not Modified\r\nETag: "a"\r\nContent-Length: 99\r\n\r\n'],
])('passes a response without a body as it is: %s', async (_, method, response) => {
  const { received } = await receiveBoth(get.replace('GET', method), response);
  expect(received).toBe(response + last);
});

const chunks = '2\r\nok\r\n0\r\n\r\n';

it.each([
  [
    '204 with chunks',
    'GET',
    'HTTP/1.1 204 No Content\r\nTransfer-Encoding: chunked\r\n\r\n',
    chunks,
  ],
  ['204 with a body', 'GET', 'HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\n', 'ok'],
  ['304 with a body', 'GET', 'HTTP/1.1 304 Not Modified\r\nContent-Length: 2\r\n\r\n', 'ok'],
  ['HEAD with a body', 'HEAD', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n', 'ok'],
  ['more than its length', 'GET', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok', 'more'],
  ['a second response', 'GET', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok', last],
])(
  'passes a whole response without what follows it, and ends there: %s',
  async (_, method, response, more) => {
    const { proxy, client } = await openThrough(response + more);
    client.send(get.replace('GET', method));
    expect(await client.over()).toEqual({ bytes: response, end: 'closed' });
    expect(proxy.recorded).toHaveLength(1);
    expect(proxy.recorded[0]).not.toHaveProperty('failure');
  },
);

it.each([102, 103, 199])('passes an interim response on: %i', async (status) => {
  const interim = `HTTP/1.1 ${status} Soon\r\nLink: </a>; rel=preload\r\n\r\n`;
  const { received, recorded } = await receiveBoth(get, interim + last.replace('last', 'body'));
  expect(received).toBe(interim + last.replace('last', 'body') + last);
  expect(recorded.map(({ response }) => response?.status)).toEqual([200, 200]);
});

it.each(['', 'Upgrade: x\r\nConnection: Upgrade\r\n'])(
  'answers 502 for a change of the protocol that nothing asked for: %j',
  async (headers) => {
    let target: RawEnd | undefined;
    const { proxy, client } = await openThrough(async (end) => {
      target = end;
      await end.until('\r\n\r\n');
      end.send(`HTTP/1.1 101 Switching Protocols\r\n${headers}\r\n`);
    });
    client.send(get);
    expect((await client.over()).bytes).toMatch(
      /^HTTP\/1\.1 502 .+101 Switching Protocols, which/s,
    );
    expect(proxy.recorded).toMatchObject([{ failure: { kind: 'not-http' } }]);
    await target?.over();
  },
);

it('ends a body without a length as the target does, by the end of the connection', async () => {
  const response = 'HTTP/1.1 200 OK\r\nX-A: 1\r\n\r\nall of it';
  const { proxy, client } = await openThrough(async (end) => {
    await end.until('\r\n\r\n');
    end.socket.end(response);
  });
  client.send(get);
  expect(await client.over()).toEqual({ bytes: response, end: 'closed' });
  expect(proxy.recorded).toMatchObject([{ response: { status: 200 } }]);
  expect(proxy.recorded[0]).not.toHaveProperty('failure');
});

it('speaks HTTP/1.0 with a client that does: no chunks', async () => {
  const { target, client } = await openThrough(
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n',
    { via: true },
  );
  client.send('GET /v1/pets HTTP/1.0\r\n\r\n');
  expect(await client.over()).toEqual({ bytes: 'HTTP/1.1 200 OK\r\n\r\nok', end: 'closed' });
  const { host } = new URL(target.url);
  expect(target.received()).toBe(
    `GET /v1/pets HTTP/1.1\r\nHost: ${host}\r\nVia: 1.0 petstore-twin\r\n\r\n`,
  );
});

it('passes the head of a response before there is a body', async () => {
  const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
  const { client } = await openThrough(async (end) => {
    await end.until('\r\n\r\n');
    end.send(head);
  });
  client.send(get);
  expect(await client.until('\r\n\r\n')).toBe(head);
});

it('passes the head of a request before there is a body', async () => {
  const { client } = await openThrough(async (end) => {
    await end.until('\r\n\r\n');
    end.send('HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\nno');
  });
  client.send('POST /v1/pets HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n');
  expect(await client.until('no')).toMatch(/^HTTP\/1\.1 413 Too Large\r\n/);
});

it('lets a client send the body that waits for 100 Continue', async () => {
  const { client } = await openThrough(async (end) => {
    await end.until('body');
    end.send(last);
  });
  client.send(
    'POST /v1/pets HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n',
  );
  await client.until('100 Continue\r\n\r\n');
  client.send('body');
  expect(await client.until('last')).toBe(`HTTP/1.1 100 Continue\r\n\r\n${last}`);
});

it('holds the target back while the client does not read, and loses nothing', async () => {
  const size = 64 * 1024 * 1024;
  let written = 0;
  const target = await openRawTarget(async (end) => {
    await end.until('\r\n\r\n');
    end.send(`HTTP/1.1 200 OK\r\nContent-Length: ${size}\r\n\r\n`);
    const chunk = Buffer.alloc(1024 * 1024, 'x');
    const more = () => {
      while (written < size) {
        written += chunk.length;
        if (!end.socket.write(chunk)) return;
      }
    };
    end.socket.on('drain', more);
    more();
  });
  const proxy = await startProxy(target, { maxBody: 1024 });
  const response = await fetch(`${proxy.origin}/v1/pets`);
  const before = process.memoryUsage().arrayBuffers;
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(written).toBeLessThan(size);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(size / 2);
  expect((await response.arrayBuffer()).byteLength).toBe(size);
  await expect.poll(() => proxy.recorded).toHaveLength(1);
  expect(proxy.recorded[0]?.response?.body).toMatchObject({ isCut: true });
  expect(proxy.recorded[0]?.response?.body.bytes).toHaveLength(1024);
});
