import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { nodeHttp } from '../../common/node-http.ts';
import { type Answer, toErrorAnswer } from '../answers/answer.ts';
import type { ErrorCode } from '../answers/errors.ts';
import type { ByteText } from '../json/exact-json.ts';
import type { SentResponse } from './locals.ts';

/**
 * How long a refused connection is still read, in milliseconds, so that what is on its way does not
 * reset it.
 */
const lingering = 500;

const refused = new WeakSet<Duplex>();

/** Completes and records answers to input that never becomes a request. */
export type BareAnswers = {
  /** The headers that they carry, as a flat list of names and values. */
  headers: () => string[];
  /** Called with each, and with the response in whose place it was sent. */
  record: (sent: SentResponse, response?: ServerResponse) => void;
  /** The form in which they are answered. */
  toForm?: (answer: Answer) => Answer;
};

/**
 * Answers on a bare connection and closes it, once. Requests that came before have their answers
 * first; where the answer to the broken request has begun, it is the only one.
 */
export function refuseConnection(
  socket: Duplex,
  given: Answer,
  { headers, record, toForm }: BareAnswers,
): void {
  if (refused.has(socket)) return;
  const answer = toForm?.(given) ?? given;
  refused.add(socket);
  socket.on('error', () => socket.destroy());
  afterEarlierAnswers(socket, (current) => {
    const begun = current?.headersSent === true;
    if (socket.writable && !begun) {
      const fields = headers();
      socket.write(
        toRawResponse(answer, nodeHttp.STATUS_CODES[answer.status] ?? '', fields),
        'latin1',
      );
      record({ status: answer.status, fields, content: answer.json }, current);
    }
    // A request that came too late must not be acted on once it has been answered so.
    if (begun || answer.status === 408) (socket as Socket).destroySoon();
    else socket.end();
    setTimeout(() => socket.destroy(), lingering).unref();
  });
}

/** An answer as the bytes of HTTP/1.1, for a connection whose request could not be parsed. */
function toRawResponse(
  { status, json, headers = {}, overrides = {} }: Answer,
  reason: string,
  fields: readonly string[],
): ByteText {
  const lines = [
    `HTTP/1.1 ${status} ${reason}`,
    'Connection: close',
    `Date: ${new Date().toUTCString()}`,
  ];
  const mediaType = overrides['Content-Type'] ?? 'application/json';
  lines.push(`Content-Type: ${mediaType}`, `Content-Length: ${json.length}`);
  for (let at = 0; at < fields.length; at += 2) lines.push(`${fields[at]}: ${fields[at + 1]}`);
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  return `${lines.join('\r\n')}\r\n\r\n${json}` as ByteText;
}

/**
 * Ends a connection that broke TLS, and gives whether it did. A client that speaks plain HTTP is
 * answered so, which it can read as no handshake took place.
 */
export function refuseTls(
  socket: Duplex,
  { code }: Error & { code?: string },
  answers: BareAnswers,
): boolean {
  if (code === undefined || !/^ERR_(SSL|TLS)_/.test(code)) return false;
  // Node gives no other way to the connection that TLS was to be spoken on.
  const { _parent: bare } = socket as Duplex & { _parent?: Socket };
  if (code === 'ERR_SSL_HTTP_REQUEST' && bare) refuseConnection(bare, spokenPlainly, answers);
  else socket.destroy();
  return true;
}

const spokenPlainly = toErrorAnswer(
  'malformed_request',
  'This port speaks TLS. Send the request to https:// instead of http://.',
);

/** The answer for what Node's parser or its timers refuse. */
export function toParserAnswer(
  error: Error & { code?: string; rawPacket?: Buffer; bytesParsed?: number; reason?: string },
): Answer {
  return toErrorAnswer(...problemOf(error));
}

function afterEarlierAnswers(socket: Duplex, refuse: (current?: ServerResponse) => void): void {
  // Node gives no other way to see which answer is under way on a connection; its own handler looks here
  // too.
  const current = (socket as Socket & { _httpMessage?: ServerResponse & { req: IncomingMessage } })
    ._httpMessage;
  if (current?.req.complete && !current.destroyed)
    current.once('close', () => afterEarlierAnswers(socket, refuse));
  else refuse(current);
}

function problemOf({
  code,
  reason,
  rawPacket,
  bytesParsed = 0,
}: Parameters<typeof toParserAnswer>[0]): [ErrorCode, string] {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return ['headers_too_large', 'The request line and headers may have at most 16 KiB.'];
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return ['request_timeout', 'The request did not arrive in time.'];
    case 'HPE_PAUSED_H2_UPGRADE':
      return ['version_not_supported', 'Send the request as HTTP/1.1.'];
    case 'HPE_INVALID_VERSION':
      // The parser gives this code to a line feed without a carriage return, too.
      return reason === 'Invalid HTTP version'
        ? ['version_not_supported', 'Send the request as HTTP/1.1.']
        : ['malformed_request', `The request is not valid HTTP/1.1: ${reason}.`];
    case 'HPE_INVALID_METHOD':
      return isRequestLine(rawPacket, bytesParsed)
        ? ['method_not_implemented', 'The method of the request is unknown.']
        : ['malformed_request', 'The request is not valid HTTP/1.1.'];
    default:
      return [
        'malformed_request',
        `The request is not valid HTTP/1.1${reason ? `: ${reason}` : ''}.`,
      ];
  }
}

/** The longest method that is looked for, in bytes; those that are registered have at most 17. */
const maxMethod = 64;

/** The longest request line that is looked for, in bytes: all headers together may have no more. */
const maxLine = 16 * 1024;

/**
 * Whether the line that the parser stopped in is a request line, its method any token (RFC 9110
 * §5.6.2) of at most 64 bytes. Anybody can send this, so the whole packet is not searched.
 */
function isRequestLine(packet: Buffer | undefined, stoppedAt: number): boolean {
  if (!packet) return false;
  const before = packet.toString('latin1', Math.max(0, stoppedAt - maxMethod), stoppedAt);
  const begun = /[\w!#$%&'*+.^`|~-]*$/.exec(before)?.[0].length ?? 0;
  const line = packet.toString('latin1', stoppedAt - begun, stoppedAt + maxLine);
  return /^[\w!#$%&'*+.^`|~-]{1,64} \S+ HTTP\/1\.[01]\r\n/.test(line);
}
