import { type ClientRequest, Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/** What is under way on a connection. */
export interface UnderWay {
  /** Called where nothing has passed in either direction for the whole idle time. */
  giveUp(): void;
  /** Called where the proxy ends before the exchange does. */
  abandon(): void;
  /** Called where what the client sent stopped being HTTP; whether it was answered. */
  refuse(error: NodeJS.ErrnoException): boolean;
}

/** A connection of a client, with one of its own to the target: both end together. */
export interface Connection {
  readonly agent: HttpAgent;
  readonly client: Socket;
  /** Whether the client has sent all that it ever will. */
  readonly clientEnded: boolean;
  readonly underWay: ReadonlySet<UnderWay>;
  begin(exchange: UnderWay): void;
  end(exchange: UnderWay): void;
  /** Learns which socket of the target a request goes out on. */
  use(outgoing: ClientRequest): void;
  /** Whether the connection to the target stands, or stood. */
  isConnected(): boolean;
  /** Ends the client's connection as that to the target ended. */
  breakClient(): void;
  /** Ends the connection to the target as that of the client ended. */
  breakTarget(outgoing: ClientRequest): void;
  noteReset(): void;
}

/**
 * Joins a client's connection with one to the target. A connection for each, rather than a pool for
 * all, keeps what the target does with a connection visible to the client it does it to, and
 * never retries nor mixes what belongs to different clients.
 */
export function joinConnection(client: Socket, { isTls }: { isTls: boolean }): Connection {
  const agent = new (isTls ? HttpsAgent : HttpAgent)({ keepAlive: true, maxSockets: 1 });
  // The target closes its connections when it wants; Node would be ahead of it.
  agent.keepSocketAlive = () => true;
  const underWay = new Set<UnderWay>();
  let upstream: Socket | undefined;
  let isConnected = false;
  let targetReset = false;
  let clientReset = false;
  let clientEnded = false;
  const breakClient = () => endAs(client, targetReset);
  client.once('end', () => {
    clientEnded = true;
    // The target decides what half a connection is worth, as it would without the proxy.
    if (underWay.size > 0) upstream?.end();
  });
  client.once('close', () => {
    if (upstream && clientReset) endAs(upstream, true);
    agent.destroy();
  });
  return {
    agent,
    client,
    get clientEnded() {
      return clientEnded || client.destroyed;
    },
    underWay,
    begin: (exchange) => void underWay.add(exchange),
    end(exchange) {
      underWay.delete(exchange);
      if (upstream?.destroyed) breakClient();
    },
    use(outgoing) {
      outgoing.once('socket', (socket) => {
        if (socket === upstream) return;
        upstream = socket;
        isConnected = false;
        targetReset = false;
        socket.once(isTls ? 'secureConnect' : 'connect', () => {
          isConnected = true;
        });
        // Before Node's own listener, which ends the exchange.
        socket.prependListener('error', ({ code }: NodeJS.ErrnoException) => {
          targetReset ||= isConnected && code === 'ECONNRESET';
        });
        socket.once('close', () => {
          if (underWay.size === 0) breakClient();
        });
      });
    },
    isConnected: () => isConnected,
    breakClient,
    breakTarget(outgoing) {
      if (clientReset && outgoing.socket) endAs(outgoing.socket, true);
      outgoing.destroy();
    },
    noteReset() {
      clientReset = true;
    },
  };
}

/** Ends a connection by a reset, or after all that was written to it. */
function endAs(socket: Socket, wasReset: boolean): void {
  if (socket.destroyed) return;
  if (!wasReset) socket.destroySoon();
  else if (socket instanceof TLSSocket) socket.destroy();
  else socket.resetAndDestroy();
}
