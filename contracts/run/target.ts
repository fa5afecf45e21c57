import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw, zstdDecompress } from 'node:zlib';
import type { Failure, ReceivedResponse } from '../transcript/exchange.ts';
import { readBody } from '../transcript/json.ts';

export type HttpRequest = { method: string; path: string; headers: Readonly<Record<string, string>>; body?: string | Uint8Array };

export type HttpResult = { response: ReceivedResponse; failure?: never } | { response?: never; failure: Failure };

const largestBody = 32 * 1024 * 1024;

const decoders: Record<string, (bytes: Uint8Array) => Promise<Uint8Array>> = {
  gzip: promisify<Uint8Array, Buffer>(gunzip),
  'x-gzip': promisify<Uint8Array, Buffer>(gunzip),
  br: promisify<Uint8Array, Buffer>(brotliDecompress),
  zstd: promisify<Uint8Array, Buffer>(zstdDecompress),
  deflate: (bytes) => promisify<Uint8Array, Buffer>((bytes[0] ?? 0) % 16 === 8 ? inflate : inflateRaw)(bytes),
};

/**
 * Sends one request on a connection of its own and follows no redirect, so that a dropped connection is the target's doing
 * and nothing hides. Never throws: what goes wrong is a failure. `timeout` bounds the whole exchange, in milliseconds.
 */
export function send(baseUrl: string, { method, path, headers, body }: HttpRequest, timeout: number): Promise<HttpResult> {
  return new Promise((resolve) => {
    const fail = (kind: Failure['kind'], message: string) => {
      clearTimeout(timer);
      resolve({ failure: { kind, message } });
      outgoing.destroy();
    };
    const open = baseUrl.startsWith('https:') ? httpsRequest : httpRequest;
    const outgoing = open(baseUrl + path, {
      method,
      agent: false,
      headers: {
        Accept: 'application/json',
        ...headers,
        ...(body !== undefined && { 'Content-Length': Buffer.byteLength(body) }),
      },
    });
    const timer = setTimeout(() => fail('timeout', toSlow(timeout)), timeout);
    outgoing.on('error', (error: NodeJS.ErrnoException) => fail(kindOf(error), error.code ?? error.message));
    outgoing.on('response', (incoming) => {
      const chunks: Buffer[] = [];
      let size = 0;
      incoming.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        size += chunk.length;
        if (size > largestBody) fail('too-large', `the body is larger than ${largestBody} bytes`);
      });
      incoming.on('error', (error: NodeJS.ErrnoException) =>
        fail(kindOf(error), `the body broke off (${error.code ?? error.message})`),
      );
      incoming.on('end', async () => {
        clearTimeout(timer);
        const headers = pairs(incoming.rawHeaders);
        const bytes = await decode(Buffer.concat(chunks), incoming.headers['content-encoding']).catch(() => undefined);
        if (!bytes) return resolve({ failure: { kind: 'undecodable', message: 'the body does not fit its Content-Encoding' } });
        resolve({ response: { status: incoming.statusCode ?? 0, headers, ...readBody(bytes) } });
      });
    });
    outgoing.end(body);
  });
}

/** Nothing states how long an answer may take, so more time is the thing to try. */
function toSlow(timeout: number): string {
  return `no whole answer within ${timeout / 1000} s; try --timeout ${Math.max(30_000, timeout * 4)}`;
}

async function decode(bytes: Uint8Array, coding: string | undefined): Promise<Uint8Array> {
  let decoded = bytes;
  if (bytes.length === 0) return bytes;
  for (const name of (coding ?? 'identity').split(',').reverse()) {
    const decoder = decoders[name.trim().toLowerCase()];
    if (decoder) decoded = await decoder(decoded);
  }
  return decoded;
}

function kindOf({ code = '' }: NodeJS.ErrnoException): Failure['kind'] {
  if (/^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT)$/.test(code) || /CERT|SSL|TLS/.test(code))
    return 'unreachable';
  return code.startsWith('HPE_') ? 'not-http' : 'dropped';
}

function pairs(rawHeaders: readonly string[]): [string, string][] {
  const list: [string, string][] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) list.push([rawHeaders[at] as string, rawHeaders[at + 1] as string]);
  return list;
}
