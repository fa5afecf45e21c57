import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { proxyName } from './forwarded-headers.ts';

/** The largest headers that pass, in bytes. */
export const maxHeaderSize = 256 * 1024;

/** What the proxy answers itself, as the target cannot or may not be asked. */
export type OwnAnswer = {
  status: number;
  /** The `code` of the Error object. */
  code: string;
  message: string;
  /** The error type of `Proxy-Status` (RFC 9209 §2.3). */
  error: string;
};

/** Answers in place of the target, and closes the connection: more of the request may follow. */
export function answerSelf(response: ServerResponse, answer: OwnAnswer): void {
  const { headers, body } = toParts(answer);
  // A reason that was refused before would stay.
  response.writeHead(answer.status, STATUS_CODES[answer.status] ?? '', headers);
  response.end(body);
}

/** The same where Node has no response to write to: what came is no request, or asks for a tunnel. */
export function answerOnSocket(socket: Duplex, answer: OwnAnswer): void {
  const { headers, body } = toParts(answer);
  const lines = headers.map((text, at) => (at % 2 === 0 ? `${text}: ` : `${text}\r\n`)).join('');
  socket.end(`HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}\r\n${lines}\r\n${body}`);
}

function toParts({ status, code, message, error }: OwnAnswer): { headers: string[]; body: string } {
  const body = `${JSON.stringify({ code, message, status })}\n`;
  const headers = [
    ...['Content-Type', 'application/json'],
    ...['Content-Length', String(Buffer.byteLength(body))],
    ...['Proxy-Status', `${proxyName}; error=${error}`],
    ...['Connection', 'close'],
  ];
  return { headers, body };
}

/** What a client sent that the proxy cannot pass on, by the code of Node's error. */
const refusals: Readonly<Record<string, OwnAnswer>> = {
  HPE_HEADER_OVERFLOW: refusal(
    431,
    'headers_too_large',
    `The proxy passes headers of at most ${maxHeaderSize / 1024} KiB.`,
  ),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: refusal(
    413,
    'chunk_extensions_too_large',
    'The proxy passes no chunk extensions, and these are too long to read.',
  ),
  HPE_INVALID_METHOD: refusal(
    501,
    'unknown_method',
    'The proxy knows no such method, so it cannot pass it on.',
  ),
  ERR_HTTP_REQUEST_TIMEOUT: refusal(
    408,
    'request_timeout',
    'The headers of the request did not come in time.',
  ),
};

/** The answer to a request that is not HTTP, or that Node would not send. */
export function refusalOf({ code = '', message }: NodeJS.ErrnoException): OwnAnswer {
  return (
    refusals[code] ??
    refusal(
      400,
      'malformed_request',
      `The request is not valid HTTP, so the proxy cannot pass it on (${code || message}).`,
    )
  );
}

/** The answer to a request whose body stopped for a time, in milliseconds. */
export function requestTimeout(milliseconds: number): OwnAnswer {
  return refusal(
    408,
    'request_timeout',
    `The rest of the request did not come: nothing was sent for ${milliseconds / 1000} s (--idle-timeout).`,
  );
}

/** The answer to a request that asks to become something else than HTTP. */
export const noTunnel = refusal(
  501,
  'no_tunnel',
  'The proxy passes HTTP requests and responses. It opens no tunnel (CONNECT) and no WebSocket.',
);

/** The answer to a request that was to come no further than here. */
export const goesNoFurther = refusal(
  501,
  'goes_no_further',
  'Max-Forwards is 0, so the request ends at the proxy, which offers nothing itself.',
  'http_request_denied',
);

/** The answer to one of too many requests that a client sent without awaiting their responses. */
export const tooManyUnanswered = refusal(
  503,
  'too_many_pipelined',
  'Too many requests on this connection wait for their responses.',
  'connection_limit_reached',
);

/** The answer to a request that the proxy does not pass. */
export function refusal(
  status: number,
  code: string,
  message: string,
  error = 'http_request_error',
): OwnAnswer {
  return { status, code, message, error };
}
