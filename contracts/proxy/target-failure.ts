import { explainConnection, isOfTls, isUntrusted } from '../cli/explain-connection.ts';
import type { Failure } from '../transcript/exchange.ts';
import { maxHeaderSize, type OwnAnswer } from './own-answer.ts';

/** What went wrong with the target before its response was complete. */
export type TargetFailure = {
  failure: Failure;
  /** What to answer in its place; without it, the client's connection breaks as the target's did. */
  answer?: OwnAnswer;
};

type Cause = {
  kind: Failure['kind'];
  error: string;
  status?: number;
};

/** The code of an error that Node's parser does not raise; its message says what came. */
const noHttp = 'HPE_NO_HTTP';

/** The target sent something that Node accepts and that is no answer: `a switch to ...`. */
export function notHttp(what: string): Error {
  return Object.assign(new Error(what), { code: noHttp });
}

const noRoute: Cause = { kind: 'unreachable', error: 'destination_ip_unroutable' };
const noName: Cause = { kind: 'unreachable', error: 'dns_error' };

/** What a failure is to clients (RFC 9209), by its code. */
const causes: Readonly<Record<string, Cause>> = {
  ECONNREFUSED: { kind: 'unreachable', error: 'connection_refused' },
  ENOTFOUND: noName,
  EAI_AGAIN: noName,
  EHOSTUNREACH: noRoute,
  ENETUNREACH: noRoute,
  ETIMEDOUT: { kind: 'unreachable', error: 'connection_timeout', status: 504 },
};

/** Reads an error of a connection to the target on which no response has come. */
export function toTargetFailure(
  { code = '', message }: NodeJS.ErrnoException,
  { isConnected }: { isConnected: boolean },
): TargetFailure {
  if (code === 'HPE_HEADER_OVERFLOW')
    return toAnswered(
      { kind: 'too-large', error: 'http_response_header_section_size' },
      `an answer with headers of more than ${maxHeaderSize / 1024} KiB`,
    );
  const cause = causes[code] ?? toCause(code, isConnected);
  const why = code === noHttp ? message : explainConnection(code || message);
  return cause === undefined
    ? { failure: { kind: 'dropped', message: why } }
    : toAnswered(cause, why);
}

/** The failure of a target that has sent nothing for too long, before its response or within it. */
export function toTimeout(
  milliseconds: number,
  { hasBegun }: { hasBegun: boolean },
): TargetFailure {
  const time = `${milliseconds / 1000} s`;
  return toAnswered(
    { kind: 'timeout', error: 'http_response_timeout', status: 504 },
    hasBegun ? `an answer that stopped for ${time}` : `no answer within ${time}`,
    `nothing came for ${time} (--idle-timeout)`,
  );
}

/** What a call got; `why` is what its client reads, where that says more. */
function toAnswered(
  { kind, error, status = 502 }: Cause,
  message: string,
  why = message,
): Required<TargetFailure> {
  return {
    failure: { kind, message },
    answer: {
      status,
      code: status === 504 ? 'target_timeout' : 'target_unreachable',
      message: `The proxy got no answer from the target: ${why}.`,
      error,
    },
  };
}

function toCause(code: string, isConnected: boolean): Cause | undefined {
  if (isUntrusted(code)) return { kind: 'unreachable', error: 'tls_certificate_error' };
  if (isOfTls(code)) return { kind: 'unreachable', error: 'tls_protocol_error' };
  if (code.startsWith('HPE_')) return { kind: 'not-http', error: 'http_protocol_error' };
  if (!isConnected) return { kind: 'unreachable', error: 'connection_terminated' };
  return undefined;
}
