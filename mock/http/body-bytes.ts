import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, zstdDecompress } from 'node:zlib';
import type { ByteText } from '../json/exact-json.ts';

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

/** The maximum of bytes of a body that no step has read. */
const maxUnread = 1024 * 1024;

/** Whether a body is on its way that no step has read, and that {@link readUnread} may read. */
export function isUnread(request: IncomingMessage): boolean {
  if (request.readableFlowing !== null || !hasBody(request)) return false;
  const { expect, 'content-length': length = 0 } = request.headers;
  return expect === undefined && Number(length) <= maxUnread;
}

/** The event of a request whose body turns out to be no HTTP while {@link readUnread} reads it. */
export const brokenBody = Symbol('brokenBody');

/**
 * Reads a body that the answer does not depend on, without its content coding where that can be
 * taken off; undefined if it is empty, too large, broken or not there in time.
 */
export async function readUnread(request: IncomingMessage): Promise<Buffer | undefined> {
  const late = wait(drainTimeout.idle, undefined, { ref: false });
  const broken = new Promise<undefined>((resolve) => request.once(brokenBody, resolve));
  const { bytes } = (await Promise.race([collectBytes(request, maxUnread), late, broken])) ?? {};
  if (!bytes?.length) return undefined;
  return decompress(bytes, contentCoding(request), maxUnread).catch(() => bytes);
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
