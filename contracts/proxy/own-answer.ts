import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { explainConnection } from '../../common/cli/explain-connection.ts';
import type { Failure } from '../transcript/exchange.ts';
import { proxyName } from './forwarded-headers.ts';

/** The largest headers that pass, in bytes. */
export const maxHeaderSize = 256 * 1024;

/** A response of the proxy itself, if the target cannot or may not be asked. */
export type OwnAnswer = {
  status: number;
  /** The `code` of the Error object. */
  code: string;
  message: string;
};

/** Answers in place of the target, and closes the connection: more of the request may follow. */
export function answerSelf(response: ServerResponse, answer: OwnAnswer): void {
  const { headers, body } = toParts(answer);
  response.writeHead(answer.status, STATUS_CODES[answer.status] ?? '', headers);
  response.end(body);
}

/** The same where Node has no response to write to: what came is no request, or asks for a tunnel. */
export function answerOnSocket(socket: Duplex, answer: OwnAnswer): void {
  const { headers, body } = toParts(answer);
  const lines = headers.map((text, at) => (at % 2 === 0 ? `${text}: ` : `${text}\r\n`)).join('');
  socket.end(`HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}\r\n${lines}\r\n${body}`);
}

function toParts({ status, code, message }: OwnAnswer): { headers: string[]; body: string } {
  const body = `${JSON.stringify({ code, message, status })}\n`;
  const headers = [
    ...['Content-Type', 'application/json'],
    ...['Content-Length', String(Buffer.byteLength(body))],
    ...['Proxy-Status', proxyName],
    ...['Connection', 'close'],
  ];
  return { headers, body };
}

/** The answer to a request that the proxy does not pass. */
export function refusal(status: number, code: string, message: string): OwnAnswer {
  return { status, code, message };
}

/** The answer to a request that asks to become something else than HTTP. */
export const noTunnel = refusal(
  501,
  'no_tunnel',
  'The proxy passes HTTP requests and responses. It opens no tunnel (CONNECT) and no WebSocket.',
);

/** The answer to a request that is not HTTP, or that Node would not send, by the code of its error. */
export function refusalOf({ code = '', message }: NodeJS.ErrnoException): OwnAnswer {
  if (code === 'HPE_HEADER_OVERFLOW')
    return refusal(
      431,
      'headers_too_large',
      `The proxy passes headers of at most ${maxHeaderSize / 1024} KiB.`,
    );
  if (code === 'HPE_INVALID_METHOD')
    return refusal(
      501,
      'unknown_method',
      'The proxy knows no such method, so it cannot pass it on.',
    );
  return refusal(
    400,
    'malformed_request',
    `The request is not valid HTTP, so the proxy cannot pass it on (${code || message}).`,
  );
}

/** A failure of the target before its response was complete. */
export type TargetFailure = {
  failure: Failure;
  /** The response to send instead; without it, the client's connection ends as the target's did. */
  answer?: OwnAnswer;
};

/** Reads an error of a connection to the target on which no response has come. */
export function toTargetFailure(
  { code = '', message }: NodeJS.ErrnoException,
  { isConnected }: { isConnected: boolean },
): TargetFailure {
  const why = explainConnection(code || message);
  if (code === 'HPE_HEADER_OVERFLOW')
    return unanswered({
      kind: 'too-large',
      message: `headers of more than ${maxHeaderSize / 1024} KiB`,
    });
  if (code.startsWith('HPE_')) return unanswered({ kind: 'not-http', message: why });
  if (isConnected) return { failure: { kind: 'dropped', message: why } };
  return unanswered({ kind: 'unreachable', message: why });
}

/** The failure of a target that has sent nothing for too long, before its response or within it. */
export function toTimeout(
  milliseconds: number,
  { hasBegun }: { hasBegun: boolean },
): TargetFailure {
  const time = `${milliseconds / 1000} s`;
  const message = hasBegun ? `an answer that stopped for ${time}` : `no answer within ${time}`;
  return unanswered({ kind: 'timeout', message });
}

/** A target changes the protocol, although the proxy passes no request to do so (RFC 9110 §15.2.2). */
export const unaskedUpgrade = unanswered({
  kind: 'not-http',
  message: '101 Switching Protocols, which nothing asked for',
});

function unanswered(failure: Failure): TargetFailure {
  const isTimeout = failure.kind === 'timeout';
  const answer = {
    status: isTimeout ? 504 : 502,
    code: isTimeout ? 'target_timeout' : 'target_unreachable',
    message: `The proxy got no answer from the target: ${failure.message}.`,
  };
  return { failure, answer };
}

/** The state of the proxy, as its own pages show it. */
export type Health = {
  target: string;
  startedAt: string;
  /** Exchanges that were recorded, that are under way, and that were dropped by the judge. */
  passed: number;
  underWay: number;
  dropped: number;
  /** How many kinds of finding there are, by verdict. */
  findings: Readonly<Record<string, number>>;
};

type OwnPagesOptions = {
  health: () => Health;
  render: (format: 'json' | 'html') => Promise<string>;
};

/** A page; `refresh` is after how many seconds a browser loads it anew. */
type Page = { type: string; text: () => string | Promise<string>; refresh?: number };

const refresh = 10;

const prefix = '/__proxy/';

/** The report has a policy of its own. */
const safety = [
  ...['X-Content-Type-Options', 'nosniff'],
  ...['Cross-Origin-Resource-Policy', 'same-origin'],
  ...['Referrer-Policy', 'no-referrer'],
  ...['Cache-Control', 'no-store'],
];

/** Gives a function that answers what is below `/__proxy/`, and says whether that was so. */
export function createOwnPages({ health, render }: OwnPagesOptions) {
  const html = 'text/html; charset=utf-8';
  const pages: Readonly<Record<string, Page>> = {
    health: {
      type: 'application/json',
      text: () => `${JSON.stringify({ status: 'ok', ...health() })}\n`,
    },
    report: { type: html, text: () => render('html'), refresh },
    'report.html': { type: html, text: () => render('html') },
    'report.json': { type: 'application/json', text: () => render('json') },
  };
  return (request: IncomingMessage, response: ServerResponse, path: string): boolean => {
    const [pathname = ''] = path.split('?');
    if (!pathname.startsWith(prefix)) return false;
    request.resume();
    const name = pathname.slice(prefix.length);
    const page = Object.hasOwn(pages, name) ? pages[name] : undefined;
    const known = Object.keys(pages).map((one) => prefix + one);
    if (page) void send(response, page);
    else
      answerSelf(
        response,
        refusal(404, 'not_found', `The proxy itself serves ${known.join(', ')}.`),
      );
    return true;
  };
}

async function send(response: ServerResponse, { type, text, refresh: after }: Page): Promise<void> {
  try {
    const body = await text();
    response.writeHead(200, [
      ...['Content-Type', type],
      ...['Content-Length', String(Buffer.byteLength(body))],
      ...(after === undefined ? [] : ['Refresh', String(after)]),
      ...safety,
    ]);
    response.end(body);
  } catch (error) {
    const message = `There is no report: ${(error as Error).message}. What passes is not judged any more.`;
    answerSelf(response, refusal(500, 'no_report', message));
  }
}
