import { maxHeaderSize } from 'node:http';
import { explainConnection, isOfTls } from '../../cli/explain-connection.ts';
import type { Failure } from '../../transcript/exchange.ts';

/** What an error of a connection is to a run, and why in words. */
export function toFailure({
  code = '',
  message,
}: NodeJS.ErrnoException): [kind: Failure['kind'], message: string] {
  if (code === 'HPE_HEADER_OVERFLOW')
    return ['too-large', `an answer with headers of more than ${maxHeaderSize / 1024} KiB`];
  return [kindOf(code), explainConnection(code || message)];
}

function kindOf(code: string): Failure['kind'] {
  if (
    /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT)$/.test(code) ||
    isOfTls(code)
  )
    return 'unreachable';
  return code.startsWith('HPE_') ? 'not-http' : 'dropped';
}
