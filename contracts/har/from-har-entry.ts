import { membersOf } from '../json.ts';
import type { RawHeader, RecordedBody, RecordedExchange } from '../traffic/recorded-exchange.ts';
import type { Failure } from '../transcript/exchange.ts';
import { toJournalFailure, withKeyName } from './from-journal-entry.ts';
import {
  cutComment,
  failureOf,
  headerOf,
  headersOf,
  missingOf,
  objectOf,
  statusOf,
  textOf,
  timeOf,
  toBytes,
  unknownFailure,
  unrecorded,
  urlOf,
} from './recorded-values.ts';
import type { NoExchange } from './skipped-entry.ts';
import { isStillEncoded } from './still-encoded.ts';

type Members = Record<string, unknown>;

/** What is around the entries of a HAR. */
export type HarContext = {
  /** The program that made it, such as `WebInspector`. */
  creator: string;
  /** The bytes of a body that lies beside the archive, as Playwright attaches them. */
  readAttachment: (name: string) => Promise<Uint8Array | undefined>;
};

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
  const cache = whichCache(entry, context);
  if (cache !== undefined) return { kind: 'from-cache', problem: `was answered by ${cache}` };
  const { sentAt, endedAt } = timesOf(entry);
  const headers = withKeyName(headersOf(request), entry._key);
  const body = await toRequestBody(request, headers, context);
  const sent = { method, url, headers, ...(body && { body }) };
  const { status = 0 } = response;
  const failure =
    failureOf(entry._failure) ??
    (entry._reason !== undefined && status === 0 ? toJournalFailure(entry._reason) : undefined);
  const others = { sentAt, endedAt, ...missingOf({ missing: entry._missing }) };
  if (status === 0 || status === -1) {
    const reason = reasonOf(entry, response);
    if (isNotSent(reason)) return { kind: 'not-sent', problem: `was never sent (${reason})` };
    return { request: sent, failure: failure ?? toFailure(reason), ...others };
  }
  const received = headersOf(response);
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

/** The cache that answered instead of the deployment, if one did. */
function whichCache(entry: Members, { creator }: HarContext): string | undefined {
  const { _fromCache, _fetchType, cache, response } = entry;
  if (typeof _fromCache === 'string') return `the ${_fromCache} cache of the browser`;
  if (typeof _fetchType === 'string' && /cache|service worker|override/i.test(_fetchType))
    return `the browser (${_fetchType})`;
  const isCached = membersOf(membersOf(cache)?.afterRequest) !== undefined;
  const isRevalidated = membersOf(response)?.status === 304;
  return /^firefox$/i.test(creator) && isCached && !isRevalidated
    ? 'the cache of the browser'
    : undefined;
}

async function toRequestBody(
  request: Members,
  headers: readonly RawHeader[],
  { readAttachment }: HarContext,
): Promise<RecordedBody | undefined> {
  const posted = membersOf(request.postData) ?? {};
  const { text, params, encoding, comment, _file } = posted;
  if (typeof _file === 'string') {
    const bytes = await readAttachment(_file);
    return bytes ? { bytes } : unrecorded;
  }
  const whole =
    typeof text === 'string' && text !== '' ? toBytes(text, encoding) : toForm(params, headers);
  if (whole) return { bytes: whole, ...(isCutComment(comment) && { isCut: true }) };
  if (isCutComment(comment)) return unrecorded;
  const size = Math.max(
    Number(request.bodySize) || 0,
    Number(headerOf(headers, 'content-length')) || 0,
  );
  return size > 0 ? unrecorded : undefined;
}

/** A form whose fields alone were recorded; of one in parts, the bytes are not known. */
function toForm(params: unknown, headers: readonly RawHeader[]): Uint8Array | undefined {
  if (!Array.isArray(params) || params.length === 0) return undefined;
  const type = headerOf(headers, 'content-type') ?? '';
  if (!/^application\/x-www-form-urlencoded/i.test(type)) return undefined;
  const fields = params.map((param) => {
    const { name, value } = membersOf(param) ?? {};
    return [String(name ?? ''), String(value ?? '')] as [string, string];
  });
  return Buffer.from(new URLSearchParams(fields).toString());
}

function isCutComment(comment: unknown): boolean {
  return comment === cutComment;
}

async function toResponseBody(
  response: Members,
  headers: readonly RawHeader[],
  { method, context }: { method: string; context: HarContext },
): Promise<RecordedBody> {
  const content = membersOf(response.content) ?? {};
  const { text, encoding, comment, _file } = content;
  if (typeof _file === 'string') {
    const bytes = await context.readAttachment(_file);
    return bytes ? { bytes, ...decodedUnless(await isStillEncoded(bytes, headers)) } : unrecorded;
  }
  if (typeof text !== 'string' || text === '')
    return isEmpty(response, content, { method, headers })
      ? { bytes: new Uint8Array(), isDecoded: true }
      : unrecorded;
  const bytes = toBytes(text, encoding);
  const isCut = isCutComment(comment) || bytes.length + maxMark < Number(content.size);
  const isPassedOn = encoding === 'base64' && (await isStillEncoded(bytes, headers));
  return { bytes, ...(isCut && { isCut }), ...decodedUnless(isPassedOn) };
}

/** The bytes of a byte order mark, which browsers take off a text but count in its size. */
const maxMark = 3;

function decodedUnless(isEncoded: boolean): { isDecoded?: true } {
  return isEncoded ? {} : { isDecoded: true };
}

/** Whether no text means that there was none, and not that it was not recorded. */
function isEmpty(
  response: Members,
  content: Members,
  { method, headers }: { method: string; headers: readonly RawHeader[] },
): boolean {
  const { status, bodySize } = response;
  if (method.toUpperCase() === 'HEAD' || status === 204 || status === 304) return true;
  const { size } = content;
  if (Number(size) > 0 || Number(headerOf(headers, 'content-length')) > 0) return false;
  return size === 0 || bodySize === 0 || content.text === '';
}

/** What a recording says of a request without a response. */
function reasonOf(entry: Members, response: Members): string {
  const texts = [response._error, entry._error, response._failureText];
  const found = texts.find((text) => typeof text === 'string' && text !== '');
  return (found as string | undefined)?.slice(0, 200) ?? '';
}

function isNotSent(reason: string): boolean {
  return /ERR_BLOCKED_BY|ERR_INTERNET_DISCONNECTED|NS_ERROR_(?:OFFLINE|CONTENT_BLOCKED)/i.test(
    reason,
  );
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
  return { kind, message: reason || unknownFailure.message };
}
