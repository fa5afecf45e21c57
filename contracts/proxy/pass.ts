import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import { hasBody, toClientHeaders } from './forwarded-headers.ts';

import type { Recording } from './recorder.ts';

/** How many interim responses (1xx) an exchange may have. */
export const maxInterim = 1000;

const nothing = Buffer.alloc(0);

/** Passes the body of a request, and its trailers, as they come. */
export function passRequestBody(
  request: IncomingMessage,
  outgoing: ClientRequest,
  recording: Recording,
): void {
  request.on('error', () => {});
  if (!hasBody(request.rawHeaders)) {
    request.resume();
    outgoing.end();
    return;
  }
  // Unlike flushHeaders, this writes bytes above ASCII as they are.
  outgoing.write(nothing);
  request.on('data', recording.onSent);
  passTrailers(request, outgoing);
  request.pipe(outgoing);
}

/** Passes interim responses (1xx), to a client that knows them. */
export function passInterim(
  outgoing: ClientRequest,
  {
    request,
    response,
    onTooMany,
  }: { request: IncomingMessage; response: ServerResponse; onTooMany: () => void },
): void {
  let count = 0;
  outgoing.on('information', ({ statusCode, rawHeaders }) => {
    count += 1;
    if (count > maxInterim) return onTooMany();
    if (response.headersSent || request.httpVersion !== '1.1') return;
    if (statusCode === 100 && rawHeaders.length === 0) response.writeContinue();
    else response.writeInformation(statusCode, toClientHeaders(rawHeaders));
  });
}

type ResponseOptions = {
  request: IncomingMessage;
  response: ServerResponse;
  /** Whether the target keeps its connection open after this response. */
  keepsAlive: boolean;
  /** Whether the proxy is about to end, so that the client is to open a new connection. */
  isClosing: boolean;
  recording: Recording;
};

/** Passes a response as it comes: its head now, then its body, then its trailers. */
export function passResponse(
  incoming: IncomingMessage,
  { request, response, keepsAlive, isClosing, recording }: ResponseOptions,
): void {
  const { statusCode = 0, statusMessage = '', rawHeaders } = incoming;
  const closes = isClosing || (!keepsAlive && incoming.httpVersion !== '1.1');
  const acceptsChunks = request.httpVersion === '1.1';
  const keepsOldClient = !acceptsChunks && keepsAlive && response.shouldKeepAlive;
  response.sendDate = false;
  for (const name of ['Connection', 'Transfer-Encoding']) response.removeHeader(name);
  if (!keepsAlive) response.shouldKeepAlive = false;
  const headers = toClientHeaders(rawHeaders, {
    acceptsChunks,
    ...(closes ? { connection: 'close' } : keepsOldClient ? { connection: 'keep-alive' } : {}),
  });
  response.writeHead(statusCode, statusMessage, headers);
  recording.onResponse(statusCode, rawHeaders);
  response.write(nothing);
  incoming.on('data', recording.onReceived);
  passTrailers(incoming, response);
  incoming.pipe(response);
}

function passTrailers(from: IncomingMessage, to: ClientRequest | ServerResponse): void {
  from.on('end', () => {
    const { rawTrailers } = from;
    const pairs: [string, string][] = [];
    for (let at = 0; at < rawTrailers.length; at += 2)
      pairs.push([rawTrailers[at] as string, rawTrailers[at + 1] as string]);
    if (pairs.length > 0) to.addTrailers(pairs);
  });
}
