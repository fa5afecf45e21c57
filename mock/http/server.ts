import { createServer, type IncomingMessage, type RequestListener, STATUS_CODES } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ErrorCode } from '../errors.ts';
import { toErrorAnswer, toRawResponse } from './answer.ts';

/** How long a client may take, in milliseconds. */
export type Timeouts = { headers: number; request: number; keepAlive: number };

const usualTimeouts: Timeouts = { headers: 10_000, request: 30_000, keepAlive: 65_000 };

/** How long idle connections stay open once the server stops, so that a request under way still gets its answer. */
const stopGrace = 250;

export interface TwinServer {
  /** Resolves with the port once the server answers. Rejects with the system's error, e.g. EADDRINUSE. */
  listen(port: number, host: string): Promise<number>;
  /** Takes no new connection, answers what is under way, then resolves. */
  close(): Promise<void>;
  readonly stopping: boolean;
}

/**
 * An HTTP server that answers what never becomes a request (a malformed one, a slow one) with the Error object too.
 * `fieldsOf` gives the headers that such answers carry, as a flat list of names and values.
 */
export function createTwinServer(
  handle: RequestListener,
  fieldsOf: () => readonly string[],
  timeouts: Partial<Timeouts> = {},
): TwinServer {
  const { headers, request, keepAlive } = { ...usualTimeouts, ...timeouts };
  let stopping = false;
  const server = createServer(
    {
      requireHostHeader: false,
      headersTimeout: headers,
      requestTimeout: request,
      keepAliveTimeout: keepAlive,
      connectionsCheckingInterval: Math.min(1000, headers, request),
    },
    (incoming, response) => {
      if (stopping) response.shouldKeepAlive = false;
      handle(incoming, response);
    },
  );
  server.on('checkContinue', (incoming, response) => {
    // An early refusal leaves it open whether the body still comes, so the connection cannot be used again.
    response.shouldKeepAlive = false;
    handle(incoming, response);
  });
  server.on('checkExpectation', handle);
  server.on('clientError', (error, socket) => refuse(socket, ...problemOf(error), fieldsOf()));
  server.on('connect', (incoming: IncomingMessage, socket: Duplex) => {
    refuse(socket, 'method_not_allowed', `CONNECT is not possible at ${incoming.url}.`, [
      ...fieldsOf(),
      'Allow',
      'GET, HEAD, POST, OPTIONS',
    ]);
  });

  return {
    listen: (port, host) =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, host, () => {
          server.off('error', reject);
          const address = server.address();
          resolve(typeof address === 'object' && address ? address.port : port);
        });
      }),
    close: () => {
      if (stopping) return Promise.resolve();
      stopping = true;
      return new Promise((resolve) => {
        // The close of http.Server drops idle connections at once, and with them a request that is on its way.
        NetServer.prototype.close.call(server, () => resolve());
        setTimeout(() => server.close(), stopGrace).unref();
        setTimeout(() => server.closeIdleConnections(), stopGrace);
      });
    },
    get stopping() {
      return stopping;
    },
  };
}

const refused = new WeakSet<Duplex>();

/** Answers on a bare connection and closes it, once; not where an answer has begun. */
function refuse(socket: Duplex, code: ErrorCode, message: string, fields: readonly string[]): void {
  if (refused.has(socket)) return;
  refused.add(socket);
  // Node tells no other way whether an answer has begun on this connection; its own handler looks here too.
  const begun = (socket as Socket & { _httpMessage?: { headersSent: boolean } })._httpMessage?.headersSent ?? false;
  if (!socket.writable || begun) {
    socket.destroy();
    return;
  }
  const answer = toErrorAnswer(code, message);
  socket.on('error', () => socket.destroy());
  socket.end(toRawResponse(answer, STATUS_CODES[answer.status] ?? '', fields));
  setTimeout(() => socket.destroy(), 500).unref();
}

function problemOf(error: Error & { code?: string; rawPacket?: Buffer; reason?: string }): [ErrorCode, string] {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return ['headers_too_large', 'The request line and headers may hold at most 16 KiB.'];
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return ['request_timeout', 'The request did not arrive in time.'];
    case 'HPE_INVALID_VERSION':
      return ['version_not_supported', 'Send the request as HTTP/1.1.'];
    case 'HPE_INVALID_METHOD':
      return /^[A-Z]+ \S+ HTTP\/1\.[01]\r?\n/.test(error.rawPacket?.toString('latin1') ?? '')
        ? ['method_not_implemented', 'The method of the request is unknown.']
        : ['malformed_request', 'The request is not valid HTTP/1.1.'];
    default:
      return ['malformed_request', `The request is not valid HTTP/1.1${error.reason ? `: ${error.reason}` : ''}.`];
  }
}
