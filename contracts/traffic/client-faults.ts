import type { ApiDocument, Operation } from '../description/document.ts';
import { retryAfter } from '../limits/quota.ts';
import { type Exchange, headerValue, isAnswered } from '../transcript/exchange.ts';
import { linkedBy } from '../transcript/next-page.ts';
import type { SentCredential } from './credentials.ts';
import { keyFieldsOf } from './credentials.ts';

/** Something that a client does and the interface asks it not to do. */
export type ClientFault = {
  check: 'early-retry' | 'no-backoff' | 'deprecated-operation' | 'key-in-query';
  /** The name of its key; undefined where it has none. */
  key: string | undefined;
  exchange: Exchange;
  source: string;
  text: string;
  message: string;
  expected: string;
  actual: string;
};

/** Watches what clients do, call by call in order of sending. */
export interface ClientWatch {
  see(exchange: Exchange, credential: SentCredential): ClientFault[];
}

/** What is known of the last refusals of a key, in Unix milliseconds. */
type Refusals = {
  operation: string | undefined;
  endedAt: number;
  until: number | undefined;
  inARow: number;
  pause: number;
};

/** How many refusals in a row show that a client does not slow down. */
const minInARow = 4;

/** Keys beyond these are not followed. */
const maxKeys = 500;

export function createClientWatch(document: Described & Pick<ApiDocument, 'clauses'>): ClientWatch {
  const refused = new Map<string, Refusals>();
  const limits = document.clauses.find(({ id }) => id === 'retry-after')?.source ?? 'RFC 6585 §4';
  return {
    see(call, { form }) {
      // A key that was not sent as a bearer token is not shown as one.
      const credential = form === 'token' ? 'valid' : form;
      const exchange: Exchange = { ...call, case: { ...call.case, credential } };
      const key = exchange.request.keyName;
      const last = key === undefined ? undefined : refused.get(key);
      const next = key === undefined ? undefined : toRefusals(exchange, last);
      if (key !== undefined && next !== last) {
        refused.delete(key);
        const [oldest] = refused.keys();
        if (refused.size >= maxKeys && oldest !== undefined) refused.delete(oldest);
        if (next) refused.set(key, next);
      }
      const faults = [
        ...(form === 'in-query' ? keyInQuery(exchange, document) : []),
        ...deprecatedOperation(exchange, document),
        ...earlyRetry(exchange, limits, last),
        ...(next === last ? [] : noBackoff(exchange, limits, next)),
      ];
      return faults.map((fault) => ({ ...fault, key, exchange }));
    },
  };
}

/** What is known of the refusals of a key after an exchange; nothing once it is let in again. */
function toRefusals(exchange: Exchange, last: Refusals | undefined): Refusals | undefined {
  if (!isAnswered(exchange)) return last;
  const operation = exchange.case.operation?.id;
  if (exchange.response.status !== 429)
    // An answer to another operation, such as one that is not counted, says nothing of the wait.
    return last?.operation === operation ? undefined : last;
  const wait = retryAfter(exchange);
  const isLater = last !== undefined && exchange.sentAt >= last.endedAt;
  const pause = isLater ? exchange.sentAt - last.endedAt : 0;
  return {
    operation,
    endedAt: exchange.endedAt,
    until: wait === undefined ? undefined : exchange.endedAt + wait,
    inARow: isLater && pause <= last.pause * 1.2 + 50 ? last.inARow + 1 : 1,
    pause: isLater ? pause : (last?.pause ?? 0),
  };
}

type Fault = Omit<ClientFault, 'key' | 'exchange'>;

function keyInQuery({ request: { path } }: Exchange, document: Described): Fault[] {
  if (isStatedInQuery(path, document)) return [];
  return [
    {
      check: 'key-in-query',
      source: 'RFC 6750 §2.3',
      text: 'A key in a URL ends up in logs and histories; it is sent as a bearer token.',
      message: 'a client sends its key in the query',
      expected: 'Authorization: Bearer $KEY',
      actual: path,
    },
  ];
}

