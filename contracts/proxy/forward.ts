import {
  type ClientRequest,
  Agent as HttpAgent,
  type IncomingMessage,
  type InformationEvent,
  type ServerResponse,
} from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Socket } from 'node:net';
import { openRequest, toPairs } from '../../common/http/forward.ts';
import { unansweredAtEnd } from '../traffic/totals.ts';
import { toClientHeaders, toTargetHeaders } from './forwarded-headers.ts';
import {
  answerSelf,
  maxHeaderSize,
  refusalOf,
  type TargetFailure,
  toTargetFailure,
  toTimeout,
  unaskedUpgrade,
} from './own-answer.ts';
import type { Recording } from './recorder.ts';

/**
 * A connection of a client, with one of its own to the target: both end together. One for each, rather
 * than a pool for all, keeps what the target does with a connection visible to the client it does it
 * to, and never retries.
 */
export class Connection {
  readonly agent: HttpAgent;
  readonly underWay = new Set<Forwarding>();
  readonly #client: Socket;
  readonly #isTls: boolean;
  readonly #known = new WeakSet<Socket>();
  /** Whether the connection to the target stands, or stood. */
  isConnected = false;

  constructor(client: Socket, { isTls }: { isTls: boolean }) {
    this.#client = client;
    this.#isTls = isTls;
    this.agent = new (isTls ? HttpsAgent : HttpAgent)({ keepAlive: true, maxSockets: 1 });
    // The target closes its connections when it wants; Node would be ahead of it.
    this.agent.keepSocketAlive = () => true;
    client.once('close', () => this.agent.destroy());
  }

  /** Learns which socket of the target a request goes out on. */
  use(outgoing: ClientRequest): void {
    outgoing.once('socket', (socket) => {
      if (this.#known.has(socket)) return;
      this.#known.add(socket);
      this.isConnected = false;
      socket.once(this.#isTls ? 'secureConnect' : 'connect', () => {
        this.isConnected = true;
      });
      socket.once('close', () => {
        if (this.underWay.size === 0) this.#client.destroySoon();
      });
    });
  }

  /** Ends the client's connection as that to the target ended: within a response, or without one. */
  end(): void {
    this.#client.destroySoon();
  }
}

export type ForwardOptions = {
  /** The origin of the target; the path is the client's. */
  target: URL;
  /** The path and query that the client called. */
  path: string;
  connection: Connection;
  /** Whether `Via` is added. */
  via: boolean;
  /** After how many milliseconds without a byte an exchange is given up. */
  idleTimeout: number;
  recording: Recording;
};

/** Passes a request to the target and its response to the client, both as they come. */
export function forward(
  request: IncomingMessage,
  response: ServerResponse,
  options: ForwardOptions,
): void {
  try {
    new Forwarding(request, response, options).begin();
  } catch (error) {
    // Node's parser accepts more than Node sends.
    answerSelf(response, refusalOf(error as NodeJS.ErrnoException));
  }
}

function open(
  { method = '', rawHeaders, httpVersion }: IncomingMessage,
  { target, path, connection: { agent }, via }: ForwardOptions,
): ClientRequest {
  const outgoing = openRequest(target, {
    method,
    path,
    headers: toTargetHeaders(rawHeaders, { host: target.host, httpVersion, via }),
    setDefaultHeaders: false,
    maxHeaderSize,
    agent,
  });
  outgoing.maxHeadersCount = 0;
  return outgoing;
}

const nothing = Buffer.alloc(0);

/** A request on its way to the target, until its response is complete or never will be. */
export class Forwarding {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #options: ForwardOptions;
  readonly #outgoing: ClientRequest;
  #received: IncomingMessage | undefined;
  #isOver = false;

  constructor(request: IncomingMessage, response: ServerResponse, options: ForwardOptions) {
    this.#request = request;
    this.#response = response;
    this.#options = options;
    this.#outgoing = open(request, options);
  }

