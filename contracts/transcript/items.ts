import { membersOf, toJson } from '../../common/json.ts';
import type { Resource } from '../../openapi/document.ts';
import { valueIn } from '../../openapi/property-path.ts';
import { type Answered, type Exchange, sentValue } from './exchange.ts';
import { idOf } from './ids.ts';

/** An item as a target shows it. */
export type Item = Record<string, unknown>;

/**
 * What an answer holds as its item or its items: all of it, or a part where the document puts them
 * into an object.
 */
export function shownIn({
  case: { operation },
  response,
}: Pick<Exchange, 'case' | 'response'>): unknown {
  return valueIn(response?.json, operation?.itemsAt ?? []);
}

/** Returns all items of a list, or the one item of an answer. What is no object is left out. */
export function itemsIn(answer: Answered): Item[] {
  const shown = shownIn(answer);
  const rows: unknown[] = Array.isArray(shown) ? shown : [shown];
  return itemsOf(answer) ?? rows.map(membersOf).filter((item) => item !== undefined);
}

/** The ids of the items that an answer holds; undefined where one has none. */
export function idsIn(
  answer: Answered,
  { idProperty }: Pick<Resource, 'idProperty'>,
): (string | undefined)[] {
  return itemsIn(answer).map((item) => idOf(item, idProperty));
}

/** Returns those of some ids that an answer does not show; a long list takes no more room than they do. */
export function idsNotIn(
  answer: Answered,
  { idProperty }: Pick<Resource, 'idProperty'>,
  ids: Iterable<string>,
): Set<string> {
  const left = new Set(ids);
  for (const item of itemsIn(answer)) left.delete(idOf(item, idProperty) as string);
  return left;
}

/** The one item that an answer shows; undefined where it shows none. */
export function itemIn(answer: Pick<Exchange, 'case' | 'response'>): Item | undefined {
  return membersOf(shownIn(answer));
}

/** Whether an answer is a list, of whatever. */
export function isList(answer: Answered): boolean {
  return Array.isArray(shownIn(answer));
}

/** Returns all items of a list answer; undefined where it is no array of objects. */
export function itemsOf(answer: Answered): Item[] | undefined {
  const shown = shownIn(answer);
  const isOfItems = Array.isArray(shown) && shown.every((item) => membersOf(item) !== undefined);
  return isOfItems ? (shown as Item[]) : undefined;
}

/** How many items a list answer has. */
export function countOf(answer: Answered): number {
  const shown = shownIn(answer);
  return Array.isArray(shown) ? shown.length : 0;
}

/** The fields of the item that the body of a create sends. */
export function sentFields(
  exchange: Pick<Exchange, 'request'>,
  resource: Pick<Resource, 'bodyForm'> | undefined,
): Readonly<Record<string, unknown>> {
  const body = membersOf(sentValue(exchange)) ?? {};
  const [wrapper] = resource?.bodyForm?.create?.pointer ?? [];
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
