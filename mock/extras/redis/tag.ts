import { randomBytes } from 'node:crypto';

/** A text that nobody else makes. */
export function makeTag(): string {
  return randomBytes(9).toString('base64url');
}