  begin(): void {
    const [request, response, outgoing] = [this.#request, this.#response, this.#outgoing];
    const { connection, recording, idleTimeout } = this.#options;
    connection.underWay.add(this);
    connection.use(outgoing);
    outgoing.setTimeout(idleTimeout, () => this.#giveUp());
    outgoing.on('error', (error) => {
      if (!this.#received) this.#fail(toTargetFailure(error, connection));
      // What follows a whole response, such as the body of a 204, is no part of it.
      else if (!this.#received.complete) this.#cutOff();
    });
    outgoing.on('information', (interim) => this.#inform(interim));
    outgoing.on('upgrade', (_, socket) => {
      socket.destroy();
      this.#fail(unaskedUpgrade);
    });
    outgoing.on('response', (incoming) => this.#receive(incoming));
    response.on('close', () => {
      this.#settle(() => recording.leave({ hasSentAll: request.complete }));
      if (!response.writableFinished) outgoing.destroy();
      connection.underWay.delete(this);
      if (outgoing.socket?.destroyed) connection.end();
    });
    request.on('error', () => {});
    request.on('data', (chunk: Buffer) => recording.sent.add(chunk));
    const hasBody = 'content-length' in request.headers || 'transfer-encoding' in request.headers;
    // Unlike flushHeaders, this writes bytes above ASCII as they are.
    if (hasBody) outgoing.write(nothing);
    request.pipe(outgoing);
  }

  /** The proxy ends before the exchange does. */
  abandon(): void {
    const { recording } = this.#options;
    this.#settle(() => recording.end({ kind: 'aborted', message: unansweredAtEnd }));
  }

  /** Passes an interim response on; the proxy has sent 100 itself, and HTTP/1.0 knows none. */
  #inform({ statusCode, statusMessage, rawHeaders }: InformationEvent): void {
    const { httpVersion } = this.#request;
    if (this.#isOver || statusCode === 100 || httpVersion === '1.0') return;
    const fields = toPairs(toClientHeaders(rawHeaders, httpVersion));
    const lines = fields.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    const head = `HTTP/1.1 ${statusCode} ${statusMessage}\r\n${lines}\r\n`;
    this.#response.socket?.write(head, 'latin1');
  }

  #receive(incoming: IncomingMessage): void {
    const [request, response] = [this.#request, this.#response];
    const { recording } = this.#options;
    const { statusCode = 0, statusMessage = '', rawHeaders } = incoming;
    incoming.on('error', () => {});
    if (statusCode === 101) this.#fail(unaskedUpgrade);
    if (this.#isOver) return void incoming.resume();
    this.#received = incoming;
    response.sendDate = false;
    // Node is to add none of its own.
    for (const name of ['Connection', 'Transfer-Encoding']) response.removeHeader(name);
    try {
      const headers = toClientHeaders(rawHeaders, request.httpVersion);
      response.writeHead(statusCode, statusMessage, headers);
    } catch (error) {
      const { message } = error as Error;
      this.#fail(
        toTargetFailure({ code: 'HPE_UNSENDABLE', message } as never, this.#options.connection),
      );
      return;
    }
    response.write(nothing);
    recording.onResponse(statusCode, rawHeaders);
    incoming.on('data', (chunk: Buffer) => recording.received.add(chunk));
    incoming.on('end', () => this.#settle(() => recording.end()));
    incoming.on('close', () => {
      if (!incoming.complete) this.#cutOff();
    });
    incoming.pipe(response);
  }

  /** Nothing has passed for the whole idle time. */
  #giveUp(): void {
    const { idleTimeout } = this.#options;
    const hasBegun = this.#received !== undefined;
    const stopped = { kind: 'aborted', message: 'the client did not send all of it' } as const;
    this.#fail(
      this.#request.complete ? toTimeout(idleTimeout, { hasBegun }) : { failure: stopped },
    );
  }

  #cutOff(): void {
    const { statusCode } = this.#received ?? {};
    const message = `${statusCode}, and then the connection ended within the body`;
    this.#fail({ failure: { kind: 'cut-off', message } });
  }

  #fail({ failure, answer }: TargetFailure): void {
    const [request, response, outgoing] = [this.#request, this.#response, this.#outgoing];
    const { connection, recording } = this.#options;
    this.#settle(() => {
      if (request.socket.destroyed) recording.leave({ hasSentAll: request.complete });
      else recording.end(failure);
      request.unpipe(outgoing);
      request.resume();
      if (answer && !response.headersSent) answerSelf(response, answer);
      else connection.end();
      outgoing.destroy();
    });
  }

  /** Only the first that becomes of an exchange counts. */
  #settle(how: () => void): void {
    if (this.#isOver) return;
    this.#isOver = true;
    how();
  }
}