function deprecatedOperation(exchange: Exchange, document: Described): Fault[] {
  const { operation } = exchange.case;
  if (!operation?.deprecated) return [];
  return [
    {
      check: 'deprecated-operation',
      source: operation.source ?? 'the document',
      text: `${operation.id} is deprecated.`,
      message: `a client calls ${operation.id}, which is deprecated${toRemoval(operation.sunset)}`,
      expected: findSuccessor(operation, document, exchange) ?? 'another operation',
      actual: `${exchange.request.method} ${operation.path}`,
    },
  ];
}

function earlyRetry(
  { sentAt, request: { keyName } }: Exchange,
  source: string,
  last: Refusals | undefined,
): Fault[] {
  if (last?.until === undefined || sentAt < last.endedAt || sentAt >= last.until) return [];
  return [
    {
      check: 'early-retry',
      source,
      text: 'After a 429, a client waits as long as Retry-After says.',
      message: `a client calls again with key ${keyName} before Retry-After has passed`,
      expected: `a wait of ${toSeconds(last.until - last.endedAt)}`,
      actual: `a wait of ${toSeconds(sentAt - last.endedAt)}`,
    },
  ];
}

function noBackoff(
  { request: { keyName } }: Exchange,
  source: string,
  refusals: Refusals | undefined,
): Fault[] {
  if (!refusals || refusals.inARow < minInARow) return [];
  return [
    {
      check: 'no-backoff',
      source,
      text: 'After each 429 in a row, a client waits longer (exponential backoff).',
      message: `a client goes on calling with key ${keyName} after ${minInARow} refusals in a row, without longer pauses`,
      expected: 'a longer pause after each 429',
      actual: `a pause of ${toSeconds(refusals.pause)}, not longer than before`,
    },
  ];
}

/** Whether the document itself has the key in the query. */
function isStatedInQuery(path: string, document: Pick<ApiDocument, 'operations'>): boolean {
  const { isStatedParameter } = keyFieldsOf(document);
  const [, query = ''] = path.split('?');
  return [...new URLSearchParams(query).keys()].some(isStatedParameter);
}

function toSeconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(milliseconds < 10_000 ? 1 : 0)} s`;
}

function toRemoval(sunset: number | undefined): string {
  return sunset === undefined
    ? ''
    : ` and will be removed on ${new Date(sunset).toISOString().slice(0, 10)}`;
}

type Described = Pick<ApiDocument, 'raw' | 'operations'>;

/** Words of a sentence that says what takes the place of something. */
const inPlace = /\b(?:instead|replace[sd]?|replacement|superseded|successor|in favou?r of)\b/i;

/**
 * What a client is to call in the place of a deprecated operation: the sentence of its description
 * that names another operation, else the address of the response's Link (`successor-version`, RFC
 * 5829). Undefined where neither says so.
 */
export function findSuccessor(
  deprecated: Operation,
  { raw, operations }: Described,
  exchange: Exchange,
): string | undefined {
  const { description } = raw.paths?.[deprecated.path]?.[deprecated.method.toLowerCase()] ?? {};
  const others = operations.filter(({ id }) => id !== deprecated.id);
  const stated = toSentences(description).find(
    (sentence) => inPlace.test(sentence) && others.some((other) => isNamed(other, sentence)),
  );
  if (stated !== undefined) return stated;
  if (!isAnswered(exchange)) return undefined;
  const address = linkedBy(headerValue(exchange, 'Link'), 'successor-version');
  return address && `${address}, as Link in the response says`;
}

function toSentences(description: unknown): string[] {
  if (typeof description !== 'string') return [];
  return description
    .replaceAll(/[`*]/g, '')
    .split(/(?<=\.)\s+|\n+/)
    .map((one) => one.trim());
}

function isNamed({ id, method, path }: Operation, sentence: string): boolean {
  const words = sentence.split(/[\s,;()]+/).map((word) => word.replace(/[.:]$/, ''));
  const isPath = words.some((word, at) => word === method && words[at + 1] === path);
  return isPath || words.includes(id);
}
