import type { IncomingMessage } from 'node:http';
import { type Answer, toErrorAnswer } from '../answers/answer.ts';
import { type GuardHost, hostName } from './guard-host.ts';

/**
 * Refuses what is wrong for any path: another HTTP version, another host, a malformed target, an
 * unknown expectation or transfer coding.
 */
export function guardRequest(request: IncomingMessage, guardHost: GuardHost): Answer | undefined {
  if (request.httpVersionMajor !== 1)
    return toErrorAnswer('version_not_supported', 'Send the request as HTTP/1.1.');
  const refusal = guardHost(request, request.headers.host) ?? guardTarget(request, guardHost);
  if (refusal) return refusal;
  const { expect, 'transfer-encoding': coding } = request.headers;
  if (coding !== undefined && coding !== 'chunked') {
    // RFC 9112 §6.3 demands 400 for a body without an end, and §6.1 only recommends 501 for an
    // unknown coding.
    if (!/(?:^|[ \t,])chunked$/i.test(coding))
      return toErrorAnswer(
        'malformed_request',
        'The end of the body is unknown, as the last transfer coding is not chunked.',
      );
    if (coding.toLowerCase() !== 'chunked')
      return toErrorAnswer(
        'transfer_coding_not_implemented',
        'The only supported transfer coding is chunked.',
      );
  }
  if (expect !== undefined && expect.toLowerCase() !== '100-continue')
    return toErrorAnswer('expectation_failed', 'The only supported expectation is 100-continue.');
  return undefined;
}

/**
 * The request target (RFC 9112 §3.2): a path, `*` for OPTIONS, or a whole URL whose host counts as
 * the Host header does.
 */
function guardTarget(request: IncomingMessage, guardHost: GuardHost): Answer | undefined {
  const { url = '', method } = request;
  if (url.includes('#'))
    return toErrorAnswer(
      'malformed_request',
      'The request target must not contain a fragment (#).',
    );
  if (url.startsWith('/') || (url === '*' && method === 'OPTIONS')) return undefined;
  const authority = /^https?:\/\/([^/?]*)/i.exec(url)?.[1];
  if (authority === undefined || hostName(authority) === undefined)
    return toErrorAnswer(
      'malformed_request',
      'The request target must be a path, such as /v1/pets.',
    );
  return guardHost(request, authority);
}
