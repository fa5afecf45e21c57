import type { Resource } from '../description/document.ts';
import { isAnswered } from './exchange.ts';
import { idOf } from './ids.ts';
import { itemsIn } from './items.ts';
import type { Transcript } from './transcript.ts';

/**
 * Whether an item that was created before an instant was seen after another one, so that nobody
 * emptied the store in between; both in Unix milliseconds.
 */
export type Stays = (from: number, until: number) => boolean;

/** Reads which created items stay. */
export function readStays(transcript: Transcript, resource: Resource): Stays {
  const { name, idProperty, operations } = resource;
  const first = new Map<string, number>();
  const twice = new Set<string>();
  const shown = new Map<string, number>();
  for (const exchange of transcript.exchanges.filter(isAnswered)) {
    const { case: testCase, response, sentAt, endedAt } = exchange;
    if (testCase.operation?.resource !== name || response.status >= 300) continue;
    const isCreate = testCase.operation === operations.create;
    for (const item of itemsIn(exchange)) {
      const id = idOf(item, idProperty);
      if (id === undefined) continue;
      if (!isCreate) shown.set(id, Math.max(shown.get(id) ?? 0, sentAt));
      else if (first.has(id)) twice.add(id);
      else first.set(id, endedAt);
    }
  }
  const stays = [...first]
    .filter(([id]) => shown.has(id) && !twice.has(id))
    .map(([id, created]) => ({ created, shown: shown.get(id) as number }))
    .toSorted((left, right) => left.created - right.created);
  return (from, until) => stays.some((item) => item.created <= from && item.shown > until);
}
