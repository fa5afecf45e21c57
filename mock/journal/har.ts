import { STATUS_CODES } from 'node:http';
import { filtered } from '../redact.ts';
import type { Entry, Message } from './entry.ts';

type HarField = { name: string; value: string };

/** Fields of our own begin with an underscore, as HAR 1.2 asks. */
export type HarEntry = {
  startedDateTime: string;
  time: number;
  request: {
    method: string;
    url: string;
    httpVersion: string;
    cookies: [];
    headers: HarField[];
    queryString: HarField[];
    postData?: { mimeType: string; text: string; comment?: string };
    headersSize: -1;
    bodySize: number;
  };
  /** Status 0 where the connection ended before an answer. */
  response: {
    status: number;
    statusText: string;
    httpVersion: string;
    cookies: [];
    headers: HarField[];
    content: { size: number; mimeType: string; text?: string; comment?: string };
    redirectURL: '';
    headersSize: -1;
    bodySize: number;
  };
  cache: Record<string, never>;
  timings: { send: 0; wait: number; receive: 0 };
  _id: number;
  /** The time on the sandbox's clock at the response, in ISO 8601. */
  _clock: string;
  _sandbox: string;
  _operation: string | null;
  _key: string | null;
  _reason: Entry['reason'];
};

/** An HTTP Archive (HAR 1.2) of requests, which a version of the twin makes. */
export function toHar(entries: readonly Entry[], version: string) {
  const creator = { name: 'petstore-twin', version };
  return { log: { version: '1.2', creator, entries: entries.map(toHarEntry) } };
}

/** A request as an entry of an HTTP Archive. */
function toHarEntry({
  id,
  at,
  clock,
  sandbox,
  operation,
  key,
  status,
  milliseconds,
  reason,
  ...entry
}: Entry): HarEntry {
  const { request } = entry;
  const response = entry.response ?? { headers: {}, body: null, bytes: 0, truncated: false };
  const httpVersion = `HTTP/${request.httpVersion}`;
  const url = toUrl(entry.absoluteUrl ?? '');
  const time = milliseconds ?? 0;
  return {
    startedDateTime: at,
    time,
    request: {
      method: entry.method ?? '',
      url,
      httpVersion,
      cookies: [],
      headers: toNamed(request),
      queryString: [...new URL(url).searchParams].map(([name, value]) => ({ name, value })),
      ...(request.body !== null && {
        postData: { mimeType: mediaType(request), text: request.body, ...cutComment(request) },
      }),
      headersSize: -1,
      bodySize: request.bytes,
    },
    response: {
      status: status ?? 0,
      statusText: STATUS_CODES[status ?? 0] ?? '',
      httpVersion,
      cookies: [],
      headers: toNamed(response),
      content: {
        size: response.bytes,
        mimeType: mediaType(response),
        ...(response.body !== null && { text: response.body }),
        ...cutComment(response),
      },
      redirectURL: '',
      headersSize: -1,
      bodySize: status === null ? -1 : response.bytes,
    },
    cache: {},
    timings: { send: 0, wait: time, receive: 0 },
    _id: id,
    _clock: clock,
    _sandbox: sandbox,
    _operation: operation,
    _key: key,
    _reason: reason,
  };
}

function toNamed({ headers }: Message): HarField[] {
  return Object.entries(headers).flatMap(([name, values]) =>
    [values].flat().map((value) => ({ name, value })),
  );
}

function mediaType({ headers }: Message): string {
  const found = Object.entries(headers).find(
    ([name]) => name.toLowerCase() === 'content-type',
  )?.[1];
  return [found].flat()[0] ?? '';
}

function cutComment({ truncated }: Message): { comment?: string } {
  return truncated ? { comment: 'The text is only the beginning of the body.' } : {};
}

/** A URL that readers of archives take: some requests have none, e.g. with a malformed Host. */
function toUrl(sent: string): string {
  const url = sent.replaceAll(filtered, encodeURIComponent(filtered));
  return URL.canParse(url) ? new URL(url).href : 'http://localhost/';
}
