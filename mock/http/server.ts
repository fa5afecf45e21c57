import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import type { Duplex } from 'node:stream';
import { toErrorAnswer } from './answer.ts';
import { hasBody } from './body-bytes.ts';
import { refuseConnection, toParserAnswer } from './refuse-connection.ts';

/** How long a client may take, and how long the server waits for clients when it stops, in milliseconds. */
export type Timeouts = { headers: number; request: number; keepAlive: number; stop: number };

const usualTimeouts: Timeouts = { headers: 10_000, request: 30_000, keepAlive: 65_000, stop: 5000 };

/** How long idle connections stay open once the server stops, so that a request on its way still gets its answer. */
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
  const { headers, request, keepAlive, stop } = { ...usualTimeouts, ...timeouts };
  let stopping = false;
  const awaitingBody = new Set<ServerResponse>();
  const serve = (incoming: IncomingMessage, response: ServerResponse) => {
    if (stopping) response.shouldKeepAlive = false;
    else if (hasBody(incoming)) {
      awaitingBody.add(response);
      response.once('close', () => awaitingBody.delete(response));
    }
    handle(incoming, response);
  };
  const server = createServer(
    {
      requireHostHeader: false,
      headersTimeout: headers,
      requestTimeout: request,
      keepAliveTimeout: keepAlive,
      connectionsCheckingInterval: Math.min(1000, headers, request),
    },
    serve,
  );
  // Node drops headers beyond a number of its own; the bound on their size is enough.
  server.maxHeadersCount = 0;
  server.on('checkContinue', (incoming, response) => {
    // An early refusal leaves it open whether the body still comes, so the connection cannot be used again.
    response.shouldKeepAlive = false;
    handle(incoming, response);
  });
  server.on('checkExpectation', serve);
  server.on('clientError', (error, socket) => refuseConnection(socket, toParserAnswer(error), fieldsOf));
  server.on('connect', ({ url = '' }: IncomingMessage, socket: Duplex) => {
    const message = `CONNECT is not possible at ${url.slice(0, 200)}.`;
    refuseConnection(socket, toErrorAnswer('method_not_allowed', message, { Allow: 'GET, HEAD, POST, OPTIONS' }), fieldsOf);
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
      for (const response of awaitingBody) response.shouldKeepAlive = false;
      return new Promise((resolve) => {
        const dropIdle = setInterval(() => server.closeIdleConnections(), stopGrace);
        const dropAll = setTimeout(() => server.closeAllConnections(), stop);
        // The close of http.Server drops idle connections at once, and with them a request that is on its way; it also
        // stops the timers that cut slow clients.
        NetServer.prototype.close.call(server, () => {
          clearInterval(dropIdle);
          clearTimeout(dropAll);
          server.close();
          resolve();
        });
      });
    },
    get stopping() {
      return stopping;
    },
  };
}
