import {
  type ClientRequest,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { request as httpsRequest } from 'node:https';
import { unansweredAtEnd } from '../traffic/totals.ts';
import type { Failure } from '../transcript/exchange.ts';
import type { Connection, UnderWay } from './connection.ts';
import { toTargetHeaders, valuesOf } from './forwarded-headers.ts';
import {
  answerSelf,
  maxHeaderSize,
  type OwnAnswer,
  refusalOf,
  requestTimeout,
} from './own-answer.ts';
import { maxInterim, passInterim, passRequestBody, passResponse } from './pass.ts';
import type { Recording } from './recorder.ts';
import { notHttp, type TargetFailure, toTargetFailure, toTimeout } from './target-failure.ts';

export type ForwardOptions = {
  /** Where the target is; the path is the client's. */
  target: URL;
  /** The path and query that the client called. */
  path: string;
  connection: Connection;
  /** Whether `Via` is added. */
  via: boolean;
  /** After how many milliseconds without a byte an exchange is given up. */
  idleTimeout: number;
  recording: Recording;
  /** Whether the proxy is about to end. */
  isClosing: () => boolean;
};

/** Passes a request to the target and its response to the client, both as they come. */
export function forward(
  request: IncomingMessage,
  response: ServerResponse,
  options: ForwardOptions,
): void {
  let outgoing: ClientRequest;
  try {
    outgoing = open(request, options);
  } catch (error) {
    // Node's parser accepts more than Node sends.
    options.recording.discard();
    answerSelf(response, refusalOf(error as NodeJS.ErrnoException));
    return;
  }
  new Forwarding(request, response, options, outgoing).begin();
}

function open(
  { method = '', rawHeaders, httpVersion }: IncomingMessage,
  { target, path, connection: { agent }, via }: ForwardOptions,
): ClientRequest {
  const openRequest = target.protocol === 'https:' ? httpsRequest : httpRequest;
  const outgoing = openRequest({
    hostname: target.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: target.port,
    method,
    path,
    headers: toTargetHeaders(rawHeaders, { method, host: target.host, httpVersion, via }),
    setDefaultHeaders: false,
    maxHeaderSize,
    agent,
  });
  outgoing.maxHeadersCount = 0;
  return outgoing;
}

/** A request on its way to the target, until its response is complete or never will be. */
class Forwarding implements UnderWay {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #options: ForwardOptions;
  readonly #outgoing: ClientRequest;
  #received: IncomingMessage | undefined;
  #isOver = false;

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    options: ForwardOptions,
    outgoing: ClientRequest,
  ) {
    this.#request = request;
    this.#response = response;
    this.#options = options;
    this.#outgoing = outgoing;
  }

  begin(): void {
    const [request, response, outgoing] = [this.#request, this.#response, this.#outgoing];
    const { connection, recording } = this.#options;
    connection.begin(this);
    connection.use(outgoing);
    outgoing.on('error', (error) => {
      // What comes after a whole response is nobody's, such as a body after that of HEAD.
      if (!this.#received?.complete) this.#failBy(error);
    });
    outgoing.on('upgrade', (_, socket) => {
      socket.destroy();
      this.#failBy(notHttp('a switch to another protocol that was not requested (101)'));
    });
    passInterim(outgoing, {
      request,
      response,
      onTooMany: () => this.#refuseAnswer(`more than ${maxInterim} interim answers (1xx)`),
    });
    outgoing.on('response', (incoming) => this.#receive(incoming));
    response.on('close', () => {
      this.#settle(() => this.#leave());
      if (!response.writableFinished) connection.breakTarget(outgoing);
      connection.end(this);
    });
    passRequestBody(request, outgoing, recording);
  }

  giveUp(): void {
    const { idleTimeout } = this.#options;
    const isClientSilent = !this.#request.complete && !this.#outgoing.writableNeedDrain;
    const failure: Failure = { kind: 'aborted', message: 'the client did not send all of it' };
    this.#fail(
      isClientSilent
        ? { failure, answer: requestTimeout(idleTimeout) }
        : toTimeout(idleTimeout, { hasBegun: this.#received !== undefined }),
    );
  }

  abandon(): void {
    const { recording } = this.#options;
    this.#settle(() => recording.end({ kind: 'aborted', message: unansweredAtEnd }));
  }

  refuse(error: NodeJS.ErrnoException): boolean {
    if (this.#isOver || this.#response.headersSent) return false;
    this.#settle(() => {
      this.#options.recording.discard();
      this.#standIn(refusalOf(error));
    });
    return true;
  }

  #receive(incoming: IncomingMessage): void {
    const [request, response, outgoing] = [this.#request, this.#response, this.#outgoing];
    incoming.on('error', () => {});
    if (this.#isOver) return void incoming.resume();
    this.#received = incoming;
    // Node takes the end of a response to HEAD without a length for that of the connection.
    if (request.method === 'HEAD' && isPersistent(incoming)) outgoing.shouldKeepAlive = true;
    const { recording } = this.#options;
    const isClosing = this.#options.isClosing();
    const { shouldKeepAlive: keepsAlive } = outgoing;
    try {
      passResponse(incoming, { request, response, keepsAlive, isClosing, recording });
    } catch (error) {
      this.#refuseAnswer(`an answer that cannot be passed (${(error as Error).message})`);
      return;
    }
    incoming.on('end', () => this.#settle(() => recording.end()));
    incoming.on('close', () => {
      if (!incoming.complete) this.#cutOff(incoming);
    });
  }

  /** Only the first that becomes of an exchange counts. */
  #settle(how: () => void): void {
    if (!this.#isOver) how();
    this.#isOver = true;
  }

  #leave(): void {
    this.#options.recording.leave({ hasSentAll: this.#request.complete });
  }

  #refuseAnswer(what: string): void {
    this.#failBy(notHttp(what));
    this.#outgoing.destroy();
  }

  #failBy(error: NodeJS.ErrnoException): void {
    const found = toTargetFailure(error, this.#options.connection);
    if (this.#received && found.failure.kind === 'dropped') this.#cutOff(this.#received);
    else this.#fail(found);
  }

  #cutOff({ statusCode }: IncomingMessage): void {
    const message = `${statusCode}, and then the connection ended within the body`;
    this.#fail({ failure: { kind: 'cut-off', message } });
  }

  #fail({ failure, answer }: TargetFailure): void {
    const { connection, recording } = this.#options;
    this.#settle(() => {
      if (connection.clientEnded) this.#leave();
      else recording.end(failure);
      if (answer && !this.#response.headersSent) this.#standIn(answer);
      else connection.breakClient();
    });
  }

  #standIn(answer: OwnAnswer): void {
    this.#request.unpipe(this.#outgoing);
    this.#request.resume();
    answerSelf(this.#response, answer);
    this.#outgoing.destroy();
  }
}

function isPersistent({ httpVersion, rawHeaders }: IncomingMessage): boolean {
  const options = valuesOf(rawHeaders, 'connection').join().toLowerCase();
  return httpVersion === '1.1' && !/\bclose\b/.test(options);
}
