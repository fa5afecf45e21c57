import { EventEmitter, once } from 'node:events';
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';

/**
 * One HTTP answer as it came: header names in lower case, values of a repeated header joined by a
 * comma.
 */
export type RawAnswer = { status: number; headers: Record<string, string>; text: string };

/**
 * All that came back on a connection, what did not parse as an answer, and how the connection
 * stands at the end.
 */
export type RawExchange = { answers: RawAnswer[]; rest: string; end: 'closed' | 'reset' | 'open' };

/** A connection of its own, on which bytes go out as they are. */
export type RawConnection = {
  /** Resolves once the bytes are with the system, or cannot be sent any more. */
  send(bytes: string | Buffer): Promise<void>;
  /**
   * The next answer, or undefined where the connection closes or the wait (milliseconds) is over
   * before there is one.
   */
  next(wait?: number): Promise<RawAnswer | undefined>;
  /** Ends this side of the connection. */
  end(): void;
  /**
   * All that came until the server closed the connection, or the wait (milliseconds) was over.
   * Closes the connection.
   */
  finish(wait?: number): Promise<RawExchange>;
};

/**
 * Opens a connection, with TLS where the origin says https. Rejects with the system's error, e.g.
 * ECONNREFUSED.
 */
export async function openRaw(
  origin: string,
  { ca }: { ca?: string } = {},
): Promise<RawConnection> {
  const { protocol, hostname, port } = new URL(origin);
  const options = { host: hostname, port: Number(port), allowHalfOpen: true, noDelay: true };
  const isTls = protocol === 'https:';
  const socket = isTls ? connectTls({ ...options, ...(ca && { ca }) }) : connect(options);
  await once(socket, isTls ? 'secureConnect' : 'connect');
  const chunks: Buffer[] = [];
  const news = new EventEmitter();
  let end: RawExchange['end'] = 'open';
  let taken = 0;
  const ended = (how: RawExchange['end']) => {
    if (end === 'open') end = how;
    news.emit('any');
  };
  socket.on('data', (chunk) => {
    chunks.push(chunk);
    news.emit('any');
  });
  socket.on('end', () => ended('closed'));
  socket.on('error', () => ended('reset'));
  socket.on('close', () => ended('closed'));

  return {
    send: (bytes) => new Promise((resolve) => socket.write(bytes, () => resolve())),
    async next(wait = 5000) {
      const signal = AbortSignal.timeout(wait);
      for (;;) {
        const answer = parseAnswers(Buffer.concat(chunks)).answers[taken];
        if (answer) {
          taken += 1;
          return answer;
        }
        if (end !== 'open') return undefined;
        if (!(await once(news, 'any', { signal }).catch(() => undefined))) return undefined;
      }
    },
    end: () => void socket.end(),
    async finish(wait = 5000) {
      const signal = AbortSignal.timeout(wait);
      while (end === 'open' && !signal.aborted)
        await once(news, 'any', { signal }).catch(() => undefined);
      socket.destroy();
      return { ...parseAnswers(Buffer.concat(chunks)), end };
    },
  };
}

/**
 * Sends bytes over a connection of their own and reads until the server closes it. With `halfClose`
 * this side ends first.
 */
export async function sendRaw(
  origin: string,
  bytes: string | Buffer,
  { halfClose = false, ca }: { halfClose?: boolean; ca?: string } = {},
): Promise<RawExchange> {
  const connection = await openRaw(origin, { ...(ca && { ca }) });
  void connection.send(bytes);
  if (halfClose) connection.end();
  return connection.finish();
}

/** Reads the answers that a connection brought, interim ones (1xx) included. */
function parseAnswers(bytes: Buffer): Pick<RawExchange, 'answers' | 'rest'> {
  const answers: RawAnswer[] = [];
  let at = 0;
  for (;;) {
    const headEnd = bytes.indexOf('\r\n\r\n', at);
    const [statusLine = '', ...fields] = bytes
      .toString('latin1', at, Math.max(headEnd, at))
      .split('\r\n');
    const status = /^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1];
    if (headEnd === -1 || !status) break;
    const headers: Record<string, string> = {};
    for (const field of fields) {
      const [name = '', ...value] = field.split(':');
      const key = name.toLowerCase();
      headers[key] = [headers[key], value.join(':').trim()]
        .filter((text) => text !== undefined)
        .join(', ');
    }
    const length = Number(headers['content-length'] ?? 0);
    const start = headEnd + 4;
    if (start + length > bytes.length) break;
    answers.push({
      status: Number(status),
      headers,
      text: bytes.toString('utf8', start, start + length),
    });
    at = start + length;
  }
  return { answers, rest: bytes.toString('latin1', at) };
}
