import { once } from 'node:events';
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, isIP, isIPv6, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { RecordedExchange } from '../traffic/recorded-exchange.ts';
import { type Connection, joinConnection } from './connection.ts';
import { forward } from './forward.ts';
import { countsForwards, type RawHeaders, valuesOf } from './forwarded-headers.ts';
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

/** What a request line asks for: path and query, and who is asked where it says that. */
type Called = { path: string; authority?: string };

/**
 * Reads a request target, the absolute form too, which every server must accept (RFC 9112 §3.2.2).
 * Path and query stay as they were sent.
 */
function readCalled(target: string, method: string): Called {
  const [, authority, rest = ''] = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)(.*)$/is.exec(target) ?? [];
  if (authority === undefined) return { path: target };
  if (rest === '' && method === 'OPTIONS') return { path: '*', authority };
  return { path: rest.startsWith('/') ? rest : `/${rest}`, authority };
}

type Asked = { headers: RawHeaders; httpVersion: string; authority: string | undefined };

/** The answer to a request that names a wrong host, or undefined. */
type HostGuard = (asked: Asked) => OwnAnswer | undefined;

/**
 * Refuses a host that a page of another origin could have made a browser send (DNS rebinding), and
 * a missing or malformed one (RFC 9112 §3.2). Loopback names, IP addresses and the allowed
 * names pass, on any port.
 */
function createHostGuard(allowedHosts: readonly string[]): HostGuard {
  const allowed = new Set(['localhost', ...allowedHosts.map((host) => host.toLowerCase())]);
  return ({ headers, httpVersion, authority }) => {
    const [host, ...others] = valuesOf(headers, 'host');
    if (others.length > 0) return invalid('The Host header must be sent once.');
    if (host === undefined && httpVersion !== '1.0') return invalid('The Host header is missing.');
    const asked = authority ?? host;
    if (asked === undefined) return undefined;
    const name = toHostName(asked);
    if (name === undefined)
      return invalid(
        'The Host header must be a host name or an IP address, with an optional port.',
      );
    const isKnown = allowed.has('*') || allowed.has(name) || name.endsWith('.localhost');
    return isKnown || isIP(name) !== 0 ? undefined : notAllowed(name);
  };
}

function invalid(message: string): OwnAnswer {
  return { status: 400, code: 'invalid_host', message, error: 'http_request_error' };
}

function notAllowed(name: string): OwnAnswer {
  return {
    status: 403,
    code: 'host_not_allowed',
    message: `Host "${name}" is not allowed. Start the proxy with --allowed-hosts ${name}.`,
    error: 'http_request_denied',
  };
}

/** The name of a host in lower case, without port, brackets and final dot. */
function toHostName(host: string): string | undefined {
  const [, v6, name, port] =
    /^(?:\[([0-9a-f:.]+)\]|([a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_.])?))(?::(\d{1,5}))?$/i.exec(host) ??
    [];
  if (Number(port ?? 0) > 65_535) return undefined;
  if (v6 !== undefined) return isIP(v6) === 6 ? v6.toLowerCase() : undefined;
  return name?.toLowerCase().replace(/\.$/, '');
}
