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
import { maxHeaderSize, maxInterim } from './limits.ts';
import { answerSelf, type OwnAnswer } from './own-answer.ts';
import { passInterim, passRequestBody, passResponse } from './pass.ts';
import type { Recording } from './recorder.ts';
import { refusalOf, requestTimeout } from './refusals.ts';
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
  const { connection, recording } = options;
  let outgoing: ClientRequest;
  try {
    outgoing = open(request, options);
  } catch (error) {
    // Node's parser accepts more than Node sends.
    recording.discard();
    answerSelf(response, refusalOf(error as NodeJS.ErrnoException));
    return;
  }
  let isOver = false;
  let received: IncomingMessage | undefined;
  const settle = (how: () => void) => {
    if (!isOver) how();
    isOver = true;
  };
  const leave = () => recording.leave({ hasSentAll: request.complete });
  const standIn = (answer: OwnAnswer) => {
    request.unpipe(outgoing);
    request.resume();
    answerSelf(response, answer);
    outgoing.destroy();
  };
  const fail = ({ failure, answer }: TargetFailure) =>
    settle(() => {
      if (connection.clientEnded) leave();
      else recording.end(failure);
      if (answer && !response.headersSent) standIn(answer);
      else connection.breakClient();
    });
  const failBy = (error: NodeJS.ErrnoException) => {
    const found = toTargetFailure(error, { isConnected: connection.isConnected() });
    if (received && found.failure.kind === 'dropped') cutOff(received);
    else fail(found);
  };
  const cutOff = ({ statusCode }: IncomingMessage) => {
    const message = `${statusCode}, and then the connection ended within the body`;
    fail({ failure: { kind: 'cut-off', message } });
  };
  const exchange: UnderWay = {
    giveUp() {
      const { idleTimeout } = options;
      const isClientSilent = !request.complete && !outgoing.writableNeedDrain;
      const failure: Failure = { kind: 'aborted', message: 'the client did not send all of it' };
      if (isClientSilent) fail({ failure, answer: requestTimeout(idleTimeout) });
      else fail(toTimeout(idleTimeout, { hasBegun: received !== undefined }));
    },
    abandon: () => settle(() => recording.end({ kind: 'aborted', message: unansweredAtEnd })),
    refuse(error) {
      if (isOver || response.headersSent) return false;
      settle(() => {
        recording.discard();
        standIn(refusalOf(error));
      });
      return true;
    },
  };
  connection.begin(exchange);
  connection.use(outgoing);
  outgoing.on('error', (error) => {
    // What comes after a whole response is nobody's, such as a body after that of HEAD.
    if (!received?.complete) failBy(error);
  });
  outgoing.on('upgrade', (_, socket) => {
    socket.destroy();
    failBy(notHttp('a switch to another protocol that was not requested (101)'));
  });
  passInterim(outgoing, {
    request,
    response,
    onTooMany: () => {
      failBy(notHttp(`more than ${maxInterim} interim answers (1xx)`));
      outgoing.destroy();
    },
  });
  outgoing.on('response', (incoming) => {
    incoming.on('error', () => {});
    if (isOver) return void incoming.resume();
    received = incoming;
    // Node takes the end of a response to HEAD without a length for that of the connection.
    if (request.method === 'HEAD' && isPersistent(incoming)) outgoing.shouldKeepAlive = true;
    const { shouldKeepAlive: keepsAlive } = outgoing;
    const isClosing = options.isClosing();
    try {
      passResponse(incoming, { request, response, keepsAlive, isClosing, recording });
    } catch (error) {
      failBy(notHttp(`an answer that cannot be passed (${(error as Error).message})`));
      return outgoing.destroy();
    }
    incoming.on('end', () => settle(() => recording.end()));
    incoming.on('close', () => {
      if (!incoming.complete) cutOff(incoming);
    });
  });
  response.on('close', () => {
    settle(leave);
    if (!response.writableFinished) connection.breakTarget(outgoing);
    connection.end(exchange);
  });
  passRequestBody(request, outgoing, recording);
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

function isPersistent({ httpVersion, rawHeaders }: IncomingMessage): boolean {
  const options = valuesOf(rawHeaders, 'connection').join().toLowerCase();
  return httpVersion === '1.1' && !/\bclose\b/.test(options);
}
