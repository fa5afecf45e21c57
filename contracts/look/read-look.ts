import { readFileSync } from 'node:fs';

/** The style sheet that all pages share. */
export function readLook(): string {
  return readFileSync(new URL('look.css', import.meta.url), 'utf8');
}
