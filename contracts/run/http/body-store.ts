import { hash } from 'node:crypto';
import {
  type Body,
  readBody,
  toTooLarge,
  toUnjudged,
  weigh,
  whatIsTooMuch,
} from '../../transcript/body.ts';

/** Reads the bodies of a run within a bound of memory. */
export interface BodyStore {
  /**
   * Equal bytes give the same body object. JSON that is too deep or too wide, and a body that would
   * not fit alone, counts as too large.
   */
  read(bytes: Uint8Array): Body;
}

const mebibyte = 1024 * 1024;

/** The memory for the bodies of a run, as {@link weigh} estimates it, in bytes. */
const room = 48 * mebibyte;

/** A body of up to this weight is always stored. */
const small = 16 * 1024;

/**
 * Stores equal bodies once. When memory is used up, only the beginnings of large bodies are stored,
 * and those are not judged.
 */
export function createBodyStore({ max = room } = {}): BodyStore {
  const known = new Map<string, Body>();
  let taken = 0;
  const toBody = (bytes: Uint8Array): Body => {
    const weight = weigh(bytes);
    const extent = whatIsTooMuch(weight);
    if (extent !== undefined) return toTooLarge(bytes, extent);
    if (weight.bytes > max)
      return toTooLarge(bytes, `an answer that takes more than ${max / mebibyte} MiB of memory`);
    if (weight.bytes > small) {
      if (taken + weight.bytes > max)
        return toUnjudged(
          bytes,
          `a run stores at most about ${max / mebibyte} MiB of answers, and that is used up`,
        );
      taken += weight.bytes;
    }
    return readBody(bytes, weight);
  };
  return {
    read(bytes) {
      const digest = hash('sha256', bytes, 'base64');
      const body = known.get(digest) ?? toBody(bytes);
      known.set(digest, body);
      return body;
    },
  };
}
