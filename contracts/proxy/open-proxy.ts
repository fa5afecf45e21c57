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
import { valuesOf } from '../../common/http/forward.ts';
import type { RecordedExchange } from '../traffic/read-outcome.ts';
import { Connection, forward } from './forward.ts';
import {
  answerOnSocket,
  answerSelf,
  maxHeaderSize,
  noTunnel,
  type OwnAnswer,
  refusal,
  refusalOf,
} from './own-answer.ts';
import { Recording } from './recorder.ts';

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

/** How many connections of clients there may be; each has one of its own to the target. */
const maxConnections = 256;

/**
 * Listens, and passes what comes to the target. Rejects with the system's error where it cannot
 * listen.
 */
export async function openProxy(options: ProxyOptions): Promise<OpenProxy> {
  const server = createServer(options);
  const proxy = new Proxying(options);
  server.on('request', (request, response) => proxy.pass(request, response));
  server.on('connect', (_, socket) => answerOnSocket(socket, noTunnel));
  server.on('clientError', (error, socket) => proxy.refuseRest(error, socket as Socket));
  server.listen(options.port, options.host);
  await once(server, 'listening');
  return {
    origin: toOrigin(server.address() as AddressInfo, options),
    count: () => ({ passed: proxy.passed, underWay: proxy.underWay().length }),
    async close({ grace }) {
      const closed = new Promise((resolve) => server.close(resolve));
      const until = performance.now() + grace;
      while (proxy.underWay().length > 0 && performance.now() < until) await wait(20);
      for (const exchange of proxy.underWay()) exchange.abandon();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Passes requests to the target, connection by connection. */
class Proxying {
  readonly #options: ProxyOptions;
  readonly #target: URL;
  readonly #connections = new Map<Socket, Connection>();
  passed = 0;

  constructor(options: ProxyOptions) {
    this.#options = options;
    this.#target = new URL(options.target);
  }

  /** Passes a request on, or answers it where the target cannot or may not be asked. */
  pass(request: IncomingMessage, response: ServerResponse): void {
    const { method = '', url: path = '', rawHeaders: headers, socket } = request;
    const isWebSocket = valuesOf(headers, 'upgrade').some((one) => /websocket/i.test(one));
    const refused = this.#findProblem(request) ?? (isWebSocket && noTunnel);
    if (refused) {
      request.resume();
      answerSelf(response, refused);
      return;
    }
    const { answerOwn, maxBody, onExchange, ...options } = this.#options;
    if (answerOwn?.(request, response, path)) return;
    const { origin } = this.#target;
    const recording = new Recording(
      { method, headers, url: path === '*' ? origin : origin + path },
      {
        maxBody,
        onExchange: (recorded) => {
          this.passed += 1;
          onExchange(recorded);
        },
      },
    );
    const connection = this.#connectionOf(socket);
    forward(request, response, { ...options, target: this.#target, path, connection, recording });
  }

  /**
   * Refuses invalid HTTP of a client. Only ends the connection if the client left or an exchange is
   * in flight.
   */
  refuseRest(error: NodeJS.ErrnoException, socket: Socket): void {
    const isUnderWay = (this.#connections.get(socket)?.underWay.size ?? 0) > 0;
    if (error.code === 'ECONNRESET' || isUnderWay || !socket.writable) socket.destroy();
    else answerOnSocket(socket, refusalOf(error));
  }

  /** The exchanges that have not ended. */
  underWay() {
    return [...this.#connections.values()].flatMap(({ underWay }) => [...underWay]);
  }

  #connectionOf(socket: Socket): Connection {
    const known = this.#connections.get(socket);
    if (known) return known;
    const connection = new Connection(socket, { isTls: this.#target.protocol === 'https:' });
    this.#connections.set(socket, connection);
    socket.once('close', () => this.#connections.delete(socket));
    return connection;
  }

  /**
   * Refuses a host that a page of another origin could have made a browser send (DNS rebinding).
   * Loopback names, IP addresses and the allowed names pass, on any port.
   */
  #findProblem({ url = '', rawHeaders }: IncomingMessage): OwnAnswer | undefined {
    if (!/^[/*]/.test(url))
      return refusal(400, 'malformed_request', 'The proxy takes a path, and no absolute URL.');
    const [host, ...others] = valuesOf(rawHeaders, 'host');
    if (others.length > 0) return refusal(400, 'invalid_host', 'Host must be sent once.');
    // Without a Host, which HTTP/1.0 allows, nothing was sent by a page.
    if (host === undefined) return undefined;
    const name = URL.parse(`http://${host}/`)?.hostname.replace(/^\[(.*)\]$|\.$/g, '$1');
    if (name === undefined)
      return refusal(400, 'invalid_host', 'Host must be a host name or an IP address.');
    const allowed = ['localhost', ...this.#options.allowedHosts.map((one) => one.toLowerCase())];
    const isKnown = allowed.includes('*') || allowed.includes(name) || name.endsWith('.localhost');
    if (isKnown || isIP(name) > 0) return undefined;
    const advice = 'Start the proxy with --allowed-hosts to accept it.';
    return refusal(403, 'host_not_allowed', `The proxy is not served at ${name}. ${advice}`);
  }
}

function createServer({ tls }: ProxyOptions): Server {
  const settings = {
    maxHeaderSize,
    // A long upload is the client's own business; silence is bounded by the idle time.
    requestTimeout: 0,
    // The target decides how long a connection may idle.
    keepAliveTimeout: 0,
    requireHostHeader: false,
  };
  const server = tls ? createHttpsServer({ ...settings, ...tls }) : createHttpServer(settings);
  server.maxConnections = maxConnections;
  server.maxHeadersCount = 0;
  return server;
}

function toOrigin({ port }: AddressInfo, { host, tls }: ProxyOptions): string {
  const isAny = host === '::' || host === '0.0.0.0';
  const name = isAny ? 'localhost' : isIPv6(host) ? `[${host}]` : host;
  return `${tls ? 'https' : 'http'}://${name}:${port}`;
}
