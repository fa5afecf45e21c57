import { readFileSync } from 'node:fs';

/** The style sheet that all pages share. */
export function readLook(): string {
  return read('look.css');
}

/** The icon of all pages, as SVG. */
export function readIcon(): string {
  return read('icon.svg');
}

function read(file: string): string {
  return readFileSync(new URL(file, import.meta.url), 'utf8');
}
