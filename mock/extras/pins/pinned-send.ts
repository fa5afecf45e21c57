import { createHash } from 'node:crypto';
import type { Response } from 'express';
import type { Answer, TextAnswer } from '../../answers/answer.ts';
import { toForm, withHeaders } from '../../answers/answer-form.ts';
import type { ErrorBody } from '../../answers/errors.ts';
import type { Deprecation } from '../../call/deprecation.ts';
import { type Cors, createCors } from '../../http/cors.ts';
import { type Locals, localsOf } from '../../http/locals.ts';
import type { SendApiAnswer } from '../../http/send-answer.ts';
import type { Step } from '../../journal/reason.ts';
import { parseExact, toText } from '../../json/exact-json.ts';
import type { HeaderPins, Pins } from './pins.ts';

/** The steps whose answers a deployment gives too; the others are those of the twin alone. */
const pinnedSteps: readonly Step[] = [
  'routing',
  'credentials',
  'limits',
  'removal',
  'query',
  'body',
  'behaviour',
];

const corsHeaders = ['Access-Control-Allow-Origin', 'Access-Control-Expose-Headers'];
const quotaHeaders = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];

/** Sends answers in the forms and with the headers that are pinned. */
export function createPinnedSend(send: SendApiAnswer, pins: Pins): SendApiAnswer {
  return (response, answer, reason) => {
    const isPinned = pinnedSteps.includes(reason.step) && !('text' in answer);
    send(response, isPinned ? toPinned(response, answer, pins) : answer, reason);
  };
}

function toPinned(response: Response, answer: Answer, pins: Pins): Answer | TextAnswer {
  const locals = localsOf(response);
  const { req: request } = response;
  const error = errorOf(answer);
  const isHead = request.method === 'HEAD' && locals.operation !== undefined;
  const form =
    (isHead && answer.status < 400 ? pins.head : undefined) ??
    answer.form ??
    (error && pins.errors[error.code]);
  const whole = form ? toForm(answer, form, error) : answer;
  if (pins.freeRefusals && isRefusal(whole)) giveBack(response, locals, pins);
  const without = corsToDrop(pins, request.headers.origin);
  const end = locals.window?.reset;
  if (locals.key === undefined && pins.anonymous) {
    if (pins.anonymous === 'none') without.push(...quotaHeaders);
    else locals.window = { ...locals.sandbox.limiter.anonymous(), ...pins.anonymous };
  } else if (locals.key && locals.window && pins.window) {
    const { [pins.window]: count } = locals.sandbox.limiter.standing(locals.key);
    locals.window = { ...count, reset: count.reset * 1000, per: pins.window };
  }
  const operation = isHead ? undefined : locals.operation?.id;
  const elsewhere = isHead
    ? 'HEAD'
    : error?.code === 'method_not_allowed'
      ? 'other-method'
      : 'unknown-path';
  const places = [
    '*',
    ...(operation === undefined ? [] : ['operations']),
    `${operation ?? elsewhere} ${whole.status}${locals.key ? '' : ' without a key'}`,
  ];
  const headers: Record<string, string | null> = Object.assign(
    {},
    ...places.map((place) => pins.headers?.[place]),
  );
  if (pins.cors === 'with-origin' && request.headers.origin !== undefined)
    for (const name of Object.keys(headers)) if (isOfCors(name)) delete headers[name];
  const isDate = pins.retryAfter === 'date' && saysWhen(whole) && end !== undefined;
  const set = isDate ? { 'Retry-After': toDate(end) } : {};
  return addHeaders({ ...whole, ...withHeaders(whole, { without, headers: set }) }, headers);
}

/** A call that ends in 4xx leaves the quota as it was, and its answer shows that. */
function giveBack({ req }: Response, locals: Locals, { freeElsewhere }: Pins): void {
  const { key, countedAt, operation, window, sandbox } = locals;
  const isElsewhere = operation === undefined || req.method === 'HEAD';
  if (!key || !window || countedAt === undefined || (freeElsewhere && isElsewhere)) return;
  sandbox.limiter.giveBack(key, countedAt);
  // Beyond the limit, there is still nothing left without this call.
  const back = window.isExceeded ? 0 : 1;
  locals.window = { ...window, remaining: Math.min(window.limit, window.remaining + back) };
}

function isRefusal({ status }: Answer | TextAnswer): boolean {
  return status >= 400 && status < 500 && status !== 429;
}

/** Whether the twin itself says when a refused call can pass. */
function saysWhen({ status, headers, overrides }: Answer): boolean {
  const isPinned = Object.keys(overrides ?? {}).some(
    (name) => name.toLowerCase() === 'retry-after',
  );
  return status === 429 && !isPinned && headers?.['Retry-After'] !== undefined;
}

/** An instant as an HTTP-date (RFC 9110 §5.6.7), whose seconds are whole. */
function toDate(instant: number): string {
  return new Date(Math.ceil(instant / 1000) * 1000).toUTCString();
}

function isOfCors(name: string): boolean {
  return corsHeaders.some((one) => one.toLowerCase() === name.toLowerCase());
}

function corsToDrop({ cors }: Pins, origin: string | undefined): string[] {
  const isDropped = cors === 'none' || (cors === 'with-origin' && origin === undefined);
  return isDropped ? [...corsHeaders] : [];
}

/** The Error that an answer holds, if it is one. */
function errorOf({ status, json }: Answer): ErrorBody | undefined {
  if (status < 400 || !json.startsWith('{"code":')) return undefined;
  return JSON.parse(toText(json)) as ErrorBody;
}

function addHeaders(answer: Answer, headers: HeaderPins): Answer {
  const entries = Object.entries(headers);
  if (entries.length === 0) return answer;
  // What a form says of a header goes before what is pinned for all answers.
  const overrides = Object.fromEntries(
    entries.map(([name, value]) => [name, value === null ? [] : filled(value, answer)]),
  );
  return { ...answer, overrides: { ...overrides, ...answer.overrides } };
}

/** `{etag}` stands for a digest of the content, and `{id}` for the id of the item. */
function filled(value: string, { json }: Answer): string {
  return value
    .replace('{etag}', () => createHash('sha1').update(json, 'latin1').digest('base64url'))
    .replace('{id}', () => String((parseExact(toText(json)).value as { id?: unknown } | null)?.id));
}

/** CORS as it is pinned: for no origin, or only for requests that have one. */
export function createPinnedCors(cors: Cors, pin: 'with-origin' | 'none'): Cors {
  const off = createCors(false);
  return {
    get headers() {
      return cors.headers;
    },
    optionsHeaders(request, allow) {
      const isAnswered = pin === 'with-origin' && request.headers.origin !== undefined;
      return (isAnswered ? cors : off).optionsHeaders(request, allow);
    },
  };
}

/** The headers of a deprecated operation, and what becomes of it after its removal, as pinned. */
export function createPinnedDeprecation(
  made: Deprecation,
  { deprecation: pinned, afterRemoval }: Pins,
): Deprecation {
  const headers: Deprecation['headers'] = (prefix, status) => {
    if (!pinned) return made.headers(prefix, status);
    return pinned.on?.includes(status) === false ? {} : pinned.headers;
  };
  return {
    headers,
    refusal(now, prefix) {
      const refusal = afterRemoval ? undefined : made.refusal(now, prefix);
      return refusal && { ...refusal, headers: headers(prefix, refusal.status) };
    },
  };
}
