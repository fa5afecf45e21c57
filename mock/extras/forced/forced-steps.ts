import type { Request, RequestHandler, Response } from 'express';
import { stringifyExact } from '../../../common/json-text.ts';
import { withAt } from '../../../common/property-path.ts';
import type { Api, Operation, Resource } from '../../../openapi/index.ts';
import { findResource } from '../../../openapi/model/api.ts';
import { type Answer, isolationOf, toErrorAnswer } from '../../answers/answer.ts';
import type { Place } from '../../call/steps.ts';
import { findSuccess, statusOf } from '../../documented/responses.ts';
import { type FaultHeaders, type Hit, toFaultBody } from '../../faults/fault-rules.ts';
import type { Security } from '../../http/authenticate.ts';
import { localsOf } from '../../http/locals.ts';
import type { FailApiCall, SendApiAnswer } from '../../http/send-answer.ts';
import { parseExact, parseInteger, toByteText, toText } from '../../json/exact-json.ts';
import { createForceAnswer, type ForceAnswer } from './force-answer.ts';
import { type Preferences, readPreferences, toPreference } from './preferences.ts';
import { toWholeRange } from './status-answers.ts';

export type ForcedOptions = {
  document: Api;
  security: Security;
  send: SendApiAnswer;
  fail: FailApiCall;
  /** Whether magic values are on. */
  magicValues: boolean;
};

/**
 * Makes the forced steps of an operation: preferences come before faults, and faults before magic
 * values.
 */
export function createForcedSteps(
  operation: Operation,
  { document, security, send, fail, magicValues }: ForcedOptions,
): Partial<Record<Place, RequestHandler>> {
  const force = createForceAnswer(operation, document, security);
  const honourPreferences = createHonourPreferences(operation, { force, send });
  const applyFaults = createApplyFaults(operation, { force, send, fail });
  const magic = magicValues ? createMagicStep(operation, { document, force, send }) : undefined;
  return {
    'before input': (request, response, next) => {
      // Most requests use none of this and must not pay for it.
      const mayPrefer = request.headers.prefer !== undefined || request.url.includes('__');
      if (mayPrefer && honourPreferences(request, response)) return;
      if (!localsOf(response).sandbox.faults.any()) return next();
      const isAnswered = applyFaults(request, response);
      if (isAnswered instanceof Promise)
        isAnswered.then((isAnsweredNow) => isAnsweredNow || next()).catch(next);
      else if (!isAnswered) next();
    },
    ...(magic && { 'before behaviour': magic }),
  };
}

/**
 * Answers a request instead of its operation where a fault fires, and gives whether it did; a
 * promise where other processes count calls too.
 */
type ApplyFaults = (request: Request, response: Response) => boolean | Promise<boolean>;

/**
 * Applies the faults of a sandbox to the calls of an operation: a status, a broken connection, or
 * only a delay.
 */
function createApplyFaults(
  { id }: Operation,
  { force, send, fail }: { force: ForceAnswer; send: SendApiAnswer; fail: FailApiCall },
): ApplyFaults {
  const apply = (hit: Hit | undefined, request: Request, response: Response): boolean => {
    if (!hit) return false;
    const locals = localsOf(response);
    const { rule, status, fault, delay, random } = hit;
    if (delay !== undefined) locals.delay ??= { milliseconds: delay, by: rule };
    if (fault !== undefined) {
      fail(response, { name: fault, random }, { step: 'fault', rule, fault });
      return true;
    }
    if (status === undefined) return false;
    const forced = force({ code: status }, { request, response });
    if (!forced || 'problem' in forced) return false;
    if (forced.window) locals.window = forced.window;
    send(response, overrideAnswer(forced.answer, { ...hit, body: toFaultBody(hit.body) }), {
      step: 'fault',
      rule,
      code: status,
    });
    return true;
  };
  return (request, response) => {
    const { sandbox, key } = localsOf(response);
    const hit = sandbox.faults.decide({ operation: id, ...(key && { key: key.name }) });
    return hit instanceof Promise
      ? hit.then((found) => apply(found, request, response))
      : apply(hit, request, response);
  };
}

/** Answers a request instead of its operation, and returns whether it did. */
type AnswerInstead = (request: Request, response: Response) => boolean;

/** Makes the step that honours preferences, and answers those that it cannot honour with 400. */
function createHonourPreferences(
  operation: Operation,
  { force, send }: { force: ForceAnswer; send: SendApiAnswer },
): AnswerInstead {
  return (request, response) => {
    const preferences = readPreferences(request, operation);
    if (preferences === undefined) return false;
    const forced =
      'problem' in preferences ? preferences : force(preferences, { request, response });
    if (forced && 'problem' in forced) {
      send(response, toErrorAnswer('invalid_preference', forced.problem), { step: 'forced' });
      return true;
    }
    const locals = localsOf(response);
    const { delay, dynamic, ignored } = preferences as Preferences;
    if (ignored) locals.ignored = ignored.join(', ');
    const honoured = [...(forced?.honoured ?? (dynamic === false ? ['dynamic' as const] : []))];
    if (delay !== undefined) {
      honoured.push('delay');
      locals.delay = { milliseconds: delay, by: 'Prefer' };
    }
    if (honoured.length > 0)
      locals.applied = honoured
        .map((name) => toPreference(name, String((preferences as Preferences)[name])))
        .join(', ');
    if (!forced) return false;
    if (forced.window) locals.window = forced.window;
    send(response, forced.answer, {
      step: 'forced',
      ...(locals.applied !== undefined && { preference: locals.applied }),
    });
    return true;
  };
}

