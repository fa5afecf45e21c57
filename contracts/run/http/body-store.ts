import { hash } from 'node:crypto';
import { type Body, readBody, toUnjudged } from '../../transcript/body.ts';

const mebibyte = 1024 * 1024;

/** The bytes of all large bodies that a run keeps. */
const room = 12 * mebibyte;

/** A body of up to so many bytes is always kept. */
const small = 16 * 1024;

/**
 * Makes what reads the bodies of a run: equal ones are kept once, and once the room is used up, only
 * the beginnings of large ones, which are not judged.
 */
export function createBodyStore({ max = room } = {}): (bytes: Uint8Array) => Body {
  const known = new Map<string, Body>();
  let left = max;
  const toBody = (bytes: Uint8Array): Body => {
    if (bytes.length <= small) return readBody(bytes);
    if (bytes.length > left)
      return toUnjudged(
        bytes,
        `a run keeps at most ${max / mebibyte} MiB of large answers, and that is used up`,
      );
    left -= bytes.length;
    return readBody(bytes);
  };
  return (bytes) => {
    const digest = hash('sha256', bytes, 'base64');
    const body = known.get(digest) ?? toBody(bytes);
    known.set(digest, body);
    return body;
  };
}
