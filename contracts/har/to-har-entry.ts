import { isUtf8 } from 'node:buffer';
import { cutComment, type HarField, toHarEntry as toEntry } from '../../common/har.ts';
import type { RecordedBody, RecordedExchange } from '../traffic/recorded-exchange.ts';
import { type RawHeader, valuesOf } from '../transcript/exchange.ts';

/**
 * An exchange as an entry of an HTTP Archive 1.2; `page` is the id of its page. Bodies must be
 * decoded. Fields of our own begin with an underscore, as HAR asks.
 */
export function toHarEntry(exchange: RecordedExchange, page: string | undefined): object {
  const { request, failure, sentAt, endedAt, missing } = exchange;
  const { status, headers, body } = exchange.response ?? {
    status: 0,
    headers: [],
    body: undefined,
  };
  const entry = toEntry({
    startedDateTime: toIso(sentAt),
    time: Math.max(0, endedAt - sentAt),
    httpVersion: 'HTTP/1.1',
    request: {
      method: request.method,
      url: request.url,
      headers: toNamed(request.headers),
      ...toPostData(request),
      bodySize: request.body?.isCut ? -1 : (request.body?.bytes.length ?? 0),
    },
    response: {
      status,
      headers: toNamed(headers),
      content: toContent(body, headers),
      redirectURL: valuesOf(headers, 'Location')[0] ?? '',
      bodySize: -1,
      ...(failure && { _error: `${failure.kind}: ${failure.message}` }),
    },
  });
  return {
    ...(page !== undefined && { pageref: page }),
    ...entry,
    ...(failure && { _failure: failure }),
    ...(missing && { _missing: missing }),
  };
}

function toContent(body: RecordedBody | undefined, headers: readonly RawHeader[]) {
  const mimeType = valuesOf(headers, 'Content-Type')[0] ?? '';
  if (!body) return { size: 0, mimeType };
  const { length } = body.bytes;
  if (body.isCut && length === 0) return { size: -1, mimeType, comment: cutComment };
  return { size: length, mimeType, ...toText(body) };
}

function toPostData({ headers, body }: RecordedExchange['request']) {
  if (!body || (body.bytes.length === 0 && !body.isCut)) return {};
  return { postData: { mimeType: valuesOf(headers, 'Content-Type')[0] ?? '', ...toText(body) } };
}

function toText({ bytes, isCut }: RecordedBody) {
  const { buffer, byteOffset, length } = bytes;
  const view = Buffer.from(buffer, byteOffset, length);
  return {
    text: view.toString(isUtf8(bytes) ? 'utf8' : 'base64'),
    ...(!isUtf8(bytes) && { encoding: 'base64' }),
    ...(isCut && { comment: cutComment }),
  };
}

function toNamed(headers: readonly RawHeader[]): HarField[] {
  return headers.map(([name, value]) => ({ name, value }));
}

/** A time in ISO 8601, with microseconds: calls that follow each other are told from parallel ones. */
function toIso(time: number): string {
  const micros = Math.floor((time % 1) * 1000);
  return new Date(time).toISOString().replace('Z', `${String(micros).padStart(3, '0')}Z`);
}
