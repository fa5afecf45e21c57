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
import { Connection } from './connection.ts';
import { forward } from './forward.ts';
import { countsForwards, type RawHeaders, valuesOf } from './forwarded-headers.ts';
import {
  answerOnSocket,
  answerSelf,
  goesNoFurther,
  maxHeaderSize,
  noTunnel,
  type OwnAnswer,
  refusal,
  refusalOf,
  tooManyUnanswered,
} from './own-answer.ts';
import { createRecorder } from './recorder.ts';

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

/** How many requests of one connection may await their responses. */
const maxPipelined = 100;

/** How many connections of clients there may be; each has one of its own to the target. */
const maxConnections = 1024;

/** The maximum wait for the headers of a request, once its first byte is there, in milliseconds. */
const headersTimeout = 60_000;

/** How much of all bodies under way is recorded, in bytes. */
const maxUnderWay = 64 * 1024 * 1024;

/**
 * Listens, and passes what comes to the target. Rejects with the system's error where it cannot
 * listen.
 */
export async function openProxy(options: ProxyOptions): Promise<OpenProxy> {
  const server = createServer(options);
  const proxy = new Proxying(options);
  const pass = (request: IncomingMessage, response: ServerResponse) =>
    proxy.pass(request, response);
  server.on('request', pass).on('checkContinue', pass).on('checkExpectation', pass);
  server.on('connect', (_, socket) => answerOnSocket(socket, noTunnel));
  server.on('timeout', (socket) => proxy.giveUp(socket));
  server.on('clientError', (error, socket) => proxy.refuseRest(error, socket as Socket));
  server.listen(options.port, options.host);
  await once(server, 'listening');
  return {
    origin: toOrigin(server.address() as AddressInfo, options),
    count: () => ({ passed: proxy.passed, underWay: proxy.countUnderWay() }),
    async close({ grace }) {
      proxy.isClosing = true;
      const closed = new Promise((resolve) => server.close(resolve));
      const until = performance.now() + grace;
      while (proxy.countUnderWay() > 0 && performance.now() < until) await wait(20);
      proxy.abandon();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** What passes a proxy, connection by connection. */
class Proxying {
  readonly #options: ProxyOptions;
  readonly #target: URL;
  readonly #guard: HostGuard;
  readonly #record: ReturnType<typeof createRecorder>;
  readonly #connections = new Map<Socket, Connection>();
  passed = 0;
  isClosing = false;

  constructor(options: ProxyOptions) {
    this.#options = options;
    this.#target = new URL(options.target);
    this.#guard = createHostGuard(options.allowedHosts);
    this.#record = createRecorder({
      maxBody: options.maxBody,
      maxUnderWay,
      onExchange: (recorded) => {
        this.passed += 1;
        options.onExchange(recorded);
      },
    });
  }

  /** Passes a request on, or answers it where the target cannot or may not be asked. */
  pass(request: IncomingMessage, response: ServerResponse): void {
    const { method = '', url = '', rawHeaders: headers, httpVersion } = request;
    const { path, authority } = readCalled(url, method);
    const refuse = (answer: OwnAnswer) => {
      request.on('error', () => {});
      request.resume();
      answerSelf(response, answer);
    };
    const refused = this.#guard({ headers, httpVersion, authority });
    if (refused) return void refuse(refused);
    if (this.#options.answerOwn?.(request, response, path)) return;
    if (valuesOf(headers, 'upgrade').some(isWebSocket)) return void refuse(noTunnel);
    if (countsForwards(method) && valuesOf(headers, 'max-forwards').includes('0'))
      return void refuse(goesNoFurther);
    const connection = this.#connectionOf(request.socket);
    if (connection.underWay.size >= maxPipelined) return void refuse(tooManyUnanswered);
    const { origin } = this.#target;
    forward(request, response, {
      ...this.#options,
      target: this.#target,
      path,
      connection,
      recording: this.#record({ method, headers, url: path === '*' ? origin : origin + path }),
      isClosing: () => this.isClosing,
    });
  }

  /** Nothing has passed on a connection for the whole idle time. */
  giveUp(socket: Socket): void {
    const waiting = [...(this.#connections.get(socket)?.underWay ?? [])];
    if (waiting.length === 0) socket.destroy();
    for (const exchange of waiting) exchange.giveUp();
  }

  /** What a client sends is not HTTP, or it has left. */
  refuseRest(error: NodeJS.ErrnoException, socket: Socket): void {
    const connection = this.#connections.get(socket);
    if (error.code === 'ECONNRESET') connection?.noteReset();
    const hasLeft = error.code === 'ECONNRESET' || error.code === 'HPE_INVALID_EOF_STATE';
    const [current] = connection?.underWay ?? [];
    if (!hasLeft && current?.refuse(error)) return;
    if (hasLeft || current || !socket.writable) socket.destroy();
    else answerOnSocket(socket, refusalOf(error));
  }

  countUnderWay(): number {
    return this.#connections.values().reduce((sum, { underWay }) => sum + underWay.size, 0);
  }

  /** The proxy ends before its exchanges do. */
  abandon(): void {
    for (const { underWay } of this.#connections.values())
      for (const exchange of underWay) exchange.abandon();
  }

  #connectionOf(socket: Socket): Connection {
    const known = this.#connections.get(socket);
    if (known) return known;
    const isTls = this.#target.protocol === 'https:';
    const connection = new Connection(socket, { isTls });
    this.#connections.set(socket, connection);
    socket.once('close', () => this.#connections.delete(socket));
    return connection;
  }
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
  return refusal(400, 'invalid_host', message);
}

function notAllowed(name: string): OwnAnswer {
  const message = `Host "${name}" is not allowed. Start the proxy with --allowed-hosts ${name}.`;
  return refusal(403, 'host_not_allowed', message, 'http_request_denied');
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
