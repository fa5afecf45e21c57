import type { Resource } from '../../openapi/index.ts';
import { toIdText } from '../json/exact-json.ts';
import { endOfNumbers } from '../state/store.ts';
import { toItemNumber } from './stored-item.ts';

type NumberRange = { first: number; count: number; taken: readonly string[] };

/** The numbers that so many ids are counted with, from the first on, without those of free and taken ids. */
export function numbersOf({ idSchema, freeIds = [] }: Resource, counting: NumberRange): number[] {
  const { first, count, taken } = counting;
  const free = new Set([...freeIds, ...taken].map((id) => toItemNumber(String(id), idSchema) ?? 0));
  const all = Array.from({ length: count + free.size }, (_, index) => first + index);
  return all.filter((n) => !free.has(n)).slice(0, count);
}

/** The ids that the document shows, without those that so many items are counted with or that are taken. */
export function otherIds(
  { shownIds = [], idSchema }: Resource,
  count: number,
  taken: readonly string[],
): (string | number)[] {
  const numberOf = (id: string | number) => toItemNumber(String(id), idSchema) ?? endOfNumbers;
  return shownIds.filter((id) => numberOf(id) > count && !taken.includes(toIdText(id)));
}

/** Ids are not counted on from greater numbers: they would soon come to an end. */
const maxCountedOn = endOfNumbers / 100;

/** The number of the item that comes after those that a collection begins with. */
export function nextOf(resource: Resource, count: number, taken: readonly string[]): number {
  const shown = otherIds(resource, count, taken).slice(0, count);
  const numbers = [...shown, ...taken].map(
    (id) => toItemNumber(String(id), resource.idSchema) ?? 0,
  );
  const last = numbersOf(resource, { first: 1, count, taken }).at(-1) ?? 0;
  return Math.max(last, ...numbers.filter((one) => one < maxCountedOn)) + 1;
}
