import { isUtf8 } from 'node:buffer';
import { decode, TooLarge } from '../run/http/decode.ts';
import type { RawHeader } from '../traffic/recorded-exchange.ts';
import { headerOf } from './recorded-values.ts';

/** Larger bodies are not decoded to see whether that is possible. */
const maxDecoded = 8 * 1024 * 1024;

/**
 * Whether a body still has its content encoding, as a proxy may leave it: most recorders undo it and
 * keep its header. What is text was decoded; the rest was not if it can be.
 */
export async function isStillEncoded(
  bytes: Uint8Array,
  headers: readonly RawHeader[],
): Promise<boolean> {
  const encoding = headerOf(headers, 'content-encoding') ?? '';
  if (!/gzip|br|zstd|deflate/i.test(encoding) || bytes.length === 0 || isUtf8(bytes)) return false;
  try {
    await decode(bytes, encoding, maxDecoded);
    return true;
  } catch (error) {
    return error instanceof TooLarge;
  }
}
