import type { Dump } from './real-server.ts';

/** Something that a report says was added and is left. */
export type Thing = { operation: string; id?: string; sent?: string };

/**
 * Compares two dumps of a server by kind and id. Finds rows of `others` that were changed or
 * deleted. Finds added rows that the report mentions neither directly nor by something they belong
 * to.
 */
export function compareDumps(
  before: Dump,
  after: Dump,
  {
    others,
    things,
    isSideEffect,
  }: {
    others: Dump;
    things: Thing[];
    isSideEffect: (kind: string, row: unknown) => boolean;
  },
): Record<'changed' | 'deleted' | 'untold', string[]> {
  const ids = new Set(things.flatMap(({ id }) => id ?? []));
  // A short id would be found in anything.
  const marks = [...ids].filter((id) => id.length > 5);
  marks.push(...things.flatMap(({ sent = '' }) => textsOf(sent)));
  const result = { changed: [] as string[], deleted: [] as string[], untold: [] as string[] };
  for (const kind of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [old = {}, now = {}] = [before[kind], after[kind]];
    for (const id of new Set([...Object.keys(old), ...Object.keys(now)])) {
      const place = `${kind} ${id}`;
      const [was, is] = [old[id], now[id]].map((row) => JSON.stringify(row));
      const isOfOthers = others[kind]?.[id] !== undefined;
      if (is === undefined && isOfOthers) result.deleted.push(place);
      else if (was !== undefined && was !== is && isOfOthers)
        result.changed.push(`${place}: ${was} is ${is}`);
      else if (was === undefined && !isSideEffect(kind, now[id])) {
        const isTold = ids.has(id) || marks.some((mark) => `${id} ${is}`.includes(mark));
        if (!isTold) result.untold.push(`${place}: ${is}`);
      }
    }
  }
  return result;
}

/** The texts in a JSON body that are long enough to be nobody else's, as JSON writes them. */
function textsOf(json: string): string[] {
  return Array.from(json.matchAll(/"((?:[^"\\]|\\.){12,})"/g), ([, text = '']) => text);
}
