import { promisify } from 'node:util';
import {
  type BrotliOptions,
  brotliDecompress,
  gunzip,
  inflate,
  inflateRaw,
  type ZlibOptions,
  zstdDecompress,
} from 'node:zlib';

/** The body is too large; the message says in what way. */
export class TooLarge extends Error {
  /** How many bytes were decoded before that was noticed. */
  readonly decoded: number;

  constructor(message: string, decoded: number) {
    super(message);
    this.decoded = decoded;
  }
}

const maxCodings = 3;

type Decoder = (bytes: Uint8Array, options: ZlibOptions & BrotliOptions) => Promise<Uint8Array>;

const decoders: Record<string, Decoder> = {
  gzip: promisify<Uint8Array, ZlibOptions, Buffer>(gunzip),
  'x-gzip': promisify<Uint8Array, ZlibOptions, Buffer>(gunzip),
  br: promisify<Uint8Array, BrotliOptions, Buffer>(brotliDecompress),
  zstd: promisify<Uint8Array, object, Buffer>(zstdDecompress),
  deflate: (bytes, options) =>
    promisify<Uint8Array, ZlibOptions, Buffer>((bytes[0] ?? 0) % 16 === 8 ? inflate : inflateRaw)(
      bytes,
      options,
    ),
};

/**
 * Undoes a Content-Encoding. Throws {@link TooLarge} beyond `max` bytes, between two codings too,
 * and an error where the bytes do not fit it.
 */
export async function decode(
  bytes: Uint8Array,
  contentEncoding: string | undefined,
  max: number,
): Promise<Uint8Array> {
  if (bytes.length === 0) return bytes;
  const names = (contentEncoding ?? '').split(',').map((name) => name.trim().toLowerCase());
  const known = names.filter((name) => Object.hasOwn(decoders, name));
  if (known.length > maxCodings)
    throw new TooLarge(
      `a body in ${known.length} content codings, and at most ${maxCodings} are decoded`,
      0,
    );
  let decoded = bytes;
  for (const name of known.reverse()) {
    try {
      decoded = await (decoders[name] as Decoder)(decoded, { maxOutputLength: max });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
        throw new TooLarge(toTooLarge(max), max);
      throw error;
    }
  }
  return decoded;
}

/** The message for a body of more than these bytes. */
export function toTooLarge(max: number): string {
  return `an answer of more than ${max / 1024 / 1024} MiB`;
}
