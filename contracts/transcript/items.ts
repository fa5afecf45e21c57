import { membersOf, toJson } from '../../common/json.ts';
import { valueIn } from '../../common/property-path.ts';
import type { Kind, Resource } from '../../openapi/index.ts';
import { type Answer, type Exchange, sentValue } from './exchange.ts';
import { idOf } from './ids.ts';
import { sampleOf } from './sample.ts';

/** An item as a target shows it. */
export type Item = Record<string, unknown>;

/**
 * Returns the item or items in a response: the body, or the part of it that the document describes.
 */
export function shownIn({
  case: { operation },
  response,
}: Pick<Exchange, 'case' | 'response'>): unknown {
  return valueIn(response?.json, operation?.itemsAt ?? []);
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

/** The fields of the item that the body of a create, or of another kind of operation, sends. */
export function sentFields(
  exchange: Pick<Exchange, 'request'>,
  resource: Pick<Resource, 'bodyForm'> | undefined,
  kind: Kind = 'create',
): Readonly<Record<string, unknown>> {
  const body = membersOf(sentValue(exchange)) ?? {};
  const [wrapper] = resource?.bodyForm?.[kind]?.pointer ?? [];
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
