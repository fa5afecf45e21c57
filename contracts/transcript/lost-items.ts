import type { Resource } from '../description/document.ts';
import { neverFound } from './created-items.ts';
import { isAnswered } from './exchange.ts';
import { idAsked, idOf } from './ids.ts';
import { itemsIn } from './items.ts';
import { readStays } from './stays.ts';
import type { Transcript } from './transcript.ts';
import { grace } from './whole-lists.ts';

/** How many created items must be missing in traffic, as somebody else may remove one. */
const minLost = 3;

/**
 * The ids of created items that are certainly lost. In traffic somebody may have emptied the store in
 * between, so there several must be missing long enough after their creates, and other created items
 * must stay, or none ever show.
 */
export function lostItems(transcript: Transcript, resource: Resource): ReadonlySet<string> {
  if (!transcript.isTraffic) return neverFound(transcript, resource);
  const { operations, idProperty, name } = resource;
  const createdAt = new Map<string, number>();
  const missingAt = new Map<string, number>();
  const shown = new Set<string>();
  for (const exchange of transcript.exchanges.filter(isAnswered)) {
    const { case: testCase, request, response, sentAt, endedAt } = exchange;
    const { operation, purpose } = testCase;
    if (operation?.resource !== name) continue;
    if (response.status === 404 && purpose.kind === 'read')
      missingAt.set(idAsked(request.path), sentAt);
    if (response.status >= 300) continue;
    // What is deleted is gone, and no more is said of it.
    if (operation === operations.delete) shown.add(idAsked(request.path));
    for (const item of itemsIn(exchange)) {
      const id = idOf(item, idProperty) ?? '';
      if (operation !== operations.create) shown.add(id);
      else if (purpose.kind === 'create') createdAt.set(id, endedAt);
    }
  }
  const stays = readStays(transcript, resource);
  const isAnyShown = [...createdAt.keys()].some((id) => shown.has(id));
  const lost = [...createdAt].filter(([id, created]) => {
    const missing = missingAt.get(id) ?? Number.NEGATIVE_INFINITY;
    const isLate = !shown.has(id) && missing >= created + grace;
    return isLate && (!isAnyShown || stays(created, missing));
  });
  return new Set(lost.length >= minLost ? lost.map(([id]) => id) : []);
}
