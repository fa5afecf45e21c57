import { stringifyExact } from '../json/exact-integers.ts';
import { parseExact } from '../json/exact-json.ts';
import type { SortValues } from './list-query.ts';

/** A place between the items of a list: what is asked for is behind it, or before it. */
export type Cursor = {
  isBefore: boolean;
  /** The serial number of the item beside it. */
  serial: number;
  /** What that item was sorted by; none where the list is in order of creation. */
  values: SortValues;
};

/** The text of a cursor, which callers send back as it is. */
export function toCursorText({ isBefore, serial, values }: Cursor): string {
  return Buffer.from(stringifyExact([isBefore ? 1 : 0, serial, ...values])).toString('base64url');
}

/** The cursor of a text; undefined where it is none of a list that is sorted by so many values. */
export function parseCursor(text: string, sortedBy: number): Cursor | undefined {
  try {
    const parsed: unknown = parseExact(Buffer.from(text, 'base64url').toString()).value;
    if (!Array.isArray(parsed) || parsed.length !== 2 + sortedBy) return undefined;
    const [direction, serial, ...values] = parsed;
    const isKnown = direction === 0 || direction === 1;
    if (!isKnown || !Number.isSafeInteger(serial) || serial < 0) return undefined;
    return { isBefore: direction === 1, serial, values };
  } catch {
    return undefined;
  }
}
