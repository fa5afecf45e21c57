import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, zstdDecompress } from 'node:zlib';
import type { ByteText } from '../json/byte-text.ts';

/** The bytes of a body, or why there are none. */
export type Collected =
  | { bytes: Buffer; problem?: never }
  | { bytes?: never; problem: 'too large' | 'not whole' };

/**
 * How long the rest of a refused body is read, in milliseconds: in all, and without receiving
 * anything.
 */
const drainTimeout = { total: 2000, idle: 500 };

type Inflate = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

const strict = { rejectGarbageAfterEnd: true };
const inflateAsync = promisify(inflate);
const brotliAsync = promisify(brotliDecompress);
const zstdAsync = promisify(zstdDecompress);

const inflaters: ReadonlyMap<string, Inflate> = new Map<string, Inflate>([
  ['gzip', promisify(gunzip)],
  ['deflate', (bytes, options) => inflateAsync(bytes, { ...strict, ...options })],
  ['br', (bytes, options) => brotliAsync(bytes, { ...strict, ...options })],
  ['zstd', (bytes, options) => zstdAsync(bytes, { ...strict, ...options })],
]);

/** The content codings that {@link decompress} knows, besides `identity`. */
export const contentCodings: readonly string[] = [...inflaters.keys()];

/** Whether a request announces a body (RFC 9112 §6.3). */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** The content coding of a body, in lower case. */
export function contentCoding({ headers }: IncomingMessage): string {
  return headers['content-encoding']?.toLowerCase() ?? 'identity';
}

/** Collects the bytes of a body as they were sent, at most `limit`. */
export function collectBytes(request: IncomingMessage, limit: number): Promise<Collected> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (collected: Collected) => {
      request.off('data', onData).off('end', onEnd).off('close', onClose);
      resolve(collected);
    };
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) settle({ problem: 'too large' });
      else chunks.push(chunk);
    };
    const onEnd = () =>
      settle({ bytes: chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks) });
    const onClose = () => settle({ problem: 'not whole' });
    request.on('data', onData).once('end', onEnd).once('close', onClose);
  });
}

/**
 * Decodes a content coding. Throws the error of zlib, with the code ERR_BUFFER_TOO_LARGE beyond
 * `limit` bytes.
 */
export async function decompress(bytes: Buffer, coding: string, limit: number): Promise<Buffer> {
  return inflaters.get(coding)?.(bytes, { maxOutputLength: limit }) ?? bytes;
}

/**
 * Sends the content of an answer, and ends it once the request's body is in. A connection that is
 * closed while a body is on its way is reset, and the client may lose the answer; so the rest is
 * read and dropped, for a while.
 */
export function endAfterBody(response: ServerResponse, content: ByteText): void {
  const { req: request } = response;
  if (request.complete || !hasBody(request)) {
    response.end(content, 'latin1');
    return;
  }
  response.write(content, 'latin1');
  const cut = () => {
    response.end();
    request.socket.destroySoon();
  };
  const total = setTimeout(cut, drainTimeout.total);
  const idle = setTimeout(cut, drainTimeout.idle);
  request.on('data', () => idle.refresh());
  request.once('close', () => {
    clearTimeout(total);
    clearTimeout(idle);
    response.end();
  });
}
