import { isSame, membersOf, parseJson } from '../../common/json.ts';
import type { Api } from '../../openapi/index.ts';
import { findIn } from '../../openapi/model/responses.ts';
import { shownAnswer, type Violation } from '../clauses/check.ts';
import {
  type Answer,
  type Exchange,
  headerValue,
  isAnswered,
  sentValue,
} from '../transcript/exchange.ts';
import { itemIn, itemsIn } from '../transcript/items.ts';
import { isLong } from '../transcript/leftovers.ts';
import { showsSent } from '../transcript/made.ts';
import { compileSent } from '../transcript/schema/validator.ts';
import { findTaken } from './invalid-input.ts';
import { isSuccess, type PlayedStep, type Step, statusOf } from './player.ts';

/** The checks of fuzzing, in the order of reports. */
export const fuzzCheckIds = [
  'no-crash',
  'no-hang',
  'use-after-delete',
  'key-always-required',
  'invalid-input',
  'valid-input',
  'no-race',
] as const;

export type FuzzCheckId = (typeof fuzzCheckIds)[number];

/** Something that is wrong with one answer of a sequence; those of one cause have one `key`. */
export type Symptom = Pick<Violation, 'message' | 'expected' | 'actual'> & {
  check: FuzzCheckId;
  key: string;
  /** The same for one cause on several operations. */
  group?: string;
  /** The step that shows it. */
  at: number;
  /** Whether it may be over soon: a server that is too busy for any call. */
  mayPass?: boolean;
  /** Whether the document states what is broken; by default it does. */
  isStated?: boolean;
};

/** Knowledge of the operations that are called. */
export type Facts = {
  document: Api;
  /** Whether calls need a key at all. */
  hasKey: boolean;
  /** The ids of operations whose plain call was answered with a success. */
  plainly: ReadonlySet<string>;
  /** The ids of operations that refuse a body which was sent before. */
  refusesTwice: ReadonlySet<string>;
};

/** A step that was played, and those before it. */
type SeenStep = Facts & { one: PlayedStep; played: readonly PlayedStep[]; at: number };

/** A fault of an answer; `actual` is the answer itself where it is not given. */
type FoundFault = (Omit<Symptom, 'check' | 'at' | 'actual'> & { actual?: string }) | undefined;

const finders: Readonly<Record<FuzzCheckId, (seen: SeenStep) => FoundFault>> = {
  'no-crash': findCrash,
  'no-hang': findHang,
  'use-after-delete': findUseAfterDelete,
  'key-always-required': findOpenDoor,
  'invalid-input': findTaken,
  'valid-input': findRefused,
  'no-race': findRace,
};

/** Returns the first thing that is wrong with the answers to a sequence. */
export function findSymptom(known: Facts, played: readonly PlayedStep[]): Symptom | undefined {
  for (const [at, one] of played.entries())
    for (const check of fuzzCheckIds) {
      const found = finders[check]({ ...known, one, played, at });
      const text = one.exchange.response?.text ?? '';
      if (found)
        return { check, actual: shownAnswer({ status: statusOf(one), text }), ...found, at };
    }
  return undefined;
}

const broken: Readonly<Record<string, string>> = {
  dropped: 'drops the connection without an answer',
  'cut-off': 'ends its answer before it is complete',
  'not-http': 'answers with something that is not HTTP',
  undecodable: 'answers with a body that cannot be decoded',
};

function findCrash({ one: { step, exchange } }: SeenStep): FoundFault {
  const { id } = step.subject.operation;
  const what = step.input.changes.length > 0 ? ` to ${step.input.what}` : '';
  const expected = 'a success, or a 4xx that says what is wrong with the request';
  if (!isAnswered(exchange)) {
    const { kind, message: actual } = exchange.failure;
    const how = broken[kind];
    if (how === undefined) return undefined;
    return { key: `${id} ${kind}`, message: `${id} ${how}${what}`, expected, actual };
  }
  const { status } = exchange.response;
  if (!isCrash(exchange)) return undefined;
  return {
    ...toCause(exchange, step),
    message: `${id} answers ${status}${what}`,
    expected,
    mayPass: status === 503,
  };
}

