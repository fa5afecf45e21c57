import { readOwn } from './read-own.ts';

/** The style sheet that all pages share. */
export function readLook(): string {
  return readOwn(new URL('look.css', import.meta.url));
}

/** The icon of all pages, as SVG. */
export function readIcon(): string {
  return readOwn(new URL('icon.svg', import.meta.url));
}
