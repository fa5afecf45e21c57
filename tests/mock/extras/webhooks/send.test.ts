import type { lookup } from 'node:dns';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createSend } from '../../../../mock/extras/webhooks/send.ts';
import { expectAnswer } from '../../../support/expect-answer.ts';
import { startReceiver } from '../../../support/webhook-receiver.ts';

const outgoing = { method: 'POST', headers: {}, body: '{}' };

const sendTo = (url: string, more: object = {}, settings: object = {}) =>
  createSend({ hosts: [], ...settings })({ ...outgoing, url, ...more });

/** Resolves every host to an address. */
function toLookup(address: string, family: 4 | 6 = 4): typeof lookup {
  // biome-ignore lint/suspicious/noExplicitAny: lookup has forms that nothing here uses.
  return ((_host: string, _options: object, callback: any) =>
    callback(null, [{ address, family }])) as never;
}

it('gives the status and the beginning of an answer', async () => {
  const { url, received } = await startReceiver((response) => response.writeHead(202).end('taken'));
  expect(await sendTo(url)).toEqual({ status: 202, answer: 'taken' });
  expect(received).toMatchObject([{ method: 'POST', body: '{}' }]);
});

const moved =
  'the receiver answered 302 with http://example.com/, and redirects are not followed; give the final URL';

it.each([
  [500, {}, 'the receiver answered 500'],
  [410, {}, 'the receiver answered 410, and gets no more webhooks until the next reset'],
  [302, { Location: 'http://example.com/?token=hidden' }, moved],
])('says that a receiver answered %i', async (status, headers, problem) => {
  const { url, received } = await startReceiver((response) =>
    response.writeHead(status, headers).end(),
  );
  expect(await sendTo(url)).toEqual({ status, answer: '', problem });
  expect(received).toHaveLength(1);
});

it.each([
  ['a receiver that hangs', false, 5],
  ['one that hung before', true, 1],
])('does not wait for %s', async (_, wasLate, seconds) => {
  const controller = new AbortController();
  const { url } = await startReceiver(() => controller.abort());
  const timeout = vi.fn((_seconds: number) => controller.signal);
  const problem = `the receiver did not answer within ${seconds} s`;
  expect(await sendTo(url, { wasLate }, { timeout })).toEqual({ isLate: true, problem });
  expect(timeout.mock.calls).toEqual([[seconds]]);
});

it('ends a try whose receiver switches to another protocol', async () => {
  const url = await startRaw((socket) =>
    socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'),
  );
  expect(await sendTo(url)).toEqual({ status: 101, problem: 'the receiver answered 101' });
});

const ok = 'HTTP/1.1 200 OK\r\n';

it.each([
  ['closes without an answer', 'POST', '', /^the connection failed \(ECONNRESET\)$/],
  ['accepts a tunnel', 'CONNECT', `${ok}\r\n`, /\(it was closed without an answer\)$/],
  ['sends half of its headers', 'POST', `${ok}A: `, /^the connection failed/],
  ['sends half of its body', 'POST', `${ok}Content-Length: 9\r\n\r\na`, /failed/],
])('ends a try whose receiver %s, and ends', async (_, method, answer, problem) => {
  const url = await startRaw((socket) => socket.end(answer));
  expect(await sendTo(url, { method })).toEqual({ problem: expect.stringMatching(problem) });
});

const late = { isLate: true };

it.each([
  ['says nothing', 'POST', '', late],
  ['accepts a tunnel', 'CONNECT', 'HTTP/1.1 200 OK\r\n\r\n', { problem: expect.any(String) }],
  ['sends half of its headers', 'POST', 'HTTP/1.1 200 OK\r\nA: ', late],
  ['tells for ever that it goes on', 'POST', 'HTTP/1.1 102 Processing\r\n\r\n', late],
])('ends a try whose receiver %s, and stays connected', async (_, method, answer, outcome) => {
  const url = await startRaw((socket) => {
    const timer = setInterval(() => socket.write(answer), 10);
    socket.on('close', () => clearInterval(timer));
  });
  const timeout = () => AbortSignal.timeout(200);
  expect(await sendTo(url, { method }, { timeout })).toMatchObject(outcome);
});

it('does not wait for a name server that never answers', async () => {
  const timeout = () => AbortSignal.timeout(50);
  const lookup = (() => {}) as never;
  expect(await sendTo('http://hook.test/', {}, { timeout, lookup })).toMatchObject(late);
});

it('does not wait for an answer that never ends', async () => {
  const controller = new AbortController();
  const { url } = await startReceiver((response) => {
    response.writeHead(200).write('x');
    controller.abort();
  });
  expect(await sendTo(url, {}, { timeout: () => controller.signal })).toMatchObject(late);
});

it('reads 64 KiB of an answer, however long it is', async () => {
  let written = 0;
  const { url } = await startReceiver((response) => {
    const part = 'x'.repeat(65_536);
    const goOn = () => {
      while (!response.destroyed && written < 2 ** 30 && response.write(part))
        written += part.length;
    };
    response.writeHead(200).on('drain', goOn);
    goOn();
  });
  const problem = 'the receiver answered 200 with more than 64 KiB, of which the rest was not read';
  expect(await sendTo(url)).toEqual({ status: 200, answer: 'x'.repeat(1000), problem });
  expect(written).toBeLessThan(2 ** 28);
});

it('says that nothing listens', async () => {
  const { url } = await startReceiver((response) => response.socket?.destroy());
  expect(await sendTo(url)).toEqual({ problem: 'the connection failed (ECONNRESET)' });
  expect(await sendTo('http://127.0.0.1:1/')).toEqual({ problem: 'nothing listens there' });
});

it.each(['http://192.0.2.1/', 'http://[2001:db8::1]/', 'http://0x7f.1.2.3.4.example/'])(
  'refuses %s',
  async (url) => {
    const lookup = toLookup('192.0.2.1');
    const { isRefused, problem } = await sendTo(url, {}, { lookup });
    expect(isRefused).toBe(true);
    expect(problem).toMatch(/^webhooks are sent to this machine only, and not to .* allows it$/);
  },
);

it.each(['file:///etc/passwd', 'http://', 'nowhere'])(
  'refuses %s, which is no URL of HTTP',
  async (url) => {
    const problem = 'its URL must begin with http:// or https://';
    expect(await sendTo(url)).toEqual({ isRefused: true, problem });
  },
);

it('refuses a name of this machine that leads elsewhere at that moment', async () => {
  const { url } = await startReceiver();
  const elsewhere = { lookup: toLookup('192.0.2.1') };
  const named = url.replace('127.0.0.1', 'localhost');
  expect(await sendTo(named, {}, elsewhere)).toEqual({
    isRefused: true,
    problem:
      'webhooks are sent to this machine only, and not to localhost, which is 192.0.2.1; --webhook-hosts localhost allows it',
  });
  const here = { lookup: toLookup('127.0.0.1') };
  expectAnswer(await sendTo(url.replace('127.0.0.1', 'hook.test'), {}, here), 204);
  expectAnswer(await sendTo(named, {}, { ...elsewhere, hosts: ['localhost'] }), 204);
});

/** A server of TCP on loopback that ends with the test; it answers whatever it is sent. */
async function startRaw(answer: (socket: Socket) => void): Promise<string> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => {}));
    socket.once('data', () => answer(socket));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
