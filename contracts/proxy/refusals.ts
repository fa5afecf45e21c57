import { maxHeaderSize } from './limits.ts';
import type { OwnAnswer } from './own-answer.ts';

/** What a client sent that the proxy cannot pass on, by the code of Node's error. */
const refusals: Readonly<Record<string, OwnAnswer>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    code: 'headers_too_large',
    message: `The proxy passes headers of at most ${maxHeaderSize / 1024} KiB.`,
    error: 'http_request_error',
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: 413,
    code: 'chunk_extensions_too_large',
    message: 'The proxy passes no chunk extensions, and these are too long to read.',
    error: 'http_request_error',
  },
  HPE_INVALID_METHOD: {
    status: 501,
    code: 'unknown_method',
    message: 'The proxy knows no such method, so it cannot pass it on.',
    error: 'http_request_error',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    code: 'request_timeout',
    message: 'The headers of the request did not come in time.',
    error: 'http_request_error',
  },
};

/** The answer to a request that is not HTTP, or that Node would not send. */
export function refusalOf({ code = '', message }: NodeJS.ErrnoException): OwnAnswer {
  return (
    refusals[code] ?? {
      status: 400,
      code: 'malformed_request',
      message: `The request is not valid HTTP, so the proxy cannot pass it on (${code || message}).`,
      error: 'http_request_error',
    }
  );
}

/** The answer to a request whose body stopped for a time, in milliseconds. */
export function requestTimeout(milliseconds: number): OwnAnswer {
  return {
    status: 408,
    code: 'request_timeout',
    message: `The rest of the request did not come: nothing was sent for ${milliseconds / 1000} s (--idle-timeout).`,
    error: 'http_request_error',
  };
}

/** The answer to a request that asks to become something else than HTTP. */
export const noTunnel: OwnAnswer = {
  status: 501,
  code: 'no_tunnel',
  message:
    'The proxy passes HTTP requests and responses. It opens no tunnel (CONNECT) and no WebSocket.',
  error: 'http_request_error',
};

/** The answer to a request that was to come no further than here. */
export const goesNoFurther: OwnAnswer = {
  status: 501,
  code: 'goes_no_further',
  message: 'Max-Forwards is 0, so the request ends at the proxy, which offers nothing itself.',
  error: 'http_request_denied',
};

/** The answer to one of too many requests that a client sent without awaiting their responses. */
export const tooManyUnanswered: OwnAnswer = {
  status: 503,
  code: 'too_many_pipelined',
  message: 'Too many requests on this connection wait for their responses.',
  error: 'connection_limit_reached',
};
