import { explainConnection } from '../../common/cli/explain-connection.ts';
import { membersOf } from '../../common/json.ts';
import type { RawHeader, RecordedExchange } from '../traffic/recorded-exchange.ts';
import type { Failure } from '../transcript/exchange.ts';
import { type HarContext, toRequestBody, toResponseBody } from './har-bodies.ts';
import {
  failureOf,
  headersOf,
  missingOf,
  objectOf,
  statusOf,
  textOf,
  timeOf,
  unknownFailure,
  urlOf,
  withType,
} from './recorded-values.ts';
import type { NoExchange } from './skipped-entry.ts';

type Members = Record<string, unknown>;

/** The exchange of an entry of an HTTP Archive 1.2. Throws a BrokenEntry. */
export async function fromHarEntry(
  entry: Members,
  context: HarContext,
): Promise<RecordedExchange | NoExchange> {
  const request = objectOf(entry, 'request');
  const response = membersOf(entry.response) ?? {};
  const method = textOf(request, 'method');
  const url = urlOf(request, 'url');
  if (url === undefined) return { kind: 'not-http', problem: 'is no request of HTTP' };
  if (isFromCache(entry, context))
    return { kind: 'from-cache', problem: 'was answered by a cache' };
  const { sentAt, endedAt } = timesOf(entry);
  const headers = withKeyName(withType(headersOf(request), request.postData), entry._key);
  const body = await toRequestBody(request, headers, context);
  const sent = { method, url, headers, ...(body && { body }) };
  const { status = 0 } = response;
  const failure =
    failureOf(entry._failure) ??
    (entry._reason !== undefined && status === 0 ? toJournalFailure(entry._reason) : undefined);
  const others = { sentAt, endedAt, ...missingOf(entry) };
  if (status === 0 || status === -1) {
    return { request: sent, failure: failure ?? toFailure(reasonOf(entry, response)), ...others };
  }
  const received = withType(headersOf(response), response.content);
  return {
    request: sent,
    response: {
      status: statusOf(response),
      headers: received,
      body: await toResponseBody(response, received, { method, context }),
    },
    ...(failure && { failure }),
    ...others,
  };
}

/**
 * When it was sent and when it ended. Browsers begin to count when a request is queued, so the time
 * until there was a connection is no part of the call.
 */
function timesOf(entry: Members): { sentAt: number; endedAt: number } {
  const started = timeOf(entry, 'startedDateTime');
  const timings = membersOf(entry.timings) ?? {};
  const length = (value: unknown) =>
    typeof value === 'number' && Number.isFinite(value) ? Math.max(0, value) : 0;
  const waited = ['blocked', 'dns', 'connect'].reduce((sum, of) => sum + length(timings[of]), 0);
  const used = ['send', 'wait', 'receive'].reduce((sum, of) => sum + length(timings[of]), waited);
  const time = length(entry.time) || used;
  return { sentAt: started + Math.min(waited, time), endedAt: started + time };
}

/** Whether a cache of the browser answered instead of the deployment. */
function isFromCache(entry: Members, { creator }: HarContext): boolean {
  const { _fromCache, _fetchType, cache, response } = entry;
  if (typeof _fromCache === 'string') return true;
  if (/cache|service worker|override/i.test(String(_fetchType))) return true;
  const isCached = membersOf(membersOf(cache)?.afterRequest) !== undefined;
  const isRevalidated = membersOf(response)?.status === 304;
  return /^firefox$/i.test(creator) && isCached && !isRevalidated;
}

/** Returns the reason that a recording gives for a missing response; empty where it gives none. */
function reasonOf(entry: Members, response: Members): string {
  const texts = [response._error, entry._error, response._failureText];
  const found = texts.find((text) => typeof text === 'string' && text !== '');
  return (found as string | undefined)?.slice(0, 200) ?? '';
}

const failureKinds: readonly [pattern: RegExp, kind: Failure['kind']][] = [
  [/ABORTED|CANCEL/i, 'aborted'],
  [/TIMED?_?OUT|timeout/i, 'timeout'],
  [
    /CONNECTION_REFUSED|NAME_NOT_RESOLVED|UNKNOWN_HOST|CERT|SSL|ADDRESS_|ECONNREFUSED/i,
    'unreachable',
  ],
  [/INVALID_HTTP|HTTP2_PROTOCOL|UNEXPECTED_PROXY/i, 'not-http'],
  [/CONTENT_DECODING/i, 'undecodable'],
  [/RESET|CLOSED|EMPTY_RESPONSE|INTERRUPT|INCOMPLETE|MISMATCH|ECONN/i, 'lost'],
];

/** A browser gives no reason where it kept a response from a page, so the deployment is not blamed. */
function toFailure(reason: string): Failure {
  const kind = failureKinds.find(([pattern]) => pattern.test(reason))?.[1] ?? unknownFailure.kind;
  return { kind, message: explainConnection(reason) || unknownFailure.message };
}

/** Why the twin gave no response: it was told to break the connection, or the client left. */
function toJournalFailure(reason: unknown): Failure {
  const isFault = membersOf(reason)?.step === 'fault';
  const kind = isFault ? 'dropped' : 'aborted';
  return { kind, message: 'the connection ended before a response' };
}

/** Recordings of the twin filter keys, and name the one that was accepted. */
function withKeyName(headers: RawHeader[], key: unknown): RawHeader[] {
  if (typeof key !== 'string') return headers;
  return headers.map(([name, value]) =>
    name.toLowerCase() === 'authorization'
      ? [name, value.replace('[Filtered]', key)]
      : [name, value],
  );
}
