import { promisify } from 'node:util';
import {
  type BrotliOptions,
  brotliDecompress,
  gunzip,
  inflate,
  type ZlibOptions,
  zstdDecompress,
} from 'node:zlib';

/** The body is too large; the message says in what way. */
export class TooLarge extends Error {}

type Decoder = (bytes: Uint8Array, options: ZlibOptions & BrotliOptions) => Promise<Uint8Array>;

const gzip: Decoder = promisify<Uint8Array, ZlibOptions, Buffer>(gunzip);

const decoders: Record<string, Decoder> = {
  gzip,
  'x-gzip': gzip,
  br: promisify<Uint8Array, BrotliOptions, Buffer>(brotliDecompress),
  zstd: promisify<Uint8Array, object, Buffer>(zstdDecompress),
  deflate: promisify<Uint8Array, ZlibOptions, Buffer>(inflate),
};

/**
 * Undoes a Content-Encoding; one that is not known, or of several codings, leaves the bytes as they
 * are. Throws {@link TooLarge} beyond `max` bytes, and an error where the bytes do not fit it.
 */
export async function decode(
  bytes: Uint8Array,
  contentEncoding: string | undefined,
  max: number,
): Promise<Uint8Array> {
  const name = (contentEncoding ?? '').trim().toLowerCase();
  const decoder = Object.hasOwn(decoders, name) ? decoders[name] : undefined;
  if (!decoder || bytes.length === 0) return bytes;
  try {
    return await decoder(bytes, { maxOutputLength: max });
  } catch (error) {
    const isTooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    throw isTooLarge ? new TooLarge(toTooLarge(max)) : error;
  }
}

/** The message for a body of more than these bytes. */
export function toTooLarge(max: number): string {
  return `an answer of more than ${max / 1024 / 1024} MiB`;
}