function findHang({ one: { step, exchange } }: SeenStep): FoundFault {
  const { id } = step.subject.operation;
  if (exchange.failure?.kind !== 'timeout') return undefined;
  return {
    key: id,
    message: `${id} gives no answer to ${step.input.what}`,
    expected: 'an answer in time, as a plain call gets one',
    actual: exchange.failure.message,
    mayPass: true,
  };
}

/** Whether an answer is a failure of the server; 501 and a 503 that names a time are none. */
function isCrash(exchange: Exchange): boolean {
  const status = exchange.response?.status ?? 0;
  const isBusy = status === 503 && headerValue(exchange, 'Retry-After') !== undefined;
  return status >= 500 && status !== 501 && !isBusy;
}

/** Members of errors that say what happened. */
const telling =
  /^(?:message|errors?|detail|title|type|reason|description|exception|error_?description)$/i;

/** The name of an exception: one handler answers with it, whatever the operation. */
const exceptionName = /^[\w.$]*(?:Exception|Error|Failure)$/;

/**
 * Names the cause of a failure by what the server says, without what differs from call to call. Failures
 * of one exception have one cause, whatever the operation; others have one for each operation.
 */
function toCause({ response }: Exchange, { subject, input }: Step): Pick<Symptom, 'key' | 'group'> {
  const { id, parameters } = subject.operation;
  const [change] = input.changes;
  const isUndescribed =
    change?.in === 'method' ||
    (change?.in === 'header' && parameters.every(({ name }) => name !== change.name));
  const { status } = response ?? {};
  const told = textsTold(response?.json);
  const name = told.find((text) => exceptionName.test(text));
  if (name !== undefined)
    return { key: `${id} ${status} ${name}`, group: `${status} with ${name}` };
  const text = told.length > 0 ? told.join(' ') : (response?.text ?? '');
  const words = text
    .replace(/<[^>]*>/g, ' ')
    // A short word in quotes is the name of a member; what was sent is longer, or has digits.
    .replace(/(["'`])(?![A-Za-z_]{1,20}\1)[^"'`]*\1/g, '"…"')
    .replace(/(?<!Error): .*$/s, '')
    .replace(/[0-9a-f]{6,}|\d+|[^\x20-\x7e]+/gi, '#')
    .replace(/\s+/g, ' ')
    .slice(0, 120);
  // What no operation describes is read by a framework, for all of them.
  const group = isUndescribed && { group: `${status} ${change.in} ${words}` };
  return { key: `${id} ${status} ${words}`, ...group };
}

/** The texts of an error that say what happened, also in an object that an envelope has. */
function textsTold(json: unknown): string[] {
  return Object.entries(membersOf(json) ?? {}).flatMap(([name, value]) => {
    if (typeof value === 'object' && value !== null)
      return telling.test(name) || Array.isArray(json) ? textsTold(value) : [];
    return telling.test(name) || Array.isArray(json) ? [String(value)] : [];
  });
}

function findUseAfterDelete({ one, played, at }: SeenStep): FoundFault {
  const { subject, on } = one.step;
  const { operation } = subject;
  const deletedAt = played
    .slice(0, at)
    .findIndex(
      ({ step }) => step.subject.operation.kind === 'delete' && isAtOrAbove(played, step.on, on),
    );
  const [deletion, before] = [played[deletedAt], played.slice(0, deletedAt)];
  if (!deletion || on === undefined || !isSuccess(one) || !isSuccess(deletion)) return undefined;
  // What a change brought back is there again.
  const isBack = played
    .slice(0, at)
    .some((other) => other.step.on === on && other.step.subject.body && isSuccess(other));
  const isOpen = statusOf(deletion) === 202 || operation.kind === 'delete' || isBack;
  const isMissingStated = [404, 410].some((status) => findIn(operation.responses, status));
  // An empty list shows nothing of what was there.
  const isList = operation.kind === 'list' && isAnswered(one.exchange);
  const isEmpty = isList && itemsIn(one.exchange as Answer).length === 0;
  if (isOpen || isEmpty || !isMissingStated || isMarkedDeleted(one, on, before)) return undefined;
  const { id } = deletion.step.subject.operation;
  const what =
    operation.kind === 'create'
      ? 'what is made below an item that'
      : deletion.step.on === on
        ? 'an item that'
        : 'an item whose parent';
  return {
    key: `${operation.id} ${id}`,
    message: `${operation.id} answers ${statusOf(one)} for ${what} ${id} deleted`,
    expected: '404 or 410',
  };
}

/** Whether a read shows an item otherwise than it was before its deletion, which may have marked it. */
function isMarkedDeleted(
  { step, exchange }: PlayedStep,
  on: number,
  before: readonly PlayedStep[],
): boolean {
  const item = step.subject.operation.kind === 'read' ? itemIn(exchange) : undefined;
  const last = before.findLast(
    (one, index) =>
      (index === on || (one.step.on === on && one.step.subject.body)) && isSuccess(one),
  );
  if (!item || !last) return false;
  const told = Object.entries(itemIn(last.exchange) ?? {});
  const isOther = showsSent(item, sentValue(last.exchange), isLong) === false;
  return isOther || told.some(([name, was]) => name in item && !isSame(item[name], was));
}

/** Whether a step made the item of another one, or the item that it is below. */
function isAtOrAbove(
  played: readonly PlayedStep[],
  made: number | undefined,
  on: number | undefined,
): boolean {
  if (made === undefined || on === undefined) return false;
  return made === on || isAtOrAbove(played, made, played[on]?.step.on);
}

function findOpenDoor({ hasKey, one }: SeenStep): FoundFault {
  const { credential } = one.exchange.case;
  const { id, waysIn } = one.step.subject.operation;
  const isAsked = waysIn.length > 0 && waysIn.every((way) => way.length > 0);
  if (!hasKey || !isAsked || credential === 'valid' || !isSuccess(one)) return undefined;
  return {
    key: id,
    message: `${id} answers ${statusOf(one)} without valid credentials (${credential})`,
    expected: '401 or 403',
  };
}

/** Texts that JSON cannot carry safely (RFC 8259 §8.2), and those so long that a limit is fair. */
function mayBeRefused(value: unknown): boolean {
  if (typeof value !== 'string') return typeof value === 'object' && value !== null;
  return value.length > 1000 || !value.isWellFormed() || /[\p{Cc}\p{Cn}\p{Co}]/u.test(value);
}

function findRefused({ document, plainly, one }: SeenStep): FoundFault {
  const { subject, input } = one.step;
  const { operation, body } = subject;
  const [change] = input.changes;
  const isSingle = input.changes.length === 1 && change?.in === 'body' && !('json' in change);
  const isRefusal = statusOf(one) === 400 || statusOf(one) === 422;
  if (!body || !isSingle || !isRefusal || !plainly.has(operation.id)) return undefined;
  const value = 'value' in change ? change.value : undefined;
  const isDescribed = body.places.some(({ at }) => at.join() === change.at.join());
  const { body: text } = one.exchange.request;
  const sent = typeof text === 'string' ? parseJson(text) : undefined;
  const isValid = sent !== undefined && compileSent(document, body.schema)(sent).length === 0;
  // An id may have to be that of the path.
  const isId = change.at.at(-1) === subject.resource?.idProperty;
  if (!isDescribed || !isValid || isId || mayBeRefused(value)) return undefined;
  return {
    key: `${operation.id} ${change.at.join('.')}`,
    message: `${operation.id} refuses a body that its schema allows (${input.what}), and takes one that differs only there`,
    expected: 'a success, or a schema that says what is refused',
    isStated: false,
  };
}

function findRace({ refusesTwice, one, played, at }: SeenStep): FoundFault {
  const before = played[at - 1];
  const { id } = one.step.subject.operation;
  if (!one.step.isAtOnce || !before || !refusesTwice.has(id)) return undefined;
  const ids = [before, one].map(({ exchange }) => exchange.made?.id);
  if (![before, one].every(isSuccess) || ids[0] === ids[1]) return undefined;
  return {
    key: id,
    message: `${id} makes two items of one body that is sent twice at once, and refuses it one after the other`,
    expected: 'one success and one refusal',
    actual: `${statusOf(before)} and ${statusOf(one)}`,
    isStated: false,
  };
}
