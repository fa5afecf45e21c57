import type { Resource } from '../../openapi/index.ts';
import { grace, has, type ItemRecord, recordsOf, shownBy } from './ledger.ts';
import type { Transcript } from './transcript.ts';

/**
 * The ids of created items that are never found again: a read is answered with 404, and no list or
 * read ever shows them. They are not stored, or under another id, or out of reach. If this holds
 * for every created item that was read, it is assumed of the others.
 */
export function neverFound(transcript: Transcript, resource: Resource): ReadonlySet<string> {
  const created = recordsOf(transcript, resource).filter((one) => has(one, 'created'));
  const lost = created.filter((one) => has(one, 'missing') && !has(one, 'shown'));
  const isNoneStored = lost.length > 0 && !created.some((one) => has(one, 'shown'));
  return new Set((isNoneStored ? created : lost).map(({ id }) => id));
}

/**
 * Whether an item that was created before an instant was seen after another one, so that nobody
 * emptied the store in between; both in Unix milliseconds.
 */
type Stays = (from: number, until: number) => boolean;

/** Reads which created items stay. */
export function readStays(transcript: Transcript, resource: Resource): Stays {
  const staying = recordsOf(transcript, resource).flatMap((record) => {
    const [create, ...again] = shownBy(record, 'created');
    if (!create || again.length > 0) return [];
    const shownAt = shownBy(record, 'shown').map(({ exchange }) => exchange.sentAt);
    return [{ createdAt: create.exchange.endedAt, shownAt: Math.max(...shownAt) }];
  });
  return (from, until) => staying.some((one) => one.createdAt <= from && one.shownAt > until);
}

/** How many created items must be missing in traffic, as somebody else may remove one. */
const minLost = 3;

/**
 * The ids of created items that are certainly lost. In traffic somebody may have emptied the store in
 * between, so there several must be missing long enough after their creates, and other created items
 * must stay, or none ever show.
 */
export function lostItems(transcript: Transcript, resource: Resource): ReadonlySet<string> {
  if (!transcript.isTraffic) return neverFound(transcript, resource);
  const stays = readStays(transcript, resource);
  const created = recordsOf(transcript, resource).filter((record) =>
    shownBy(record, 'created').some(({ exchange }) => exchange.case.purpose.kind === 'create'),
  );
  // What is deleted is gone, and no more is said of it.
  const isSettled = (one: ItemRecord) => has(one, 'shown') || has(one, 'deleted');
  const isAnySettled = created.some(isSettled);
  const lost = created.filter((record) => {
    const createdAt = shownBy(record, 'created').at(-1)?.exchange.endedAt ?? 0;
    const missing = record.events.findLast(({ what }) => what === 'missing')?.exchange.sentAt;
    const isMissed = missing !== undefined && missing >= createdAt + grace;
    return isMissed && !isSettled(record) && (!isAnySettled || stays(createdAt, missing));
  });
  return new Set(lost.length >= minLost ? lost.map(({ id }) => id) : []);
}