/**
 * Makes the step that answers magic values, once a call is known to be valid; undefined for an
 * operation that takes none. A slow read gets the documented example, with the id that it asked
 * for; a slow create does what it does, later.
 */
function createMagicStep(
  operation: Operation,
  { document, force, send }: { document: Api; force: ForceAnswer; send: SendApiAnswer },
): RequestHandler | undefined {
  const find = createFindMagicValue(operation, document);
  const success = findSuccess(operation);
  const resource = findResource(document, operation);
  if (!find || !success || !resource) return undefined;
  const isRead = operation.kind === 'read';
  const successStatus = statusOf(success, operation);
  return (request, response, next) => {
    const found = find({ params: request.params as Record<string, string>, body: request.body });
    if (!found) return next();
    const locals = localsOf(response);
    if (found.wait !== undefined) locals.delay ??= { milliseconds: found.wait, by: found.text };
    const code = found.status ?? (isRead ? successStatus : undefined);
    const forced = code === undefined ? undefined : force({ code }, { request, response });
    if (!forced || 'problem' in forced) return next();
    if (forced.window) locals.window = forced.window;
    const answer =
      found.wait === undefined ? forced.answer : withId(forced.answer, found.id, resource);
    send(response, answer, { step: 'magic', value: isRead ? found.id : found.text });
  };
}

function withId(answer: Answer, id: string, { idProperty, idSchema }: Resource): Answer {
  const { value } = parseExact(toText(answer.json));
  const own = idSchema.type === 'string' ? id : parseInteger(id);
  return {
    ...answer,
    json: toByteText(
      stringifyExact(withAt(value as Readonly<Record<string, unknown>>, idProperty, own)),
    ),
  };
}

/**
 * An answer whose headers and content are overridden by a fault rule; content that is a text is
 * sent as it is.
 */
function overrideAnswer(
  answer: Answer,
  { headers, body }: { headers?: FaultHeaders; body: unknown },
): Answer {
  if (body === undefined)
    return headers ? { ...answer, overrides: isolatedHeaders(headers) } : answer;
  const isText = typeof body === 'string';
  const { error: _, ...others } = answer;
  const filled = { ...others, json: toByteText(isText ? body : stringifyExact(body)) };
  const whole = answer.status === 206 ? toWholeRange(filled) : filled;
  const asText = isText &&
    body !== '' &&
    typesOf(headers).length === 0 && { 'Content-Type': 'text/plain; charset=utf-8' };
  return { ...whole, overrides: isolatedHeaders({ ...asText, ...headers }) };
}

/** The headers with those that isolate content which is no JSON; a rule may replace these too. */
function isolatedHeaders(headers: FaultHeaders): FaultHeaders {
  const given = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const added = typesOf(headers)
    .flatMap((mediaType) => Object.entries(isolationOf(mediaType)))
    .filter(([name]) => !given.has(name.toLowerCase()));
  return { ...Object.fromEntries(added), ...headers };
}

function typesOf(headers: FaultHeaders = {}): string[] {
  return Object.entries(headers)
    .filter(([name]) => name.toLowerCase() === 'content-type')
    .flatMap(([, values]) => values);
}

/**
 * A value that always gets the same answer: as an id where an item is read, as a text where one is
 * created. It gets a status, or the default answer after a delay in milliseconds.
 */
type MagicValue =
  | { id: string; text: string; status: number; wait?: never }
  | { id: string; text: string; status?: never; wait: number };

/** Ids that fit 64 bits and that counting never reaches, and texts that nobody uses as a name. */
export const magicValues: readonly MagicValue[] = [
  { id: '9000000000000000404', text: 'magic:404', status: 404 },
  { id: '9000000000000000429', text: 'magic:429', status: 429 },
  { id: '9000000000000000500', text: 'magic:500', status: 500 },
  { id: '9000000000000000503', text: 'magic:503', status: 503 },
  { id: '9000000000000005000', text: 'magic:slow', wait: 5000 },
];

/** Finds the magic value of a valid call, or undefined. */
type FindMagicValue = (call: {
  params: Readonly<Record<string, string>>;
  body: unknown;
}) => MagicValue | undefined;

/**
 * Makes the search for magic values by what an operation does: a read looks at its id, a create at
 * each text of its body that the document describes. Undefined for an operation that takes neither.
 */
function createFindMagicValue(operation: Operation, document: Api): FindMagicValue | undefined {
  const resource = findResource(document, operation);
  const [parameter] = operation.path.match(/(?<=\{)[^{}]+(?=\}$)/) ?? [];
  if (operation.kind === 'read' && parameter !== undefined)
    return ({ params }) => byId.get(params[parameter] ?? '');
  if (operation.kind !== 'create' || !resource) return undefined;
  const fields = Object.keys(resource.item.properties).filter(
    (name) => name !== resource.idProperty,
  );
  return ({ body }) => {
    for (const field of fields) {
      const value = (body as Record<string, unknown> | undefined)?.[field];
      const found = typeof value === 'string' ? byText.get(value) : undefined;
      if (found) return found;
    }
    return undefined;
  };
}

const byId: ReadonlyMap<string, MagicValue> = new Map(
  magicValues.map((value) => [value.id, value]),
);
const byText: ReadonlyMap<string, MagicValue> = new Map(
  magicValues.map((value) => [value.text, value]),
);
