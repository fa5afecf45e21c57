import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Server as TlsServer } from 'node:https';
import { Server as NetServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { SecureContext } from 'node:tls';
import { toExcerpt } from '../../common/look/visible.ts';
import { loadHttps, loadTls, nodeHttp } from '../../common/node-http.ts';
import { toErrorAnswer } from '../answers/answer.ts';
import type { MessageClasses } from './express-apps.ts';
import { hasBody } from './read-body.ts';
import {
  type BareAnswers,
  refuseConnection,
  refuseTls,
  toParserAnswer,
} from './refuse-connection.ts';

/**
 * How long a client may take, and how long the server waits for clients when it stops, in
 * milliseconds. Idle connections stay open for `idle` then, so that a request on its way still gets
 * its answer.
 */
export type Timeouts = {
  headers: number;
  request: number;
  keepAlive: number;
  stop: number;
  idle: number;
};

export const defaultTimeouts: Timeouts = {
  headers: 10_000,
  request: 30_000,
  keepAlive: 65_000,
  stop: 5000,
  idle: 250,
};

/** Holds a TLS identity as PEM text: the certificate with its intermediates, and the key. */
export type Identity = { cert: string; key: string };

/** Finds the identity for a name that a client asks for (SNI); undefined for the server's own. */
export type FindIdentity = (name: string) => Promise<Identity | undefined>;

const oldestTls = 'TLSv1.2';

export interface TwinServer {
  /**
   * Resolves with the port once the server answers. Rejects with the system's error, e.g.
   * EADDRINUSE.
   */
  listen(port: number, host: string): Promise<number>;
  /** Takes no new connection, answers what is under way, then resolves. */
  close(): Promise<void>;
  /** Shows another identity to new connections. Throws where it speaks no TLS. */
  identify(identity: Identity): void;
}

export type ServerOptions = {
  classes?: MessageClasses;
  timeouts?: Partial<Timeouts>;
  /** With one, the server speaks TLS, and nothing else. */
  identity?: Identity;
  findIdentity?: FindIdentity;
};

/**
 * An HTTP server that answers what never becomes a request (a malformed one, a slow one) with the
 * Error object too.
 */
export function createTwinServer(
  handle: RequestListener,
  bare: BareAnswers,
  options: ServerOptions = {},
): TwinServer {
  const timeouts: Timeouts = { ...defaultTimeouts, ...options.timeouts };
  let stopping: Promise<void> | undefined;
  const awaitingBody = new Set<ServerResponse>();
  const serve = (incoming: IncomingMessage, response: ServerResponse) => {
    if (stopping || asksForUpgrade(incoming)) response.shouldKeepAlive = false;
    else if (hasBody(incoming)) {
      awaitingBody.add(response);
      response.on('close', () => awaitingBody.delete(response));
    }
    handle(incoming, response);
  };
  const { server, tlsServer } = createBareServer(serve, timeouts, options);
  const connections = trackConnections(server);
  server.on('checkContinue', (incoming, response) => {
    // An early refusal leaves it open whether the body still comes, so the connection cannot be
    // used again.
    response.shouldKeepAlive = false;
    handle(incoming, response);
  });
  server.on('checkExpectation', serve);
  server.on('clientError', (error, socket) => {
    if (tlsServer && refuseTls(socket, error, bare)) return;
    refuseConnection(socket, toParserAnswer(error), bare);
  });
  server.on('connect', ({ url = '' }: IncomingMessage, socket: Duplex) => {
    const message = `CONNECT is not allowed at ${toExcerpt(url, 200)}.`;
    const allow = { Allow: 'GET, HEAD, POST, OPTIONS' };
    refuseConnection(socket, toErrorAnswer('method_not_allowed', message, allow), bare);
  });

  return {
    listen: (port, host) => listen(server, port, host),
    close() {
      if (stopping) return stopping;
      for (const response of awaitingBody) response.shouldKeepAlive = false;
      stopping = stopServer(server, connections, timeouts);
      return stopping;
    },
    identify(next) {
      if (!tlsServer) throw new Error('The server speaks no TLS');
      tlsServer.setSecureContext({ ...next, minVersion: oldestTls });
    },
  };
}

/** Makes the server of Node, with TLS, which is loaded then, where it has an identity. */
function createBareServer(
  serve: RequestListener,
  { headers, request, keepAlive }: Timeouts,
  { classes, identity, findIdentity }: ServerOptions,
): { server: Server; tlsServer: TlsServer | undefined } {
  const options = {
    ...classes,
    requireHostHeader: false,
    headersTimeout: headers,
    requestTimeout: request,
    keepAliveTimeout: keepAlive,
    connectionsCheckingInterval: Math.min(1000, headers, request),
  };
  const tlsServer =
    identity &&
    loadHttps().createServer(
      {
        ...options,
        ...identity,
        ...(findIdentity && { SNICallback: createSniCallback(findIdentity) }),
        minVersion: oldestTls,
        handshakeTimeout: headers,
      },
      serve,
    );
  const server = tlsServer ?? nodeHttp.createServer(options, serve);
  // Node drops headers beyond a number of its own; the bound on their size is enough.
  server.maxHeadersCount = 0;
  return { server, tlsServer };
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : port);
    });
  });
}

/** Answers what is under way, for `stop` milliseconds at most. */
function stopServer(
  server: Server,
  connections: ReadonlySet<Socket>,
  { stop, idle }: Timeouts,
): Promise<void> {
  return new Promise((resolve) => {
    const drop = () => {
      server.closeIdleConnections();
      // For Node, one is not idle before its first request: a spare one of a browser, or a
      // handshake that never began.
      for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
    };
    // What has arrived on a busy machine is read first.
    const dropIdle = setInterval(() => setImmediate(drop), idle);
    const dropAll = setTimeout(() => {
      server.closeAllConnections();
      for (const socket of connections) socket.destroy();
    }, stop);
    // The close of http.Server drops idle connections at once, and with them a request that is on
    // its way; it also stops the timers that cut slow clients.
    NetServer.prototype.close.call(server, () => {
      clearInterval(dropIdle);
      clearTimeout(dropAll);
      server.close();
      resolve();
    });
  });
}

type SniCallback = (
  name: string,
  done: (error: Error | null, context?: SecureContext) => void,
) => void;

/** Chooses an identity for each handshake; the server's own where none is found. */
function createSniCallback(findIdentity: FindIdentity): SniCallback {
  const { createSecureContext } = loadTls();
  return (name, done) => {
    findIdentity(name).then(
      (found) => done(null, found && createSecureContext({ ...found, minVersion: oldestTls })),
      () => done(null),
    );
  };
}

/**
 * Whether a request asks for another protocol (RFC 9110 §7.8), which is ignored. Node drops what
 * came with it on the connection, so a request sent behind it would never be answered; closing
 * tells the client to send it again.
 */
function asksForUpgrade({ headers }: IncomingMessage): boolean {
  return (
    headers.upgrade !== undefined &&
    /(?:^|[ \t,])upgrade(?:[ \t,]|$)/i.test(headers.connection ?? '')
  );
}

/**
 * The connections of a server; with TLS, the server itself knows of those alone whose handshake is
 * over.
 */
function trackConnections(server: NetServer): ReadonlySet<Socket> {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return open;
}
