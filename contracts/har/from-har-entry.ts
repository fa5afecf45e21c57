import { isUtf8 } from 'node:buffer';
import { explainConnection } from '../../common/cli/explain-connection.ts';
import { cutComment } from '../../common/har.ts';
import { membersOf } from '../../common/json.ts';
import type { RecordedBody, RecordedExchange } from '../traffic/read-outcome.ts';
import { type Failure, type RawHeader, valuesOf } from '../transcript/exchange.ts';

type Members = Record<string, unknown>;

/**
 * Why an entry of a recording is no exchange with a deployment: it is broken, a cache
 * answered, or it is not HTTP.
 */
type SkipKind = 'broken' | 'from-cache' | 'not-http';

/** The kind and problem of a value that is no exchange; `problem` ends a sentence about it. */
export type NoExchange = { kind: SkipKind; problem: string };

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

/** Facts about an archive that its entries do not hold. */
export type HarContext = {
  /** The program that made it, such as `WebInspector`. */
  creator: string;
  /** The bytes of a body that lies beside the archive, as Playwright attaches them. */
  readAttachment: (name: string) => Promise<Uint8Array | undefined>;
};

/** The body of a request of an entry; undefined where there was none. */
async function toRequestBody(
  request: Members,
  headers: readonly RawHeader[],
  { readAttachment }: HarContext,
): Promise<RecordedBody | undefined> {
  const posted = membersOf(request.postData) ?? {};
  const { text, encoding, comment, _file } = posted;
  if (typeof _file === 'string') {
    const bytes = await readAttachment(_file);
    return bytes ? { bytes } : unrecorded;
  }
  if (typeof text === 'string' && text !== '')
    return { bytes: toBytes(text, encoding), ...(comment === cutComment && { isCut: true }) };
  if (comment === cutComment) return unrecorded;
  const form = toForm(posted, headers);
  if (form !== undefined) return { bytes: Buffer.from(form) };
  const size = Math.max(
    Number(request.bodySize) || 0,
    Number(valuesOf(headers, 'Content-Length')[0]) || 0,
  );
  return size > 0 ? unrecorded : undefined;
}

/** The text of a form whose fields alone were recorded; undefined without fields, or with a file. */
function toForm({ params }: Members, headers: readonly RawHeader[]): string | undefined {
  const fields = (Array.isArray(params) ? params : []).map((one) => membersOf(one) ?? {});
  const isWhole = fields.every(({ value, fileName }) => value !== undefined && !fileName);
  if (fields.length === 0 || !isWhole) return undefined;
  const pairs = fields.map(({ name, value }) => [String(name), String(value)] as [string, string]);
  const type = valuesOf(headers, 'Content-Type')[0] ?? '';
  if (!/^multipart\/form-data/i.test(type)) return String(new URLSearchParams(pairs));
  const [, boundary] = /boundary="?([^";]+)/i.exec(type) ?? [];
  if (boundary === undefined) return undefined;
  const parts = pairs.map(
    ([name, value]) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return `${parts.join('')}--${boundary}--\r\n`;
}

/** The body of a response of an entry. */
async function toResponseBody(
  response: Members,
  headers: readonly RawHeader[],
  { method, context }: { method: string; context: HarContext },
): Promise<RecordedBody> {
  const content = membersOf(response.content) ?? {};
  const { text, encoding, comment, _file } = content;
  if (typeof _file === 'string') {
    const bytes = await context.readAttachment(_file);
    return bytes ? toUnpacked(bytes, headers) : unrecorded;
  }
  if (typeof text !== 'string' || text === '')
    return isEmpty(response, content, { method, headers })
      ? { bytes: new Uint8Array(), isDecoded: true }
      : unrecorded;
  const bytes = toBytes(text, encoding);
  const body = toUnpacked(bytes, headers);
  // The size is that of the body once it is unpacked.
  const isShort = body.isDecoded === true && bytes.length + maxMark < Number(content.size);
  return { ...body, ...((comment === cutComment || isShort) && { isCut: true }) };
}

/** The bytes of a byte order mark, which browsers take off a text but count in its size. */
const maxMark = 3;

/** Whether no text means that there was none, and not that it was not recorded. */
function isEmpty(
  response: Members,
  content: Members,
  { method, headers }: { method: string; headers: readonly RawHeader[] },
): boolean {
  const { status, bodySize } = response;
  if (method.toUpperCase() === 'HEAD' || status === 204 || status === 304) return true;
  const { size } = content;
  if (Number(size) > 0 || Number(valuesOf(headers, 'Content-Length')[0]) > 0) return false;
  return size === 0 || bodySize === 0 || content.text === '';
}

/** How bytes begin that are packed with gzip or zstd, in hex. */
const packed = /^(?:1f8b|28b52ffd)/;

/**
 * A body whose content encoding was undone, as most recorders do while they keep its header; or one
 * that still has it, as a proxy may pass it on.
 */
