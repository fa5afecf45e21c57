import { type Answered, isAnswered } from '../transcript/exchange.ts';
import { readHistories } from '../transcript/histories.ts';
import { idOf } from '../transcript/ids.ts';
import { countOf, isList, itemIn, itemsIn } from '../transcript/items.ts';
import { isStored } from './creates.ts';
import type { Reader, Source } from './reading.ts';

type Sighting = { at: number; isSeen: boolean };

export const readReadAfterCreate: Reader = (source) => {
  const { transcript, resource } = source;
  const created = transcript.exchanges
    .filter(isAnswered)
    .filter((one) => one.case.operation === resource.operations.create && isStored(one));
  if (created.length === 0) return undefined;
  const delays = { read: 0, list: 0 };
  const shown: Answered[] = [];
  for (const kind of ['read', 'list'] as const) {
    const late = created.flatMap((one) => {
      const sightings = sightingsOf(one, kind, source);
      if (sightings.length > 0) shown.push(one);
      return sightings.some(({ isSeen }) => !isSeen) && sightings.some(({ isSeen }) => isSeen)
        ? [sightings]
        : [];
    });
    for (const sightings of late) {
      const lastMissing = Math.max(
        ...sightings.filter(({ isSeen }) => !isSeen).map(({ at }) => at),
      );
      const firstSeen = Math.min(...sightings.filter(({ isSeen }) => isSeen).map(({ at }) => at));
      if (lastMissing > firstSeen)
        return { shown, reason: 'a created item is seen, and missing again later' };
      delays[kind] = Math.max(delays[kind], Math.ceil(firstSeen));
    }
  }
  if (shown.length === 0) return undefined;
  const late = Object.fromEntries(Object.entries(delays).filter(([, delay]) => delay > 0));
  if (Object.keys(late).length === 0 && readHistories(transcript, resource).isLate)
    return { shown, reason: 'some created items were missing at first' };
  return { answer: Object.keys(late).length === 0 ? 'immediately' : late, shown };
};

/** When a created item was looked for, in milliseconds since its creation, and whether it was there. */
function sightingsOf(
  create: Answered,
  kind: 'read' | 'list',
  { transcript, resource }: Source,
): Sighting[] {
  const { endedAt } = create;
  const id = idOf(itemIn(create), resource.idProperty);
  if (id === undefined) return [];
  return transcript.exchanges.filter(isAnswered).flatMap((one): Sighting[] => {
    const { operation, purpose } = one.case;
    if (one.sentAt < endedAt || one.response.status === 429) return [];
    const toSighting = (isSeen: boolean): Sighting => ({
      // It was there before the response came, or not yet when the request was sent.
      at: (isSeen ? one.endedAt : one.sentAt) - endedAt,
      isSeen,
    });
    if (kind === 'read')
      return operation === resource.operations.read && one.request.path.endsWith(`/${id}`)
        ? [toSighting(one.response.status === 200)]
        : [];
    const isWhole = purpose.kind === 'list' && Object.keys(purpose.filters).length === 0;
    if (operation !== resource.operations.list || !isWhole || !isList(one)) return [];
    const isSeen = itemsIn(one).some((item) => idOf(item, resource.idProperty) === id);
    const isFull = countOf(one) >= (purpose.limit ?? 0);
    return isSeen || !isFull ? [toSighting(isSeen)] : [];
  });
}
