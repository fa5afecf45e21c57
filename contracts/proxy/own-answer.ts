import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { proxyName } from './forwarded-headers.ts';

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
