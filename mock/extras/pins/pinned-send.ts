import { createHash } from 'node:crypto';
import type { Response } from 'express';
import type { Answer } from '../../answers/answer.ts';
import { toForm } from '../../answers/answer-form.ts';
import type { ErrorBody } from '../../answers/errors.ts';
import type { Deprecation } from '../../call/deprecation.ts';
import type { Step } from '../../call/steps.ts';
import { type Locals, localsOf } from '../../http/locals.ts';
import type { Step as JournalStep } from '../../journal/reason.ts';
import { parseExact, toText } from '../../json/exact-json.ts';
import type { HeaderPins, Pins } from './pins.ts';

/** The steps whose answers a deployment also gives; other steps belong to the mock only. */
const pinnedSteps: readonly JournalStep[] = [
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
export function createPinnedSend(pins: Pins): Step<'before sending'> {
  return (call, next) => {
    const { response, answer, reason } = call;
    const isPinned = pinnedSteps.includes(reason.step) && !('text' in answer);
    next(isPinned ? { ...call, answer: toPinned(response, answer, pins) } : call);
  };
}

function toPinned(response: Response, answer: Answer, pins: Pins): Answer {
  const locals = localsOf(response);
  const { req: request } = response;
  const error = errorOf(answer);
  const isHead = request.method === 'HEAD' && locals.operation !== undefined;
  const form =
    (isHead && answer.status < 400 ? pins.head : undefined) ??
    answer.form ??
    (error && pins.errors[error.code]);
  const whole = form ? toForm(answer, form, error) : answer;
  showQuota(locals, pins);
  const elsewhere = error?.code === 'method_not_allowed' ? 'other-method' : 'unknown-path';
  const place = isHead ? 'HEAD' : (locals.operation?.id ?? elsewhere);
  const { origin } = request.headers;
  const lacking = [
    ...(pins.cors === 'none' || (pins.cors && origin === undefined) ? corsHeaders : []),
    ...(pins.anonymous === 'none' && locals.key === undefined ? quotaHeaders : []),
  ];
  const headers = { ...pins.headers?.['*'], ...pins.headers?.[`${place} ${whole.status}`] };
  // Where CORS is pinned, that alone decides.
  const pinned = Object.entries(headers).filter(
    ([name]) => pins.cors === undefined || !/^access-control-/i.test(name),
  );
  return addHeaders(whole, Object.fromEntries([...pinned, ...lacking.map((name) => [name, null])]));
}

/** Shows the window that is pinned. */
function showQuota(locals: Locals, { anonymous, window }: Pins): void {
  const { key, sandbox } = locals;
  if (key === undefined && typeof anonymous === 'object')
    locals.window = { ...sandbox.limiter.anonymous(), ...anonymous };
  if (!key || !locals.window || !window) return;
  const { [window]: count } = sandbox.limiter.standing(key);
  locals.window = { ...count, reset: count.reset * 1000, per: window };
}

/** Returns the Error of an answer, if it is one. */
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
    .replace('{id}', () => String((parseExact(toText(json)) as { id?: unknown } | null)?.id));
}

/** The headers of a deprecated operation, and what becomes of it after its removal, as pinned. */
export function createPinnedDeprecation(
  made: Deprecation,
  { deprecation: pinned, afterRemoval }: Pins,
): Deprecation {
  const headers: Deprecation['headers'] = (prefix) => pinned ?? made.headers(prefix);
  return {
    headers,
    refusal(now, prefix) {
      const refusal = afterRemoval ? undefined : made.refusal(now, prefix);
      return refusal && { ...refusal, headers: headers(prefix) };
    },
  };
}
