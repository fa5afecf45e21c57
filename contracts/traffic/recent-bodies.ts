import { hash } from 'node:crypto';
import { type Body, readBody } from '../transcript/body.ts';

/** How many bodies are remembered, and of how many bytes in all. */
const maxBodies = 1000;
const maxBytes = 8 * 1024 * 1024;

/**
 * Gives the function that reads bodies, so that equal bytes give the same object as long as they come
 * again soon: what is equal is parsed and held against its schema once.
 */
export function createRecentBodies(): (bytes: Uint8Array) => Body {
  const known = new Map<string, Body>();
  let size = 0;
  return (bytes) => {
    if (bytes.length > maxBytes / 8) return readBody(bytes);
    const digest = hash('sha256', bytes, 'base64');
    const found = known.get(digest);
    const body = found ?? readBody(bytes);
    known.delete(digest);
    known.set(digest, body);
    if (!found) size += bytes.length;
    for (const [oldest, { size: freed }] of known) {
      if (known.size <= maxBodies && size <= maxBytes) break;
      known.delete(oldest);
      size -= freed;
    }
    return body;
  };
}
