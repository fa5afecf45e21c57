import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { onceOver, SlowReaders } from '../../../mock/http/slow-readers.ts';

const request = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';

/** Serves on a port, and gives what opens connections that send a request so many times and read nothing. */
async function serve(handle: RequestListener): Promise<(times?: number) => Socket> {
  const server = createServer(handle).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close().closeAllConnections());
  const { port } = server.address() as AddressInfo;
  return (times = 1) => {
    const socket = connect(port, '127.0.0.1').pause();
    socket.on('error', () => {});
    socket.write(request.repeat(times));
    onTestFinished(() => void socket.destroy());
    return socket;
  };
}

/** More than the buffers of a connection on loopback take. */
const large = 'x'.repeat(16_000_000);

it('cuts off the answers that wait longest where all take too much memory, and no other', async () => {
  const readers = new SlowReaders({ max: 40_000_000 });
  const responses: ServerResponse[] = [];
  const open = await serve((_, response) => {
    responses.push(response);
    response.end(large, 'latin1');
    readers.follow(response);
  });
  for (let count = 1; count <= 4; count++) {
    open();
    await expect.poll(() => responses).toHaveLength(count);
  }
  await expect
    .poll(() => responses.map(({ closed }) => closed))
    .toEqual([true, true, false, false]);
});

it('cuts off an answer that nobody reads, and lets one alone that somebody reads', async () => {
  const readers = new SlowReaders({ patience: 300 });
  const responses: ServerResponse[] = [];
  const open = await serve((_, response) => {
    responses.push(response);
    response.end(large, 'latin1');
    readers.follow(response);
  });
  open();
  await expect.poll(() => responses[0]?.closed).toBe(true);
  const socket = open();
  let read = 0;
  socket.on('data', ({ length }) => void (read += length)).resume();
  await expect.poll(() => read).toBeGreaterThan(large.length);
  expect(responses[1]?.writableFinished).toBe(true);
});

it('ends a stream that nobody reads', async () => {
  const readers = new SlowReaders({ patience: 200 });
  let ended: boolean | undefined;
  const open = await serve(async (_, response) => {
    response.write(large, 'latin1');
    ended = !(await readers.hasDrained(response));
  });
  open();
  await expect.poll(() => ended).toBe(true);
});

it('cuts off the streams that wait longest where all take too much memory', async () => {
  const readers = new SlowReaders({ max: 40_000_000 });
  const streams: ServerResponse[] = [];
  const open = await serve(async (_, response) => {
    streams.push(response);
    response.write(large, 'latin1');
    await readers.hasDrained(response);
  });
  for (let count = 1; count <= 4; count++) {
    open();
    await expect.poll(() => streams).toHaveLength(count);
  }
  await expect.poll(() => streams.map(({ closed }) => closed)).toEqual([true, true, false, false]);
});

it('leaves a stream open that was read and has nothing to say', async () => {
  const readers = new SlowReaders({ patience: 200 });
  const streams: ServerResponse[] = [];
  const going: boolean[] = [];
  const open = await serve(async (_, response) => {
    streams.push(response);
    response.write(large, 'latin1');
    going.push(await readers.hasDrained(response));
  });
  open().resume();
  await expect.poll(() => going).toEqual([true]);
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(streams[0]?.closed).toBe(false);
});

it('says that a response is over, also to who asks for it later', async () => {
  const over: string[] = [];
  const open = await serve((_, response) => {
    onceOver(response, () => {
      over.push('then');
      onceOver(response, () => over.push('later'));
    });
    onceOver(response, () => over.push('never'))();
  });
  const socket = open(2);
  await once(socket, 'connect');
  await expect.poll(() => socket.bytesWritten).toBeGreaterThan(0);
  socket.end();
  socket.resume();
  await expect.poll(() => over).toEqual(['then', 'later', 'then', 'later']);
});
