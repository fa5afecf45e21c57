import { valueAt } from '../description/property-path.ts';
import { membersOf } from '../json.ts';
import { unescaped } from './place.ts';

/** No id of anybody is longer. */
const maxIdLength = 1000;

/** A path that is longer is refused by servers. */
const maxSegmentLength = 500;

/**
 * The text of a string, number or boolean; undefined for all else, which need not become a text at
 * all: `{"toString": 1}`.
 */
export function textOf(value: unknown): string | undefined {
  const isPlain = ['string', 'number', 'bigint', 'boolean'].includes(typeof value);
  return isPlain ? String(value) : undefined;
}

/**
 * The id of an item; undefined unless it is a string or a number.
 */
export function idOf(item: unknown, idProperty: string): string | undefined {
  const id = valueAt(membersOf(item), idProperty);
  const text = typeof id === 'boolean' ? undefined : textOf(id);
  return text !== undefined && text.length <= maxIdLength ? text : undefined;
}

/** The form of an id: of a whole number any length, of a text its length and what divides it. */
export function formOfId(id: string): string {
  return /^\d+$/.test(id) ? 'number' : `${id.length} ${id.replace(/[\p{L}\p{N}]/gu, '')}`;
}

/** An id as a segment of a path; undefined where it cannot be one. */
export function toSegment(id: unknown): string | undefined {
  const text = textOf(id) ?? '';
  const isPossible =
    text !== '' &&
    text !== '.' &&
    text !== '..' &&
    text.length <= maxSegmentLength &&
    text.isWellFormed();
  return isPossible ? encodeURIComponent(text) : undefined;
}

/** The id at the end of the path of a read. */
export function idAsked(path: string): string {
  const segments = withoutQuery(path).split('/');
  return unescaped(segments.findLast((segment) => segment !== '') ?? '');
}

/** A path without its query and the slash at its end. */
export function withoutQuery(path: string): string {
  return (path.split('?')[0] ?? '').replace(/\/$/, '');
}
