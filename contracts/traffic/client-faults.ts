import type { ApiDocument } from '../description/document.ts';
import { retryAfter } from '../limits/quota.ts';
import { type Exchange, isAnswered } from '../transcript/exchange.ts';
import type { SentCredential } from './credentials.ts';
import { keyFieldsOf } from './credentials.ts';

/** Something that a client does and the interface asks it not to do. */
export type ClientFault = {
  check: 'early-retry' | 'deprecated-operation' | 'key-in-query';
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

/** The last refusal of a key, in Unix milliseconds. */
type Refusal = { operation: string | undefined; endedAt: number; until: number | undefined };

/** Keys beyond these are not followed. */
const maxKeys = 500;

export function createClientWatch(
  document: Pick<ApiDocument, 'operations' | 'clauses'>,
): ClientWatch {
  const refused = new Map<string, Refusal>();
  const limits = document.clauses.find(({ id }) => id === 'retry-after')?.source ?? 'RFC 6585 §4';
  return {
    see(call, { form }) {
      // A key that was not sent as a bearer token is not shown as one.
      const credential = form === 'token' ? 'valid' : form;
      const exchange: Exchange = { ...call, case: { ...call.case, credential } };
      const key = exchange.request.keyName;
      const last = key === undefined ? undefined : refused.get(key);
      const next = key === undefined ? undefined : toRefusal(exchange, last);
      if (key !== undefined && next !== last) {
        refused.delete(key);
        const [oldest] = refused.keys();
        if (refused.size >= maxKeys && oldest !== undefined) refused.delete(oldest);
        if (next) refused.set(key, next);
      }
      const faults = [
        ...(form === 'in-query' ? keyInQuery(exchange, document) : []),
        ...deprecatedOperation(exchange),
        ...earlyRetry(exchange, limits, last),
      ];
      return faults.map((fault) => ({ ...fault, key, exchange }));
    },
  };
}

/** The last refusal of a key after an exchange; nothing once it is let in again. */
function toRefusal(exchange: Exchange, last: Refusal | undefined): Refusal | undefined {
  if (!isAnswered(exchange)) return last;
  const operation = exchange.case.operation?.id;
  if (exchange.response.status !== 429)
    // An answer to another operation, such as one that is not counted, says nothing of the wait.
    return last?.operation === operation ? undefined : last;
  const wait = retryAfter(exchange);
  const { endedAt } = exchange;
  return { operation, endedAt, until: wait === undefined ? undefined : endedAt + wait };
}

type Fault = Omit<ClientFault, 'key' | 'exchange'>;

function keyInQuery(
  { request: { path } }: Exchange,
  document: Pick<ApiDocument, 'operations'>,
): Fault[] {
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

function deprecatedOperation(exchange: Exchange): Fault[] {
  const { operation } = exchange.case;
  if (!operation?.deprecated) return [];
  return [
    {
      check: 'deprecated-operation',
      source: operation.source ?? 'the document',
      text: `${operation.id} is deprecated.`,
      message: `a client calls ${operation.id}, which is deprecated${toRemoval(operation.sunset)}`,
      expected: 'another operation',
      actual: `${exchange.request.method} ${operation.path}`,
    },
  ];
}

function earlyRetry(
  { sentAt, request: { keyName } }: Exchange,
  source: string,
  last: Refusal | undefined,
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
