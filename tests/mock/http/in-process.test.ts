import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, it, vi } from 'vitest';
import { createInProcess } from '../../../mock/http/in-process.ts';

const url = 'http://twin.localhost/v1';

function serve(handle: RequestListener) {
  return createInProcess(handle, {});
}

it('passes a request as fetch sends it, and its answer, with repeated headers', async () => {
  const seen: unknown[] = [];
  const { fetch } = serve(async (request, response) => {
    seen.push(request.method, request.url, request.headers, await text(request));
    response.writeHead(201, 'Made', [...['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2']]);
    response.end('ä', 'utf8');
  });
  const response = await fetch(`${url}/pets?limit=2#part`, { method: 'POST', body: 'hi' });
  const own = { host: 'twin.localhost', accept: '*/*', 'user-agent': 'node' };
  const sent = { 'content-type': 'text/plain;charset=UTF-8', 'content-length': '2' };
  const headers = { ...own, ...sent, 'accept-language': '*', 'sec-fetch-mode': 'cors' };
  expect(seen).toEqual(['POST', '/v1/pets?limit=2', headers, 'hi']);
  const { status, statusText, ok, redirected } = response;
  expect([status, statusText, ok, redirected]).toEqual([201, 'Made', true, false]);
  expect(response.url).toBe(`${url}/pets?limit=2`);
  expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  expect(response.headers.get('connection')).toBeNull();
  expect(await response.text()).toBe('ä');
});

it('passes bytes both ways as they are', async () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, n) => n);
  const { fetch } = serve((request, response) => void request.pipe(response));
  const response = await fetch(url, { method: 'PUT', body: bytes });
  expect(await response.bytes()).toEqual(bytes);
});

it('streams the body of a request, chunked, and the content of an answer as it comes', async () => {
  let answer: ServerResponse | undefined;
  const { fetch } = serve(async (request, response) => {
    expect(request.headers['transfer-encoding']).toBe('chunked');
    expect(await text(request)).toBe('one two three');
    answer = response;
    response.write('data: 1\n\n');
  });
  const body = ReadableStream.from(['one ', 'two ', 'three'].map((part) => Buffer.from(part)));
  const response = await fetch(url, { method: 'POST', body, duplex: 'half' } as RequestInit);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  expect(await reader?.read()).toEqual({ done: false, value: 'data: 1\n\n' });
  answer?.end('data: 2\n\n');
  expect(await reader?.read()).toEqual({ done: false, value: 'data: 2\n\n' });
  expect(await reader?.read()).toMatchObject({ done: true });
});

it('passes what has come of the body of a request, and the rest once it comes', async () => {
  const { fetch } = serve(async (request, response) => {
    request.once('data', (chunk) => {
      expect([String(chunk), request.headers['transfer-encoding']]).toEqual(['one ', 'chunked']);
      setTimeout(() => {
        stream?.enqueue(Buffer.from('two'));
        stream?.close();
      });
    });
    response.end(await text(request));
  });
  let stream: ReadableStreamDefaultController | undefined;
  const body = new ReadableStream({
    start: (controller) => {
      stream = controller;
      controller.enqueue(Buffer.from('one '));
    },
  });
  const response = await fetch(url, { method: 'POST', body, duplex: 'half' } as RequestInit);
  expect(await response.text()).toBe('one two');
});

it('sends the length of what is in memory', async () => {
  const { fetch } = serve(({ headers }, response) => response.end(headers['content-length']));
  const bodies = ['ä', '', Buffer.alloc(70_000), new URLSearchParams('a=b'), new Blob(['abcd'])];
  const lengths = bodies.map(async (body) => (await fetch(url, { method: 'POST', body })).text());
  expect(await Promise.all(lengths)).toEqual(['2', '0', '70000', '3', '4']);
});

it.each([
  ['HEAD', 200],
  ['GET', 204],
  ['GET', 304],
])('has no content for %s with %i', async (method, status) => {
  const { fetch } = serve((_, response) => response.writeHead(status, { 'X-A': 'b' }).end());
  const { status: answered, body, headers } = await fetch(url, { method });
  expect([answered, body, headers.get('x-a')]).toEqual([status, null, 'b']);
});

it('waits with a long content until it is read, and goes on to the end', async () => {
  const chunk = Buffer.alloc(2 * 1024 * 1024, 'a');
  let written = 0;
  const { fetch } = serve(async (_, response) => {
    for (let count = 0; count < 5; count++)
      await new Promise((resolve) => {
        response.write(chunk, resolve);
        written += 1;
      });
    response.end();
  });
  const response = await fetch(url);
  expect(written).toBe(1);
  expect((await response.bytes()).length).toBe(5 * chunk.length);
});

it('has a stream that is piped into a long content go on', async () => {
  const chunk = Buffer.alloc(64 * 1024, 'a');
  const chunks = Array.from({ length: 80 }, () => chunk);
  const { fetch } = serve((_, response) => void Readable.from(chunks).pipe(response));
  expect((await (await fetch(url)).bytes()).length).toBe(80 * chunk.length);
});

