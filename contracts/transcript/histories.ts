import type { Resource } from '../../openapi/index.ts';
import type { Item } from './items.ts';
import { type Moves, toMoves, toMovesAtOnce } from './moves.ts';
import { readSightings, type Sighting } from './sightings.ts';
import type { Transcript } from './transcript.ts';
import { grace } from './whole-lists.ts';

/** The history of an item: its first state, and its changes. */
export type History = Moves & {
  id: string;
  first: Item;
  /** Whether it was created to see whether what happened to another happens again. */
  isFresh: boolean;
  /** Whether several creates answered with its id. */
  isReborn: boolean;
  /**
   * The properties that differ where it was seen first, a moment after its create; undefined where
   * it was not seen that soon.
   */
  movesAtOnce: readonly string[] | undefined;
};

/** The histories of a resource's items. */
export type Histories = {
  items: ReadonlyMap<string, History>;
  /** Whether others made the calls, who may have made more than were recorded. */
  isTraffic: boolean;
  /**
   * Whether a created item was missing at first and present later, even on one of several replicas;
   * undefined if none was created.
   */
  isLate: boolean | undefined;
  /** Whether an item may still be missing at an instant, as it was created just before it. */
  isRecent(id: string, instant: number): boolean;
  /** Whether an answer to a later call than at an instant showed an item. */
  isSeenAfter(id: string, instant: number): boolean;
};

/** Reads all that lists, reads and creates showed of a resource's items. */
export function readHistories(transcript: Transcript, resource: Resource): Histories {
  const { byItem: sightings, created, again } = readSightings(transcript, resource);
  const isEarly = (id: string, instant: number) =>
    instant < (created.get(id)?.at ?? Number.NEGATIVE_INFINITY) + grace;
  const { isTraffic = false } = transcript;
  const isSeenLate = [...created.keys()].some((id) => appearsLate(sightings.get(id) ?? []));
  // What somebody else asked for a moment after its create, and never again, may have been late.
  const isLate = isSeenLate || isTraffic;
  const isSeenAgain = ([id, { at }]: [string, { at: number }]) =>
    sightings.get(id)?.some(({ look, sentAt }) => look !== undefined && sentAt >= at);
  const lastShown = new Map(
    [...sightings].map(([id, all]) => [
      id,
      all.reduce(
        (last, { look, sentAt }) => (look && sentAt > last ? sentAt : last),
        Number.NEGATIVE_INFINITY,
      ),
    ]),
  );
  const items = [...sightings].flatMap(([id, all]): [string, History][] => {
    const seen = all.filter(
      ({ look, sentAt }) => look !== undefined || !isLate || !isEarly(id, sentAt),
    );
    const first = seen.find(({ look }) => look !== undefined)?.look;
    const { isFresh = false } = created.get(id) ?? {};
    const movesAtOnce = isTraffic ? toMovesAtOnce(all, created.get(id)?.at, resource) : undefined;
    return first === undefined
      ? []
      : [
          [
            id,
            {
              id,
              first,
              isFresh,
              isReborn: again.has(id),
              movesAtOnce,
              ...toMoves(seen, resource, isTraffic),
            },
          ],
        ];
  });
  return {
    items: new Map(items),
    isTraffic,
    isLate:
      created.size === 0 || (isTraffic && ![...created].some(isSeenAgain)) ? undefined : isSeenLate,
    isRecent: (id, instant) => isLate && isEarly(id, instant),
    isSeenAfter: (id, instant) => (lastShown.get(id) ?? Number.NEGATIVE_INFINITY) > instant,
  };
}

function appearsLate(sightings: readonly Sighting[]): boolean {
  const lastSeen = new Map<string, number>();
  for (const { look, by, sentAt } of sightings)
    if (look !== undefined) lastSeen.set(by, Math.max(sentAt, lastSeen.get(by) ?? 0));
  return sightings.some(
    ({ look, by, endedAt }) => look === undefined && (lastSeen.get(by) ?? 0) > endedAt,
  );
}

/** How many items must change in the same way at once where somebody else might change one. */
const minAtOnce = 3;

/**
 * The items that another client may have changed or removed: each state was seen in one period
 * only, and no fresh item changed in the same way. A deployment that changes items by itself does
 * so again. In traffic, only what changes a moment after the create of most items is its doing.
 */
export function changedByOthers({ items, isTraffic }: Histories): Map<string, History> {
  const all = [...items.values()];
  const fresh = all.filter(({ isFresh }) => isFresh);
  const soon = all.flatMap(({ movesAtOnce }) => (movesAtOnce ? [movesAtOnce] : []));
  const isSoon = (move: string) => {
    const moved = soon.filter((moves) => moves.includes(move)).length;
    return moved >= minAtOnce && moved > soon.length / 2;
  };
  const isRepeated = (move: string) =>
    fresh.filter(({ moves }) => moves.includes(move)).length > 1 ||
    all.filter(({ moves }) => moves.includes(move)).length > all.length / 2;
  const repeated = new Map<string, boolean>();
  const isOfDeployment = (move: string) => {
    const known = repeated.get(move) ?? (isTraffic ? isSoon(move) : isRepeated(move));
    repeated.set(move, known);
    return known;
  };
  return new Map(
    all
      .filter(
        ({ moves, isOrderly, isReborn }) =>
          (isTraffic && isReborn) || (moves.length > 0 && isOrderly && !moves.some(isOfDeployment)),
      )
      .map((history) => [history.id, history]),
  );
}
