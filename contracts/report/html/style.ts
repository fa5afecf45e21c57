import { readFileSync } from 'node:fs';
import { readLook } from '../../look/read-look.ts';

/** The style of the page: the look of all pages, and what the report has of its own. */
export function readStyle(): string {
  return `${readLook()}\n${readFileSync(new URL('report.css', import.meta.url), 'utf8')}`;
}
