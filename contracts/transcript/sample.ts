import { oncePer } from '../../common/once-per.ts';

/** Only the first items of a longer list are checked; no page of the interface is longer. */
export const maxItems = 200;

const cut = oncePer((list: readonly unknown[]) => list.slice(0, maxItems));

/**
 * A body as checks look at it: a long list is cut to its first items. The same body gives the same
 * sample.
 */
export function sampleOf(json: unknown): unknown {
  return Array.isArray(json) && json.length > maxItems ? cut(json) : json;
}
