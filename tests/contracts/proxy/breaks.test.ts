import { expect, it } from 'vitest';
import { connectTo, openRawTarget, openThrough, type RawEnd, startProxy } from './raw-target.ts';

const get = 'GET /v1/pets HTTP/1.1\r\nHost: localhost\r\n\r\n';
const post = 'POST /v1/pets HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nhalf';

/** A target that sends something for a request, and closes the connection when told to. */
async function openBreaking(sent: string) {
  const news = Promise.withResolvers<() => unknown>();
  const url = await openRawTarget(async (end) => {
    await end.until('\r\n\r\n');
    if (sent !== '') await new Promise((resolve) => end.socket.write(sent, resolve));
    news.resolve(() => end.socket.end());
  });
  return { url, breakNow: async () => (await news.promise)() };
}

it.each(['', 'HTTP/1.1 2'])(
  'ends the connection of the client as the target does before a response: after "%s"',
  async (sent) => {
    const target = await openBreaking(sent);
    const proxy = await startProxy(target.url);
    const client = await connectTo(proxy.origin);
    client.send(get);
    await target.breakNow();
    expect((await client.over()).bytes).toBe('');
    expect(proxy.recorded).toMatchObject([{ failure: { kind: 'dropped' } }]);
    expect(proxy.recorded[0]).not.toHaveProperty('response');
  },
);

it.each([
  'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf',
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n',
])('ends the connection as the target does within a response', async (sent) => {
  const target = await openBreaking(sent);
  const proxy = await startProxy(target.url);
  const client = await connectTo(proxy.origin);
  client.send(get);
  await client.until('half');
  await target.breakNow();
  expect((await client.over()).bytes).toBe(sent);
  expect(proxy.recorded).toMatchObject([
    {
      failure: { kind: 'cut-off', message: '200, and then the connection ended within the body' },
      response: { status: 200 },
    },
  ]);
});

it('ends the connection of the target where the client leaves before it has sent all', async () => {
  let target: RawEnd | undefined;
  const { proxy, client } = await openThrough((end) => {
    target = end;
  });
  client.send(post);
  await expect.poll(() => target?.received()).toContain('half');
  client.socket.end();
  await target?.over();
  await expect.poll(() => proxy.count().underWay).toBe(0);
  expect(proxy.recorded).toMatchObject([{ failure: { kind: 'aborted' } }]);
});

it('stops the target where the client leaves within a response', async () => {
  let target: RawEnd | undefined;
  const { proxy, client } = await openThrough(async (end) => {
    target = end;
    await end.until('\r\n\r\n');
    end.send('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf');
  });
  client.send(get);
  await client.until('half');
  client.socket.resetAndDestroy();
  await target?.over();
  await expect.poll(() => proxy.recorded).toHaveLength(1);
  expect(proxy.recorded[0]).toMatchObject({ response: { status: 200, body: { isCut: true } } });
  expect(proxy.recorded[0]).not.toHaveProperty('failure');
});

it('records a call that is still without an answer when it ends', async () => {
  const { proxy, client } = await openThrough(() => {});
  client.send(get);
  await expect.poll(() => proxy.count()).toEqual({ passed: 0, underWay: 1 });
  await proxy.close({ grace: 0 });
  expect(proxy.recorded).toMatchObject([
    { failure: { kind: 'aborted', message: 'the proxy ended before the answer' } },
  ]);
});

it('closes an idle connection of a client when the target closes its own', async () => {
  const response = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
  let target: RawEnd | undefined;
  const { client } = await openThrough(async (end) => {
    target = end;
    await end.until('\r\n\r\n');
    end.send(response);
  });
  client.send(get);
  await client.until('ok');
  target?.socket.end();
  expect(await client.over()).toEqual({ bytes: response, end: 'closed' });
});
