import type { Resource } from '../../openapi/index.ts';
import { neverFound, shownItems } from './created-items.ts';
import { idAsked } from './ids.ts';
import type { Transcript } from './transcript.ts';
import { grace } from './whole-lists.ts';

/** The life of an item: when a create last returned it, and when another response did. */
type Life = { createdAt?: number; isReborn: boolean; isMeant: boolean; shownAt?: number };

/** Reads the life of each item of a resource. */
function readLives(transcript: Transcript, resource: Resource): Map<string, Life> {
  const lives = new Map<string, Life>();
  for (const { id, exchange, isCreate } of shownItems(transcript, resource)) {
    const life = lives.get(id) ?? { isReborn: false, isMeant: false };
    lives.set(id, life);
    if (!isCreate) life.shownAt = Math.max(life.shownAt ?? 0, exchange.sentAt);
    else {
      life.isReborn = life.createdAt !== undefined;
      life.isMeant ||= exchange.case.purpose.kind === 'create';
      life.createdAt = exchange.endedAt;
    }
  }
  return lives;
}

/**
 * Whether an item that was created before an instant was seen after another one, so that nobody
 * emptied the store in between; both in Unix milliseconds.
 */
type Stays = (from: number, until: number) => boolean;

/** Reads which created items stay. */
export function readStays(transcript: Transcript, resource: Resource): Stays {
  return toStays(readLives(transcript, resource));
}

function toStays(lives: ReadonlyMap<string, Life>): Stays {
  const stays = [...lives.values()].flatMap(({ createdAt, isReborn, shownAt }) =>
    createdAt === undefined || shownAt === undefined || isReborn ? [] : [{ createdAt, shownAt }],
  );
  return (from, until) => stays.some((item) => item.createdAt <= from && item.shownAt > until);
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
  const lives = readLives(transcript, resource);
  const stays = toStays(lives);
  const missingAt = new Map<string, number>();
  // What is deleted is gone, and no more is said of it.
  const deleted = new Set<string>();
  for (const { case: testCase, request, response, sentAt } of transcript.exchanges) {
    const { operation, purpose } = testCase;
    if (operation?.resource !== resource.name || !response) continue;
    const id = idAsked(request.path);
    if (response.status === 404 && purpose.kind === 'read') missingAt.set(id, sentAt);
    if (response.status < 300 && operation === resource.operations.delete) deleted.add(id);
  }
  const created = [...lives].filter(([, { isMeant }]) => isMeant);
  const isShown = ([id, { shownAt }]: [string, Life]) => shownAt !== undefined || deleted.has(id);
  const isAnyShown = created.some(isShown);
  const lost = created.filter((one) => {
    const [id, { createdAt = 0 }] = one;
    const missing = missingAt.get(id) ?? Number.NEGATIVE_INFINITY;
    const isLate = !isShown(one) && missing >= createdAt + grace;
    return isLate && (!isAnyShown || stays(createdAt, missing));
  });
  return new Set(lost.length >= minLost ? lost.map(([id]) => id) : []);
}
