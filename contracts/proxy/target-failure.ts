import { explainUntrusted, isUntrusted } from '../cli/untrusted-certificate.ts';
import type { Failure } from '../transcript/exchange.ts';
import { maxHeaderSize } from './limits.ts';
import type { OwnAnswer } from './own-answer.ts';

/** What went wrong with the target before its response was complete. */
export type TargetFailure = {
  failure: Failure;
  /** What to answer in its place; without it, the client's connection breaks as the target's did. */
  answer?: OwnAnswer;
};

type Cause = {
  kind: Failure['kind'];
  error: string;
  why: string;
  status?: number;
  /** What the call got, where the code of the error does not say it. */
  got?: string;
  /** What to do, as a sentence. */
  advice?: string;
};

const noRoute: Cause = {
  kind: 'unreachable',
  error: 'destination_ip_unroutable',
  why: 'there is no route to it',
};

const causes: Readonly<Record<string, Cause>> = {
  ECONNREFUSED: {
    kind: 'unreachable',
    error: 'connection_refused',
    why: 'it refused the connection',
  },
  ENOTFOUND: { kind: 'unreachable', error: 'dns_error', why: 'its name has no address' },
  EAI_AGAIN: { kind: 'unreachable', error: 'dns_error', why: 'its name could not be looked up' },
  EHOSTUNREACH: noRoute,
  ENETUNREACH: noRoute,
  ETIMEDOUT: {
    kind: 'unreachable',
    error: 'connection_timeout',
    why: 'it accepted no connection in time',
    status: 504,
  },
  HPE_HEADER_OVERFLOW: {
    kind: 'too-large',
    error: 'http_response_header_section_size',
    why: `its headers are larger than ${maxHeaderSize / 1024} KiB`,
    got: `an answer with headers of more than ${maxHeaderSize / 1024} KiB`,
  },
};

/** Reads an error of a connection to the target on which no response has come. */
export function toTargetFailure(
  { code = '', message }: NodeJS.ErrnoException,
  { isConnected }: { isConnected: boolean },
): TargetFailure {
  const cause = causes[code] ?? toCause(code, isConnected);
  return cause === undefined
    ? { failure: { kind: 'dropped', message: code || message } }
    : toAnswered(cause, code || message);
}

/** The failure of a target that has sent nothing for too long, before its response or within it. */
export function toTimeout(
  milliseconds: number,
  { hasBegun }: { hasBegun: boolean },
): TargetFailure {
  const time = `${milliseconds / 1000} s`;
  const why = `it sent nothing for ${time}`;
  const got = hasBegun ? `an answer that stopped for ${time}` : `no answer within ${time}`;
  return toAnswered(
    { kind: 'timeout', error: 'http_response_timeout', why, status: 504, got },
    '--idle-timeout',
  );
}

function toAnswered(
  { kind, error, why, status = 502, got, advice }: Cause,
  reason: string,
): Required<TargetFailure> {
  return {
    failure: { kind, message: got ?? reason },
    answer: {
      status,
      code: status === 504 ? 'target_timeout' : 'target_unreachable',
      message: `The proxy got no answer from the target: ${why} (${reason}).${advice === undefined ? '' : ` ${advice}`}`,
      error,
    },
  };
}

function toCause(code: string, isConnected: boolean): Cause | undefined {
  if (isUntrusted(code)) {
    const { problem, advice } = explainUntrusted(code);
    const error = 'tls_certificate_error';
    return { kind: 'unreachable', error, why: `it has a certificate that ${problem}`, advice };
  }
  if (/SSL|TLS|EPROTO/.test(code))
    return { kind: 'unreachable', error: 'tls_protocol_error', why: 'it speaks no TLS there' };
  if (code.startsWith('HPE_'))
    return { kind: 'not-http', error: 'http_protocol_error', why: 'what it sent is not HTTP' };
  if (!isConnected)
    return {
      kind: 'unreachable',
      error: 'connection_terminated',
      why: 'the connection broke before it was ready',
    };
  return undefined;
}
