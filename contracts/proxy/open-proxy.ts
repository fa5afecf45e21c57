import { once } from 'node:events';
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, isIPv6, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { RecordedExchange } from '../traffic/recorded-exchange.ts';
import { readCalled } from './called-path.ts';
import { type Connection, joinConnection } from './connection.ts';
import { forward } from './forward.ts';
import { countsForwards, valuesOf } from './forwarded-headers.ts';
import { createHostGuard } from './host-guard.ts';
import { headersTimeout, maxConnections, maxHeaderSize, maxPipelined } from './limits.ts';
import { answerOnSocket, answerSelf, type OwnAnswer } from './own-answer.ts';
import { createRecorder } from './recorder.ts';
import { goesNoFurther, noTunnel, refusalOf, tooManyUnanswered } from './refusals.ts';

export type ProxyOptions = {
  /** The target's URL; its path is below the proxy's own address too. */
  target: string;
  host: string;
  /** 0 takes a free one. */
  port: number;
  /** The certificate and key of the proxy, as PEM; without them it speaks HTTP. */
  tls?: { cert: string; key: string };
  /** Host names to accept besides localhost and IP addresses. */
  allowedHosts: readonly string[];
  /** Whether `Via` is added to requests. */
  via: boolean;
  /** After how many milliseconds without a byte an exchange is given up. */
  idleTimeout: number;
  /** How much of a body is recorded, in bytes. */
  maxBody: number;
  /** Called after each exchange that the target had a part in; it must return soon. */
  onExchange: (recorded: RecordedExchange) => void;
  /** Answers what the proxy serves itself, and says whether that was so. */
  answerOwn?: (request: IncomingMessage, response: ServerResponse, path: string) => boolean;
};

/** A proxy that listens. */
export type OpenProxy = {
  origin: string;
  /** How many exchanges were recorded, and how many are under way. */
  count(): { passed: number; underWay: number };
  /** Accepts no more, and resolves when the exchanges under way have ended or are cut off. */
  close(options: { grace: number }): Promise<void>;
};

/** How much of all bodies under way is recorded, in bytes. */
const maxUnderWay = 64 * 1024 * 1024;

/**
 * Listens, and passes what comes to the target. Rejects with the system's error where it cannot
 * listen.
 */
export async function openProxy(options: ProxyOptions): Promise<OpenProxy> {
  const target = new URL(options.target);
  const isTls = target.protocol === 'https:';
  const guard = createHostGuard(options.allowedHosts);
  let passed = 0;
  const record = createRecorder({
    ...options,
    maxUnderWay,
    onExchange(recorded) {
      passed += 1;
      options.onExchange(recorded);
    },
  });
  const connections = new WeakMap<Socket, Connection>();
  const open = new Set<Connection>();
  let isClosing = false;

  const connectionOf = (socket: Socket): Connection => {
    const known = connections.get(socket);
    if (known) return known;
    const connection = joinConnection(socket, { isTls });
    connections.set(socket, connection);
    open.add(connection);
    socket.once('close', () => open.delete(connection));
    return connection;
  };

  const refuse = (request: IncomingMessage, response: ServerResponse, answer: OwnAnswer) => {
    request.on('error', () => {});
    request.resume();
    answerSelf(response, answer);
  };

  const pass = (request: IncomingMessage, response: ServerResponse) => {
    const { method = '', url = '', rawHeaders: headers, httpVersion } = request;
    const { path, authority } = readCalled(url, method);
    const refusal = guard({ headers, httpVersion, authority });
    if (refusal) return refuse(request, response, refusal);
    if (options.answerOwn?.(request, response, path)) return;
    if (valuesOf(headers, 'upgrade').some(isWebSocket)) return refuse(request, response, noTunnel);
    if (countsForwards(method) && valuesOf(headers, 'max-forwards').includes('0'))
      return refuse(request, response, goesNoFurther);
    const connection = connectionOf(request.socket);
    if (connection.underWay.size >= maxPipelined)
      return refuse(request, response, tooManyUnanswered);
    forward(request, response, {
      ...options,
      target,
      path,
      connection,
      recording: record({
        method,
        headers,
        url: path === '*' ? target.origin : target.origin + path,
      }),
      isClosing: () => isClosing,
    });
  };

  const server = createServer(options);
  server.on('request', pass).on('checkContinue', pass).on('checkExpectation', pass);
  server.on('connect', (_, socket) => answerOnSocket(socket, noTunnel));
  server.on('timeout', (socket) => {
    const waiting = connections.get(socket)?.underWay ?? [];
    if ([...waiting].length === 0) socket.destroy();
    for (const exchange of [...waiting]) exchange.giveUp();
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const connection = connections.get(socket as Socket);
    if (error.code === 'ECONNRESET') connection?.noteReset();
    const hasLeft = error.code === 'ECONNRESET' || error.code === 'HPE_INVALID_EOF_STATE';
    const [current] = connection?.underWay ?? [];
    if (!hasLeft && current?.refuse(error)) return;
    if (hasLeft || current || !socket.writable) return void socket.destroy();
    answerOnSocket(socket, refusalOf(error));
  });
  server.listen(options.port, options.host);
  await once(server, 'listening');

  const countUnderWay = () => [...open].reduce((sum, { underWay }) => sum + underWay.size, 0);
  return {
    origin: toOrigin(server.address() as AddressInfo, options),
    count: () => ({ passed, underWay: countUnderWay() }),
    async close({ grace }) {
      isClosing = true;
      const closed = new Promise((resolve) => server.close(resolve));
      const until = performance.now() + grace;
      while (countUnderWay() > 0 && performance.now() < until) await wait(20);
      for (const { underWay } of open) for (const exchange of underWay) exchange.abandon();
      server.closeAllConnections();
      await closed;
    },
  };
}

function createServer({ tls, idleTimeout }: ProxyOptions): Server {
  const settings = {
    maxHeaderSize,
    headersTimeout,
    // A long upload is the client's own business; silence is bounded by the idle time.
    requestTimeout: 0,
    // The target decides how long a connection may idle.
    keepAliveTimeout: 0,
    requireHostHeader: false,
  };
  const server = tls ? createHttpsServer({ ...settings, ...tls }) : createHttpServer(settings);
  server.timeout = idleTimeout;
  server.maxConnections = maxConnections;
  server.maxHeadersCount = 0;
  // Node does not document it: a client that has sent all may still read.
  return Object.assign(server, { httpAllowHalfOpen: true });
}

function isWebSocket(upgrade: string): boolean {
  return /\bwebsocket\b/i.test(upgrade);
}

function toOrigin({ port }: AddressInfo, { host, tls }: ProxyOptions): string {
  const isAny = host === '::' || host === '0.0.0.0';
  const name = isAny ? 'localhost' : isIPv6(host) ? `[${host}]` : host;
  return `${tls ? 'https' : 'http'}://${name}:${port}`;
}
