import type { Request, Response } from 'express';
import { headerValues } from '../../../common/http/header-values.ts';
import { stringifyExact } from '../../../common/json.ts';
import { withAt } from '../../../common/property-path.ts';
import type { Api, Operation, Resource } from '../../../openapi/index.ts';
import { findResource } from '../../../openapi/model/api.ts';
import { rowOf } from '../../../openapi/model/kinds.ts';
import { type Answer, isolationOf, toErrorAnswer } from '../../answers/answer.ts';
import type { Interception, Step } from '../../call/steps.ts';
import { findSuccess, statusOf } from '../../documented/responses.ts';
import { type FaultHeaders, type Hit, toFaultBody } from '../../faults/fault-rules.ts';
import type { Security } from '../../http/authenticate.ts';
import { type Locals, localsOf } from '../../http/locals.ts';
import type { FailApiCall, SendApiAnswer } from '../../http/send-answer.ts';
import { parseExact, parseInteger, toByteText, toText } from '../../json/exact-json.ts';
import { createExampleStep } from './error-examples.ts';
import { createForceAnswer } from './force-answer.ts';
import { type Preferences, readPreferences, toPreference } from './preferences.ts';
import { toWholeRange } from './status-answers.ts';

export type ForcedOptions = {
  document: Api;
  send: SendApiAnswer;
  fail: FailApiCall;
  /** Whether magic values are on. */
  magicValues: boolean;
};

/**
 * Creates the steps that force responses: preferences come before faults, faults before magic values,
 * and these before examples.
 */
export function createForcedSteps(options: ForcedOptions): readonly Interception[] {
  return [
    {
      phase: 'before input',
      order: 10,
      onPreference: true,
      of: (operation, { security }) => createHonourPreferences(operation, security, options),
    },
    {
      phase: 'before input',
      order: 15,
      of: (operation, { security }) => createApplyFaults(operation, security, options),
    },
    {
      phase: 'around kind',
      order: 40,
      onPreference: true,
      of: (operation) => (rowOf(operation.kind).adds ? createIdStep(operation) : undefined),
    },
    {
      phase: 'before behaviour',
      order: 20,
      of: (operation, { security }) =>
        options.magicValues ? createMagicStep(operation, security, options) : undefined,
    },
    {
      phase: 'before behaviour',
      order: 30,
      of: (operation, { security }) => createExampleStep(operation, security, options),
    },
  ];
}

/**
 * Creates the step that applies the faults of a sandbox to the calls of an operation: a status, a
 * broken connection, or only a delay.
 */
function createApplyFaults(
  operation: Operation,
  security: Security,
  { document, send, fail }: ForcedOptions,
): Step<'before input'> {
  const { id } = operation;
  const force = createForceAnswer(operation, document, security);
  /** Gives whether that answered. */
  const apply = (hit: Hit | undefined, call: Locals): boolean => {
    if (!hit) return false;
    const { rule, status, fault, delay, random } = hit;
    if (delay !== undefined) call.delay ??= { milliseconds: delay, by: rule };
    if (fault !== undefined) {
      fail(call.response, { name: fault, random }, { step: 'fault', rule, fault });
      return true;
    }
    if (status === undefined) return false;
    const forced = force({ code: status }, call);
    if (!forced || 'problem' in forced) return false;
    if (forced.window) call.window = forced.window;
    send(call.response, overrideAnswer(forced.answer, { ...hit, body: toFaultBody(hit.body) }), {
      step: 'fault',
      rule,
      code: status,
    });
    return true;
  };
  return (call, next) => {
    const { sandbox, key } = call;
    if (sandbox.faults.rules.length === 0) return next(call);
    const goOn = (hit: Hit | undefined) => apply(hit, call) || next(call);
    // It is a promise where other processes count calls too.
    const hit = sandbox.faults.decide({ operation: id, ...(key && { key: key.name }) });
    return hit instanceof Promise ? hit.then(goOn) : goOn(hit);
  };
}

