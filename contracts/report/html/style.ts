import { readLook } from '../../look/read-look.ts';
import { readOwn } from '../../look/read-own.ts';

/** The style of the page: the look of all pages, and what the report has of its own. */
export function readStyle(): string {
  return `${readLook()}\n${readOwn(new URL('report.css', import.meta.url))}`;
}
