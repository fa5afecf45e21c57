import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import {
  type OpenProxy,
  openProxy,
  type ProxyOptions,
} from '../../../contracts/proxy/open-proxy.ts';
import type { RecordedExchange } from '../../../contracts/traffic/read-outcome.ts';

/** A connection whose bytes are written and read as they are. */
export type RawEnd = {
  socket: Socket;
  /** All that has come, each byte a character. */
  received(): string;
  /** Resolves once what has come contains a text, or the connection is over. */
  until(text: string): Promise<string>;
  /** Resolves with all that came, and how it ended. */
  over(): Promise<{ bytes: string; end: 'closed' | 'reset' }>;
  send(bytes: string): void;
};

/** Reads and writes a socket byte by byte. */
function toRawEnd(socket: Socket): RawEnd {
  let bytes = '';
  let end: 'closed' | 'reset' | undefined;
  const news = new Set<() => void>();
  const tell = () => {
    for (const one of news) one();
  };
  socket.on('data', (chunk) => {
    bytes += chunk.toString('latin1');
    tell();
  });
  const ended = (how: 'closed' | 'reset') => {
    end ??= how;
    tell();
  };
  socket.on('end', () => ended('closed'));
  socket.on('error', () => ended('reset'));
  socket.on('close', () => ended('closed'));
  const when = (is: () => boolean) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (!is()) return;
        news.delete(look);
        resolve();
      };
      news.add(look);
      look();
    });
  return {
    socket,
    received: () => bytes,
    until: (text) => when(() => bytes.includes(text) || end !== undefined).then(() => bytes),
    over: () => when(() => end !== undefined).then(() => ({ bytes, end: end ?? 'closed' })),
    send: (text) => void socket.write(Buffer.from(text, 'latin1')),
  };
}

/** A target that does with each connection what it is told. */
export async function openRawTarget(serve: (end: RawEnd) => unknown): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    sockets.add(socket);
    void serve(toRawEnd(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

/** A target that answers each head that it receives with the same bytes. */
async function openAnswering(response: string): Promise<{ url: string; received: () => string }> {
  const ends: RawEnd[] = [];
  const url = await openRawTarget(async (end) => {
    ends.push(end);
    await end.until('\r\n\r\n');
    end.send(response);
  });
  return { url, received: () => ends.map((end) => end.received()).join('') };
}

/** A proxy that ends with the test, with what it recorded. */
export async function startProxy(
  target: string,
  options: Partial<ProxyOptions> = {},
): Promise<OpenProxy & { recorded: RecordedExchange[] }> {
  const recorded: RecordedExchange[] = [];
  const proxy = await openProxy({
    target,
    host: '127.0.0.1',
    port: 0,
    allowedHosts: [],
    via: false,
    idleTimeout: 60_000,
    maxBody: 1024 * 1024,
    onExchange: (one) => recorded.push(one),
    ...options,
  });
  onTestFinished(() => proxy.close({ grace: 0 }));
  return { ...proxy, recorded };
}

/** Starts a target that sends a response or acts as told, a proxy before it, and a client. */
export async function openThrough(
  target: string | Parameters<typeof openRawTarget>[0],
  options: Partial<ProxyOptions> = {},
) {
  const opened =
    typeof target === 'string'
      ? await openAnswering(target)
      : { url: await openRawTarget(target), received: () => '' };
  const proxy = await startProxy(opened.url, options);
  return { target: opened, proxy, client: await connectTo(proxy.origin) };
}

/** Connects to an origin. */
export async function connectTo(origin: string): Promise<RawEnd> {
  const { hostname, port } = new URL(origin);
  const socket = connect({
    host: hostname,
    port: Number(port),
    allowHalfOpen: true,
    noDelay: true,
  });
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  return toRawEnd(socket);
}