/** Creates the step that honours preferences, and answers those that it cannot honour with 400. */
function createHonourPreferences(
  operation: Operation,
  security: Security,
  { document, send }: ForcedOptions,
): Step<'before input'> {
  const force = createForceAnswer(operation, document, security);
  return (call, next) => {
    const preferences = readPreferences(call.request, operation);
    if (preferences === undefined) return next(call);
    const { response } = call;
    const forced = 'problem' in preferences ? preferences : force(preferences, call);
    if (forced && 'problem' in forced) {
      const refusal = toErrorAnswer('invalid_preference', forced.problem);
      return send(response, refusal, { step: 'forced' });
    }
    const { delay, dynamic, ignored } = preferences as Preferences;
    if (ignored) call.ignored = ignored.join(', ');
    const honoured = [...(forced?.honoured ?? (dynamic === false ? ['dynamic' as const] : []))];
    if (delay !== undefined) {
      honoured.push('delay');
      call.delay = { milliseconds: delay, by: 'Prefer' };
    }
    if (!forced) honoured.push(...toleranceIn(preferences as Preferences));
    if (honoured.length > 0)
      call.applied = honoured
        .map((name) => toPreference(name, String((preferences as Preferences)[name])))
        .join(', ');
    if (!forced) return next(call);
    if (forced.window) call.window = forced.window;
    send(response, forced.answer, {
      step: 'forced',
      ...(call.applied !== undefined && { preference: call.applied }),
    });
  };
}

/** Creates the step that passes on the id which the caller prefers for a new item. */
function createIdStep(operation: Operation): Step<'around kind'> {
  return async (call, behave) => {
    const request = call.source as Request;
    const locals = localsOf(request.res as Response);
    // What the call creates elsewhere has ids of its own.
    const found = locals.operation === operation && readPreferences(request, operation);
    const newId = found && 'id' in found ? found.id : undefined;
    if (newId === undefined) return behave(call);
    const answer = await behave({ ...call, newId });
    if ('json' in answer && toText(answer.json).includes(JSON.stringify(newId)))
      locals.applied = [locals.applied, toPreference('id', newId)].filter(Boolean).join(', ');
    return answer;
  };
}

/** Lists the preferences that other steps honour: how strict the mock is for the request. */
function toleranceIn(preferences: Preferences) {
  const names = ['auth', 'unknown-ids', 'stateless'] as const;
  return names.filter((name) => preferences[name] !== undefined);
}

/**
 * Creates the step that answers magic values, once a call is known to be valid. Undefined for an
 * operation that takes none. A slow read gets the documented example, with the requested id. A slow
 * create does its usual work, later.
 */
function createMagicStep(
  operation: Operation,
  security: Security,
  { document, send }: ForcedOptions,
): Step<'before behaviour'> | undefined {
  const find = createFindMagicValue(operation, document);
  const success = findSuccess(operation);
  const resource = findResource(document, operation);
  if (!find || !success || !resource) return undefined;
  const force = createForceAnswer(operation, document, security);
  const isRead = operation.kind === 'read';
  const successStatus = statusOf(success, operation);
  return (call, next) => {
    const { request } = call;
    const found = find({ params: request.params as Record<string, string>, body: request.body });
    if (!found) return next(call);
    if (found.wait !== undefined) call.delay ??= { milliseconds: found.wait, by: found.text };
    const code = found.status ?? (isRead ? successStatus : undefined);
    const forced = code === undefined ? undefined : force({ code }, call);
    if (!forced || 'problem' in forced) return next(call);
    if (forced.window) call.window = forced.window;
    const answer =
      found.wait === undefined ? forced.answer : withId(forced.answer, found.id, resource);
    send(call.response, answer, { step: 'magic', value: isRead ? found.id : found.text });
  };
}

function withId(answer: Answer, id: string, { idProperty, idSchema }: Resource): Answer {
  const value = parseExact(toText(answer.json));
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
    headerValues(headers, 'content-type').length === 0 && {
      'Content-Type': 'text/plain; charset=utf-8',
    };
  return { ...whole, overrides: isolatedHeaders({ ...asText, ...headers }) };
}

/** The headers with those that isolate content which is no JSON; a rule may replace these too. */
function isolatedHeaders(headers: FaultHeaders): FaultHeaders {
  const given = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const added = headerValues(headers, 'content-type')
    .flatMap((mediaType) => Object.entries(isolationOf(mediaType)))
    .filter(([name]) => !given.has(name.toLowerCase()));
  return { ...Object.fromEntries(added), ...headers };
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
 * Creates the search for magic values by an operation's kind. A read checks its id; a create checks
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
