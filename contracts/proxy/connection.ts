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

/**
 * A connection of a client, with one of its own to the target: both end together. One for each, rather
 * than a pool for all, keeps what the target does with a connection visible to the client it does it
 * to, and never retries nor mixes what belongs to different clients.
 */
export class Connection {
  readonly agent: HttpAgent;
  readonly underWay = new Set<UnderWay>();
  readonly #client: Socket;
  readonly #isTls: boolean;
  #upstream: Socket | undefined;
  #isConnected = false;
  #targetReset = false;
  #clientReset = false;
  #clientEnded = false;

  constructor(client: Socket, { isTls }: { isTls: boolean }) {
    this.#client = client;
    this.#isTls = isTls;
    this.agent = new (isTls ? HttpsAgent : HttpAgent)({ keepAlive: true, maxSockets: 1 });
    // The target closes its connections when it wants; Node would be ahead of it.
    this.agent.keepSocketAlive = () => true;
    client.once('end', () => {
      this.#clientEnded = true;
      // The target decides what half a connection is worth, as it would without the proxy.
      if (this.underWay.size > 0) this.#upstream?.end();
    });
    client.once('close', () => {
      if (this.#upstream && this.#clientReset) endAs(this.#upstream, true);
      this.agent.destroy();
    });
  }

  /** Whether the client has sent all that it ever will. */
  get clientEnded(): boolean {
    return this.#clientEnded || this.#client.destroyed;
  }

  /** Whether the connection to the target stands, or stood. */
  get isConnected(): boolean {
    return this.#isConnected;
  }

  begin(exchange: UnderWay): void {
    this.underWay.add(exchange);
  }

  end(exchange: UnderWay): void {
    this.underWay.delete(exchange);
    if (this.#upstream?.destroyed) this.breakClient();
  }

  /** Learns which socket of the target a request goes out on. */
  use(outgoing: ClientRequest): void {
    outgoing.once('socket', (socket) => {
      if (socket === this.#upstream) return;
      this.#upstream = socket;
      this.#isConnected = false;
      this.#targetReset = false;
      socket.once(this.#isTls ? 'secureConnect' : 'connect', () => {
        this.#isConnected = true;
      });
      // Before Node's own listener, which ends the exchange.
      socket.prependListener('error', ({ code }: NodeJS.ErrnoException) => {
        this.#targetReset ||= this.#isConnected && code === 'ECONNRESET';
      });
      socket.once('close', () => {
        if (this.underWay.size === 0) this.breakClient();
      });
    });
  }

  /** Ends the client's connection as that to the target ended. */
  breakClient(): void {
    endAs(this.#client, this.#targetReset);
  }

  /** Ends the connection to the target as that of the client ended. */
  breakTarget(outgoing: ClientRequest): void {
    if (this.#clientReset && outgoing.socket) endAs(outgoing.socket, true);
    outgoing.destroy();
  }

  /** The client has reset its connection. */
  noteReset(): void {
    this.#clientReset = true;
  }
}

/** Ends a connection by a reset, or after all that was written to it. */
function endAs(socket: Socket, wasReset: boolean): void {
  if (socket.destroyed) return;
  if (!wasReset) socket.destroySoon();
  else if (socket instanceof TLSSocket) socket.destroy();
  else socket.resetAndDestroy();
}