type Break = (request: IncomingMessage, response: ServerResponse) => void;

it.each<[what: string, act: Break, code: string]>([
  ['is reset', ({ socket }) => void socket.resetAndDestroy(), 'ECONNRESET'],
  ['is closed', ({ socket }) => void socket.end(), 'UND_ERR_SOCKET'],
  ['is no HTTP', ({ socket }) => void socket.write('\x80nothing'), 'HPE_INVALID_CONSTANT'],
])('rejects with a TypeError where an answer %s', async (_, act, code) => {
  const { fetch } = serve(act);
  const error = await fetch(url).catch((reason) => reason);
  expect(error).toBeInstanceOf(TypeError);
  expect([error.message, error.cause.code]).toEqual(['fetch failed', code]);
});

it.each<[what: string, act: Break]>([
  ['that is cut off', ({ socket }, response) => response.write('a', () => void socket.destroy())],
  [
    'whose chunks are none',
    ({ socket }, response) => {
      response.writeHead(200, { 'Transfer-Encoding': 'chunked' }).flushHeaders();
      socket.write('\x80nothing');
    },
  ],
])('has a content %s rejected with a TypeError', async (_, act) => {
  const response = await serve(act).fetch(url);
  await expect(response.text()).rejects.toThrow(new TypeError('terminated'));
});

it('is aborted before an answer and within its content, and the handler notices', async () => {
  const onClose = vi.fn();
  const { fetch } = serve((request, response) => {
    response.once('close', onClose);
    if (request.url === '/v1/begun') response.write('begun');
  });
  const [early, late] = [new AbortController(), new AbortController()];
  const pending = fetch(url, { signal: early.signal });
  setImmediate(() => early.abort(new Error('enough')));
  await expect(pending).rejects.toThrow('enough');
  const response = await fetch(`${url}/begun`, { signal: late.signal });
  late.abort();
  await expect(response.text()).rejects.toMatchObject({ name: 'AbortError' });
  await expect(fetch(url, { signal: late.signal })).rejects.toMatchObject({ name: 'AbortError' });
  await vi.waitFor(() => expect(onClose).toHaveBeenCalledTimes(2));
});

it('is aborted while the body of its request does not come, which is cancelled', async () => {
  const { fetch } = serve(() => {});
  const cancel = vi.fn();
  const body = new ReadableStream({ cancel });
  const controller = new AbortController();
  const init = { method: 'POST', body, duplex: 'half', signal: controller.signal };
  const pending = fetch(url, init as RequestInit);
  setImmediate(() => controller.abort(new Error('enough')));
  await expect(pending).rejects.toThrow('enough');
  expect(cancel).toHaveBeenCalledOnce();
});

it('tells the handler that a reader has left', async () => {
  const left = Promise.withResolvers<void>();
  const { fetch } = serve((_, response) => {
    response.once('close', () => left.resolve());
    response.write('begun');
  });
  await (await fetch(url)).body?.cancel();
  await left.promise;
});

it('follows redirects as the request says', async () => {
  const { fetch } = serve((request, response) => {
    if (request.url === '/end')
      response.end(`${request.method} ${request.headers['content-type']}`);
    else if (request.url === '/loop') response.writeHead(302, { Location: '/loop' }).end();
    else response.writeHead(Number(request.url?.slice(1)), { Location: '/end' }).end();
  });
  const to = (path: string, init?: RequestInit) => fetch(`http://a.localhost${path}`, init);
  const followed = await to('/303', { method: 'POST', body: 'x' });
  expect(followed).toMatchObject({ redirected: true, url: 'http://a.localhost/end' });
  expect(await followed.text()).toBe('GET undefined');
  expect(await (await to('/307', { method: 'DELETE' })).text()).toBe('DELETE undefined');
  expect(await to('/302', { redirect: 'manual' })).toMatchObject({ status: 302 });
  await expect(to('/302', { redirect: 'error' })).rejects.toThrow(TypeError);
  await expect(to('/308', { method: 'PUT', body: 'x' })).rejects.toThrow(TypeError);
  await expect(to('/loop')).rejects.toThrow(TypeError);
});

it('answers what is under way when it closes, and refuses what comes then', async () => {
  let answer: ServerResponse | undefined;
  const { fetch, close } = serve((_, response) => {
    answer = response;
  });
  const pending = fetch(url);
  await vi.waitFor(() => expect(answer).toBeDefined());
  const closed = close(60_000);
  answer?.end('late');
  expect(await (await pending).text()).toBe('late');
  await closed;
  await expect(fetch(url)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
});

it('cuts off what never ends when it closes', async () => {
  const { fetch, close } = serve((_, response) => void response.write('begun'));
  const response = await fetch(url);
  await close(1);
  await expect(response.text()).rejects.toThrow(new TypeError('terminated'));
});
