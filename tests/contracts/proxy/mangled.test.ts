import fc from 'fast-check';
import { expect, it } from 'vitest';
import { connectTo, openRawTarget, startProxy } from './raw-target.ts';

const request =
  'POST /v1/pets?a=b HTTP/1.1\r\nHost: localhost\r\nX-A: 1\r\nTrailer: X-Sum\r\nConnection: keep-alive, TE\r\nTE: trailers\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nX-Sum: 1\r\n\r\n';
const response =
  'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nTrailer: X-Sum\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-Sum: 1\r\n\r\n';
const marker = 'GET /marker HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';

/** A message with bytes changed, repeated or left out, and the place where it is cut in two. */
const mangled = (message: string) =>
  fc
    .record({
      edits: fc.array(
        fc.record({
          at: fc.nat(message.length),
          cut: fc.nat(6),
          put: fc.oneof(
            fc.constantFrom(
              '\r\n',
              '\r\n\r\n',
              '0',
              '\x00',
              '\xff',
              ' ',
              ':',
              ',',
              '101',
              '204',
              'HEAD',
            ),
            fc.string({ maxLength: 4 }),
          ),
        }),
        { maxLength: 4 },
      ),
      pause: fc.nat(message.length),
      end: fc.constantFrom('stay', 'close', 'reset'),
    })
    .map(({ edits, pause, end }) => ({
      pause,
      end,
      bytes: edits.reduce(
        (text, { at, cut, put }) => text.slice(0, at) + put + text.slice(at + cut),
        message,
      ),
    }));

it('survives whatever clients and targets send, and serves the next one', async () => {
  let next = { bytes: response, pause: 0, end: 'stay' };
  const target = await openRawTarget(async (end) => {
    end.socket.on('end', () => end.socket.end());
    const head = await end.until('\r\n\r\n');
    if (head.includes('/marker')) return end.socket.end('HTTP/1.1 204 Marked\r\n\r\n');
    const { bytes, pause, end: way } = next;
    end.send(bytes.slice(0, pause));
    await new Promise((resolve) => setImmediate(resolve));
    end.send(bytes.slice(pause));
    if (way === 'close') end.socket.end();
    if (way === 'reset') end.socket.resetAndDestroy();
  });
  const proxy = await startProxy(target);
  await fc.assert(
    fc.asyncProperty(mangled(request), mangled(response), async (sent, received) => {
      next = received;
      const client = await connectTo(proxy.origin);
      client.send(sent.bytes.slice(0, sent.pause));
      await new Promise((resolve) => setImmediate(resolve));
      client.send(sent.bytes.slice(sent.pause));
      await new Promise((resolve) => setTimeout(resolve, 5));
      if (sent.end === 'reset') client.socket.resetAndDestroy();
      else client.socket.destroySoon();

      const witness = await connectTo(proxy.origin);
      witness.send(marker);
      expect((await witness.over()).bytes).toBe('HTTP/1.1 204 Marked\r\n\r\n');
    }),
    { numRuns: 300, seed: 1 },
  );
  await expect.poll(() => proxy.count().underWay).toBe(0);
  for (const { request: of } of proxy.recorded) expect(of.url).toMatch(/^http:\/\/127\.0\.0\.1:/);
});
