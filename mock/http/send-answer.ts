import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Response } from 'express';
import type { Answer, TextAnswer } from '../answers/answer.ts';
import type { FaultName } from '../faults/fault-rules.ts';
import type { Random } from '../faults/random.ts';
import type { Reason, ResponseDelay } from '../journal/reason.ts';
import { type ByteText, noBytes, toByteText } from '../json/exact-json.ts';
import type { Sandbox } from '../sandboxes/sandbox.ts';
import type { Cors } from './cors.ts';
import type { ToLimitHeaders } from './limit-headers.ts';
import { localsOf, type RecordExchange, type SentResponse } from './locals.ts';
import { drainTimeout, hasBody, isUnread, readUnread } from './read-body.ts';
import { slowReaders } from './slow-readers.ts';

/** Sends an answer of the API with the headers that every one carries, and records the reason. */
export type SendApiAnswer = (
  response: Response,
  answer: Answer | TextAnswer,
  reason: Reason,
) => void;

/**
 * Breaks the connection instead of answering, and records the reason; `random` draws the bytes that
 * are not HTTP.
 */
export type FailApiCall = (
  response: Response,
  fault: { name: FaultName; random: Random },
  reason: Reason,
) => void;

/** Makes the sender of the API's answers. */
export function createSendApiAnswer(
  options: ApiHeadersOptions,
  record: RecordExchange,
): SendApiAnswer {
  return (response, answer, reason) => {
    conclude(response, reason, record, () =>
      sendAnswer(response, answer, apiHeaders(response, options)),
    );
  };
}

/** Makes the function that breaks connections instead of answering. */
export function createFailApiCall(options: ApiHeadersOptions, record: RecordExchange): FailApiCall {
  return (response, { name, random }, reason) =>
    conclude(response, reason, record, () => {
      breakConnection(response, name, { random, headers: apiHeaders(response, options) });
      return undefined;
    });
}

/**
 * Completes and records a call, once an unread body has arrived and after the delay of the request,
 * a fault or the sandbox, if the client is still connected.
 */
function conclude(
  response: Response,
  reason: Reason,
  record: RecordExchange,
  act: () => SentResponse | undefined,
): void {
  const locals = localsOf(response);
  const delay = locals.delay ?? latencyOf(locals.sandbox);
  const isLate = isUnread(response.req);
  if (!isLate && !delay?.milliseconds) {
    record(response, reason, act());
    return;
  }
  const finish = async () => {
    if (isLate) locals.received = await readUnread(response.req);
    if (!delay?.milliseconds) return record(response, reason, act());
    const isConnected = await delayResponse(response, delay.milliseconds);
    record(response, { ...reason, delay }, isConnected ? act() : undefined);
  };
  finish().catch((error) => response.destroy(error));
}

function latencyOf({ latency }: Sandbox): ResponseDelay | undefined {
  const { fixedDelay, delayDistribution } = latency.settings;
  if (fixedDelay === null && delayDistribution === null) return undefined;
  return { milliseconds: latency.next(), by: 'settings' };
}

type ApiHeadersOptions = { cors: Cors; toLimitHeaders: ToLimitHeaders };

/**
 * Returns the headers of every API response as a flat list of names and values. They are the limits
 * (of the Free plan without a valid key), the applied and the unknown preferences, and CORS.
 */
function apiHeaders(response: Response, { cors, toLimitHeaders }: ApiHeadersOptions): string[] {
  const { window, sandbox, applied, ignored } = localsOf(response);
  // Prefer (RFC 7240 §2) and the sandbox may change any answer, which caches have to know.
  const headers = [
    ...toLimitHeaders(sandbox, window),
    'Vary',
    'Prefer, X-Sandbox',
    ...cors.headers,
  ];
  if (applied !== undefined) headers.push('Preference-Applied', applied);
  if (ignored !== undefined) headers.push('X-Ignored-Preferences', ignored);
  return headers;
}

/**
 * Waits, and returns whether the client is still connected; the wait ends when it disconnects. An
 * unread body is discarded meanwhile, so that it does not time out.
 */
async function delayResponse(response: ServerResponse, milliseconds: number): Promise<boolean> {
  const { socket } = response.req;
  if (socket.destroyed) return false;
  dropBody(response);
  const gone = new AbortController();
  const leave = () => gone.abort();
  socket.once('close', leave);
  try {
    await wait(milliseconds, undefined, { signal: gone.signal });
    return true;
  } catch {
    return false;
  } finally {
    socket.off('close', leave);
  }
}

function dropBody(response: ServerResponse): void {
  const { req: request } = response;
  if (request.complete) return;
  if (request.headers.expect !== undefined) response.writeContinue();
  request.resume();
}

/**
 * Sends an answer with further headers (a flat list of names and values), and returns what was
 * sent: nothing if the request was answered already or its connection is closed.
 */
