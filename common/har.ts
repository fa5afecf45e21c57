import { nodeHttp } from './node-http.ts';

/** A header or a parameter as an archive has it. */
export type HarField = { name: string; value: string };

/** The text of a body, and what an archive says of it. */
type HarText = { mimeType: string; text?: string; encoding?: string; comment?: string };

/** The parts of an entry of an HTTP Archive in which calls differ; a time is in milliseconds. */
export type HarCall = {
  startedDateTime: string;
  time: number;
  request: {
    method: string;
    url: string;
    headers: HarField[];
    postData?: HarText;
    bodySize: number;
  };
  /** Status 0 where the connection ended before an answer. */
  response: {
    status: number;
    headers: HarField[];
    content: HarText & { size: number };
    redirectURL?: string;
    bodySize: number;
  };
  httpVersion: string;
};

/** The comment on a body of which only the beginning is recorded. */
export const cutComment = 'The text is only the beginning of the body.';

/** Returns a call as an entry of an HTTP Archive (HAR 1.2). */
export function toHarEntry({ startedDateTime, time, request, response, httpVersion }: HarCall) {
  const shared = { httpVersion, cookies: [], headersSize: -1 };
  const parameters = URL.parse(request.url)?.searchParams ?? [];
  return {
    startedDateTime,
    time,
    request: {
      ...request,
      ...shared,
      queryString: Array.from(parameters, ([name, value]): HarField => ({ name, value })),
    },
    response: {
      redirectURL: '',
      ...response,
      ...shared,
      statusText: nodeHttp.STATUS_CODES[response.status] ?? '',
    },
    cache: {},
    timings: { send: 0, wait: time, receive: 0 },
  };
}
