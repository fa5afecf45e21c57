import { toExcerpt } from '../../contracts/look/visible.ts';

/** The path of a request, for sentences: its query may hold a key, or be long. */
export function toShownPath(target: string): string {
  return toExcerpt(target.replace(/[?#].*/s, ''), 200);
}
