import { cutComment, type HarField, toHarEntry } from '../../common/har.ts';
import { headerValues } from '../../common/http/header-values.ts';
import { filtered } from '../redact.ts';
import type { Entry, Message } from './entry.ts';

/** An HTTP Archive (HAR 1.2) of requests, which a version of the twin makes. */
export function toHar(entries: readonly Entry[], version: string) {
  const creator = { name: 'petstore-twin', version };
  return { log: { version: '1.2', creator, entries: entries.map(toOwnEntry) } };
}

/** Returns a request as an entry of an archive. Fields of our own begin with an underscore, as HAR asks. */
function toOwnEntry(entry: Entry) {
  const { request } = entry;
  const response = entry.response ?? { headers: {}, body: null, bytes: 0, truncated: false };
  const { id, clock, sandbox, operation, key, reason } = entry;
  return {
    ...toHarEntry({
      startedDateTime: entry.at,
      time: entry.milliseconds ?? 0,
      httpVersion: `HTTP/${request.httpVersion}`,
      request: {
        method: entry.method ?? '',
        url: toUrl(entry.absoluteUrl ?? ''),
        headers: toNamed(request),
        ...(request.body !== null && { postData: toText(request) }),
        bodySize: request.bytes,
      },
      response: {
        status: entry.status ?? 0,
        headers: toNamed(response),
        content: { size: response.bytes, ...toText(response) },
        bodySize: entry.status === null ? -1 : response.bytes,
      },
    }),
    // By the clock of the sandbox, at the response, in ISO 8601.
    ...{ _id: id, _clock: clock, _sandbox: sandbox },
    ...{ _operation: operation, _key: key, _reason: reason },
  };
}

function toText(message: Message) {
  const { headers, body, truncated } = message;
  return {
    mimeType: headerValues(headers, 'content-type')[0] ?? '',
    ...(body !== null && { text: body }),
    ...(truncated && { comment: cutComment }),
  };
}

function toNamed({ headers }: Message): HarField[] {
  return Object.entries(headers).flatMap(([name, values]) =>
    [values].flat().map((value) => ({ name, value })),
  );
}

/** A URL that readers of archives take: some requests have none, e.g. with a malformed Host. */
function toUrl(sent: string): string {
  const url = sent.replaceAll(filtered, encodeURIComponent(filtered));
  return URL.canParse(url) ? new URL(url).href : 'http://localhost/';
}
