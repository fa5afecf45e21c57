import { membersOf } from '../json.ts';
import type { Answered } from './exchange.ts';
import { sampleOf } from './sample.ts';

/** An item as a target shows it. */
export type Item = Record<string, unknown>;

/**
 * The items that an answer holds: those of a list, the first of them where there are many, or the
 * one that it is. What is no object is left out.
 */
export function itemsIn({ response }: Answered): Item[] {
  const sample = sampleOf(response.json);
  return (Array.isArray(sample) ? sample : [sample])
    .map(membersOf)
    .filter((item) => item !== undefined);
}

/**
 * The items of a list answer as `itemsIn` gives them; undefined where it is no array of objects.
 */
export function itemsOf(answer: Answered): Item[] | undefined {
  const sample = sampleOf(answer.response.json);
  const isList = Array.isArray(sample) && sample.every((item) => membersOf(item) !== undefined);
  return isList ? (sample as Item[]) : undefined;
}

/** How many items a list answer has, including those that are not checked. */
export function countOf({ response: { json } }: Answered): number {
  return Array.isArray(json) ? json.length : 0;
}