function toUnpacked(bytes: Uint8Array, headers: readonly RawHeader[]): RecordedBody {
  const encoding = valuesOf(headers, 'Content-Encoding')[0] ?? '';
  if (/^identity$|^$/i.test(encoding) || isUtf8(bytes)) return { bytes, isDecoded: true };
  const start = Buffer.from(bytes.subarray(0, 4)).toString('hex');
  // Of other codings nobody can say whether they were undone, so nothing is judged by the bytes.
  return packed.test(start) ? { bytes } : { bytes, isDecoded: true, isCut: true };
}

/** A value of a recording is not what it must be; the message ends a sentence about the entry. */
export class BrokenEntry extends Error {}

/** The object of this name. Throws {@link BrokenEntry}. */
function objectOf(parent: Members, name: string): Members {
  const value = parent[name];
  const members = Array.isArray(value) ? undefined : membersOf(value);
  if (members) return members;
  throw new BrokenEntry(`has no object "${name}"`);
}

/** The text of this name. Throws {@link BrokenEntry}. */
function textOf(parent: Members, name: string): string {
  const value = parent[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new BrokenEntry(`has no text "${name}"`);
}

/**
 * Returns the absolute HTTP URL in a member; undefined for other schemes. Throws {@link
 * BrokenEntry}.
 */
function urlOf(parent: Members, name: string): string | undefined {
  const text = textOf(parent, name);
  const url = URL.parse(text);
  if (!url) throw new BrokenEntry(`has no absolute URL "${name}", but "${text.slice(0, 80)}"`);
  return /^https?:$/.test(url.protocol) ? text : undefined;
}

/** An HTTP status. Throws {@link BrokenEntry}. */
function statusOf(parent: Members): number {
  const { status } = parent;
  if (Number.isInteger(status) && Number(status) >= 100 && Number(status) <= 999)
    return Number(status);
  throw new BrokenEntry(`has no HTTP status, but ${JSON.stringify(status)?.slice(0, 40)}`);
}

/** A time in ISO 8601, with microseconds or not. Throws {@link BrokenEntry}. */
function timeOf(parent: Members, name: string): number {
  const value = parent[name];
  const [, micros = '0'] = /\.\d{3}(\d{3})/.exec(String(value)) ?? [];
  const time = Date.parse(String(value)) + Number(micros) / 1000;
  if (Number.isFinite(time)) return time;
  throw new BrokenEntry(
    `has no time "${name}", but ${(JSON.stringify(value) ?? 'nothing').slice(0, 40)}`,
  );
}

/**
 * Headers, as a list of `{ name, value }`. Pseudo headers of HTTP/2 are left out, and the values that
 * Chrome joins with line breaks are separate. Throws {@link BrokenEntry}.
 */
function headersOf(parent: Members): RawHeader[] {
  const listed: unknown[] = Array.isArray(parent.headers) ? parent.headers : [];
  return listed.flatMap((header) => {
    const { name, value } = membersOf(header) ?? {};
    if (typeof name !== 'string') throw new BrokenEntry('has a header without a name');
    if (name.startsWith(':')) return [];
    return String(value ?? '')
      .split('\n')
      .map((line) => [name, line] as const);
  });
}

/** Headers with the type of the body, where a recorder wrote that down apart from them. */
function withType(headers: RawHeader[], body: unknown): RawHeader[] {
  const { mimeType } = membersOf(body) ?? {};
  const isType = typeof mimeType === 'string' && /^[\w.+-]+\/[\w.+-]+\s*(?:;|$)/.test(mimeType);
  const isMissing = isType && valuesOf(headers, 'Content-Type')[0] === undefined;
  return isMissing ? [...headers, ['Content-Type', mimeType]] : headers;
}

/** A text as the body that it was before it was recorded. */
function toBytes(text: string, encoding: unknown): Uint8Array {
  return Buffer.from(text, encoding === 'base64' ? 'base64' : 'utf8');
}

/** A body of which nothing was recorded, though there was something. */
export const unrecorded: RecordedBody = { bytes: new Uint8Array(), isCut: true };

/** A kind of failure, from a recording of ours. */
function failureOf(value: unknown): Failure | undefined {
  const { kind, message } = membersOf(value) ?? {};
  if (!Object.hasOwn(ownKinds, String(kind))) return undefined;
  return { kind: kind as Failure['kind'], message: explainConnection(String(message ?? '')) };
}

const ownKinds: Record<Failure['kind'], true> = {
  unreachable: true,
  dropped: true,
  'cut-off': true,
  lost: true,
  aborted: true,
  timeout: true,
  'not-http': true,
  'too-large': true,
  undecodable: true,
};

/** Why there is no response, where a recording does not say: the client may have given up. */
const unknownFailure: Failure = {
  kind: 'aborted',
  message: 'no response was recorded, and not why',
};

/** Whether a recording of ours says that it was without credentials. */
function missingOf({ _missing: missing }: Members): Pick<RecordedExchange, 'missing'> {
  return Array.isArray(missing) && missing.includes('credentials')
    ? { missing: ['credentials'] }
    : {};
}