export function sendAnswer(
  response: ServerResponse,
  answer: Answer | TextAnswer,
  fields: readonly string[],
): SentResponse | undefined {
  if (response.headersSent || response.destroyed) return undefined;
  const { status } = answer;
  const content = 'text' in answer ? toByteText(answer.text) : answer.json;
  let all = [
    ...contentFields(status, content, 'text' in answer ? answer.mediaType : undefined),
    ...fields,
  ];
  const headers = 'headers' in answer ? answer.headers : undefined;
  if (headers) for (const name in headers) all.push(name, headers[name] as string);
  if ('overrides' in answer && answer.overrides) all = override(all, answer.overrides);
  try {
    response.writeHead(status, all);
  } catch {
    all = toSendable(all);
    response.writeHead(status, all);
  }
  endAfterBody(response, content);
  return { status, fields: all, content };
}

/**
 * Makes fields sendable that a document or a behaviour gives (RFC 9110 §5.5): percent-encodes what
 * Latin-1 lacks, and leaves out names that no field can have.
 */
function toSendable(fields: readonly string[]): string[] {
  return fields.flatMap((name, at) => {
    if (at % 2 === 1 || !/^[\w!#$%&'*+.^`|~-]+$/.test(name)) return [];
    const value = String(fields[at + 1]).toWellFormed();
    return [name, value.replace(/[^\t\x20-\x7e\x80-\xff]/gu, encodeURIComponent)];
  });
}

function override(
  fields: readonly string[],
  overrides: NonNullable<Answer['overrides']>,
): string[] {
  const names = new Set(Object.keys(overrides).map((name) => name.toLowerCase()));
  const others = fields.filter(
    (_, at) => !names.has((fields[at - (at % 2)] as string).toLowerCase()),
  );
  for (const [name, values] of Object.entries(overrides))
    for (const value of [values].flat()) others.push(name, value);
  return others;
}

function contentFields(status: number, content: ByteText, mediaType?: string): string[] {
  if (content === '' && (status === 204 || status === 304)) return [];
  const type = mediaType ?? (content === '' ? undefined : 'application/json');
  return [...(type ? ['Content-Type', type] : []), 'Content-Length', String(content.length)];
}

/**
 * Sends the content of an answer, and ends it once the request's body is in. A connection that is
 * closed while a body is on its way is reset, and the client may lose the answer; so the rest is
 * read and dropped, for a while.
 */
function endAfterBody(response: ServerResponse, content: ByteText): void {
  const { req: request } = response;
  if (request.complete || !hasBody(request)) {
    response.end(content, 'latin1');
    if (response.writableLength > 0) slowReaders.follow(response);
    return;
  }
  response.write(content, 'latin1');
  const cut = () => {
    response.end();
    request.socket.destroySoon();
  };
  const total = setTimeout(cut, drainTimeout.total);
  const idle = setTimeout(cut, drainTimeout.idle);
  request.on('data', () => idle.refresh());
  request.once('close', () => {
    clearTimeout(total);
    clearTimeout(idle);
    response.end();
    slowReaders.follow(response);
  });
}

/** Answers without content, and returns what was sent. */
export function sendNoContent(response: ServerResponse, fields: readonly string[]): SentResponse {
  response.writeHead(204, [...fields]);
  response.end();
  return { status: 204, fields, content: noBytes };
}

/**
 * How long a connection is still read once its answer has failed, in milliseconds, as bytes on
 * their way would reset it.
 */
const lingering = 500;

/** How many random bytes are sent. */
const garbageLength = 64;

/**
 * Breaks the connection instead of answering, once earlier answers on it are sent. `headers` (a
 * flat list of names and values) are used by the one fault that sends a head; `random` draws the
 * bytes that are not HTTP.
 */
function breakConnection(
  response: ServerResponse,
  fault: FaultName,
  { headers, random }: { headers: readonly string[]; random: Random },
): void {
  const fail = () => {
    const { socket } = response.req;
    switch (fault) {
      case 'CONNECTION_RESET_BY_PEER':
        return reset(socket);
      case 'EMPTY_RESPONSE':
        return close(response);
      case 'MALFORMED_RESPONSE_CHUNK':
        response.writeHead(200, [
          'Content-Type',
          'application/json',
          'Transfer-Encoding',
          'chunked',
          ...headers,
        ]);
        response.flushHeaders();
        return close(response, toGarbage(random));
      case 'RANDOM_DATA_THEN_CLOSE':
        return close(response, toGarbage(random));
    }
  };
  // A response of a pipelined request has no socket until its turn comes.
  if (response.socket) fail();
  else response.once('socket', fail);
}

/** Sends bytes outside of any message, and ends the connection. */
function close(response: ServerResponse, bytes?: Buffer): void {
  const { req: request } = response;
  const { socket } = request;
  request.resume();
  if (bytes) socket.write(bytes);
  socket.end();
  setTimeout(() => socket.destroy(), lingering).unref();
}

/** Sends a TCP reset. The socket of TLS cannot; the one below it can. */
function reset(socket: Socket): void {
  const { _parent: below } = socket as Socket & { _parent?: Socket };
  (below ?? socket).resetAndDestroy();
  socket.destroy();
}

/** Bytes that begin neither a status line nor a chunk, as their first bit is set. */
function toGarbage(random: Random): Buffer {
  const bytes = Buffer.from(
    Array.from({ length: garbageLength }, () => Math.floor(random() * 256)),
  );
  bytes.writeUInt8(bytes.readUInt8(0) | 0x80, 0);
  return bytes;
}
