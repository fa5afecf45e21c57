import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { Response } from 'express';
import { type Answer, contentOf, type TextAnswer } from '../answers/answer.ts';
import type { ToErrorForm } from '../documented/error-forms.ts';
import type { FaultName } from '../faults/fault-rules.ts';
import type { Random } from '../faults/random.ts';
import type { Reason, ResponseDelay } from '../journal/reason.ts';
import type { Sandbox } from '../sandboxes/sandbox.ts';
import { isUnread, readUnread } from './body-bytes.ts';
import { breakConnection } from './break-connection.ts';
import type { Cors } from './cors.ts';
import type { ToLimitHeaders } from './limit-headers.ts';
import { localsOf } from './locals.ts';
import type { RecordExchange } from './record-exchange.ts';
import { reserveUnread, type Sent, sendAnswer, tooManyUnread } from './send-answer.ts';

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
    // A delayed answer takes as much memory as an unread one.
    const whole = reserveUnread(response, contentOf(answer).length) ? answer : tooManyUnread;
    conclude(response, reason, record, () =>
      sendAnswer(response, whole, apiHeaders(response, options)),
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
 * Completes a call and records it: at once, or once a body that no step has read is there, and
 * after the delay that the request, a fault or the sandbox asks for, if the client is still
 * connected.
 */
function conclude(
  response: Response,
  reason: Reason,
  record: RecordExchange,
  act: () => Sent | undefined,
): void {
  const locals = localsOf(response);
  const delay = locals.delay ?? latencyOf(locals.sandbox);
  const isLate = isUnread(response.req);
  const finish = async () => {
    if (isLate) locals.received = await readUnread(response.req);
    if (!delay?.milliseconds) return record(response, reason, act());
    const isConnected = await delayResponse(response, delay.milliseconds);
    record(response, { ...reason, delay }, isConnected ? act() : undefined);
  };
  if (isLate || delay?.milliseconds) finish().catch((error) => response.destroy(error));
  else record(response, reason, act());
}

function latencyOf({ latency }: Sandbox): ResponseDelay | undefined {
  return latency.any() ? { milliseconds: latency.next(), by: 'settings' } : undefined;
}

type ApiHeadersOptions = { cors: Cors; toLimitHeaders: ToLimitHeaders };

/**
 * The headers of every answer of the API, as a flat list of names and values: the limits (those of
 * the Free plan for a caller without a valid key), the preferences that it honours, those that it
 * does not know, and what pages of other origins need.
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
export async function delayResponse(
  response: ServerResponse,
  milliseconds: number,
): Promise<boolean> {
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

/** Sends errors in the form that the document describes; the journal has the code of the twin's. */
export function createShapedSend(send: SendApiAnswer, toErrorForm: ToErrorForm): SendApiAnswer {
  return (response, answer, reason) => {
    if ('text' in answer || !answer.error) return send(response, answer, reason);
    const { operation, sandbox } = localsOf(response);
    const { req: request } = response;
    const { method, originalUrl } = request;
    const [path = ''] = originalUrl.split('?', 1);
    const now = sandbox.clock.now();
    const accepts = (types: string[]) => request.accepts(types);
    const shaped = toErrorForm(answer, { operation, path, method, now, accepts });
    send(response, shaped, { ...reason, error: answer.error.code });
  };
}
