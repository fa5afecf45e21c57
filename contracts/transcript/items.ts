import { membersOf, toJson } from '../../common/json.ts';
import { oncePer } from '../../common/once-per.ts';
import { unescaped } from '../../common/path-template.ts';
import { valueAt, valueIn } from '../../common/property-path.ts';
import type { Operation, Resource } from '../../openapi/index.ts';
import { type Answer, type Exchange, sentValue } from './exchange.ts';
import { sampleOf } from './sample.ts';

/** An item as a target shows it. */
export type Item = Record<string, unknown>;

/**
 * Returns the item or items in a response: the body, or the part of it that the document describes.
 * The items of an object that lists them by their ids are an array of these.
 */
export function shownIn({
  case: { operation },
  response,
}: Pick<Exchange, 'case' | 'response'>): unknown {
  const { itemsAt = [], keyedBy } = operation ?? {};
  const shown = valueIn(response?.json, itemsAt);
  const named = keyedBy === undefined || Array.isArray(shown) ? undefined : membersOf(shown);
  return keyedBy !== undefined && named ? namedItems(named, keyedBy) : shown;
}

const arraysOf = oncePer((_: Item) => new Map<string, unknown[]>());

/** The items of an object as an array, the same each time, with their names in a property. */
function namedItems(named: Item, property: string): unknown[] {
  const arrays = arraysOf(named);
  const known =
    arrays.get(property) ??
    Object.entries(named).map(([name, item]) => {
      const members = membersOf(item);
      return members ? { [property]: name, ...members } : item;
    });
  arrays.set(property, known);
  return known;
}

/**
 * Returns the items of an answer: the first ones of a list, or the single item. Values that are no
 * objects are left out.
 */
export function itemsIn(answer: Answer): Item[] {
  const sample = sampleOf(shownIn(answer));
  return (Array.isArray(sample) ? sample : [sample])
    .map(membersOf)
    .filter((item) => item !== undefined);
}

/** The ids of the items that an answer holds; undefined where one has none. */
export function idsIn(
  answer: Answer,
  { idProperty }: Pick<Resource, 'idProperty'>,
): (string | undefined)[] {
  return itemsIn(answer).map((item) => idOf(item, idProperty));
}

/** The one item that an answer shows; undefined where it shows none. */
export function itemIn(answer: Pick<Exchange, 'case' | 'response'>): Item | undefined {
  return membersOf(shownIn(answer));
}

/** The item of an id that an answer shows, alone or in a list; undefined where it does not. */
export function itemWithId(
  answer: Answer,
  { idProperty }: Pick<Resource, 'idProperty'>,
  id: string,
): Item | undefined {
  if (answer.response.status >= 300) return undefined;
  return isList(answer)
    ? rowsOf(answer).find((one) => idOf(one, idProperty) === id)
    : itemIn(answer);
}

/** Whether an answer is a list, of whatever. */
export function isList(answer: Answer): boolean {
  return Array.isArray(shownIn(answer));
}

/** Returns the items of a list answer as `itemsIn` does; undefined where it is no array of objects. */
export function itemsOf(answer: Answer): Item[] | undefined {
  const sample = sampleOf(shownIn(answer));
  const isOfItems = Array.isArray(sample) && sample.every((item) => membersOf(item) !== undefined);
  return isOfItems ? (sample as Item[]) : undefined;
}

/** Returns all rows of a list answer, however many there are. */
export function rowsOf(answer: Answer): Item[] {
  const shown = shownIn(answer);
  return Array.isArray(shown) ? shown.filter((row) => membersOf(row) !== undefined) : [];
}

/** How many items a list answer has, including those that are not checked. */
export function countOf(answer: Answer): number {
  const shown = shownIn(answer);
  return Array.isArray(shown) ? shown.length : 0;
}

/** The fields of the item that the body of an operation sends. */
export function sentFields(
  exchange: Pick<Exchange, 'request' | 'case'>,
): Readonly<Record<string, unknown>> {
  const body = membersOf(sentValue(exchange)) ?? {};
  const [wrapper] = exchange.case.operation?.fieldsAt ?? [];
  return (wrapper === undefined ? body : membersOf(body[wrapper])) ?? {};
}

/** Whether two values are the same in a form, where each is a text. */
export function isSameText(left: unknown, right: unknown): boolean {
  const members = membersOf(right);
  if (!members) return toText(left) === toText(right);
  const others = membersOf(left);
  return (
    others !== undefined &&
    Object.entries(members).every(([name, value]) => isSameText(others[name], value))
  );
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : toJson(value);
}

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
  const isFit = text.length <= maxSegmentLength && text.isWellFormed();
  return isFit && !['', '.', '..'].includes(text) ? encodeURIComponent(text) : undefined;
}

/** A request of an operation, whose path may name an item. */
type ItemRequest = {
  request: { path: string };
  case: { operation?: Pick<Operation, 'path'> | undefined; of?: { id: string } };
};

/** The id at the end of a request's path, without what its template has around it: `/7.json`. */
export function idAsked({ request, case: { operation, of } }: ItemRequest): string {
  if (of) return of.id;
  const segment = lastSegmentOf(request.path);
  const [, before = '', after = ''] =
    /^([^{}]*)\{[^{}]+\}([^{}]*)$/.exec(lastSegmentOf(operation?.path ?? '')) ?? [];
  const isWritten = segment.startsWith(before) && segment.endsWith(after);
  return unescaped(
    isWritten ? segment.slice(before.length, segment.length - after.length) : segment,
  );
}

function lastSegmentOf(path: string): string {
  const segments = withoutQuery(path).split('/');
  return segments.findLast((segment) => segment !== '') ?? '';
}

/** A path without its query and the slash at its end. */
export function withoutQuery(path: string): string {
  return (path.split('?')[0] ?? '').replace(/\/$/, '');
}
