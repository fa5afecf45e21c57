import type { Case } from '../cases/case.ts';
import type { Resource } from '../description/document.ts';
import { toJson } from '../json.ts';
import { idAsked, idOf } from './ids.ts';
import { type Item, itemsIn } from './items.ts';
import { type AnsweredFor, answeredFor, type Transcript } from './transcript.ts';
import { grace, maxFollowed, wholeLists } from './whole-lists.ts';

/** What was seen of one item: how it looked first, and how it changed. */
export type History = {
  id: string;
  first: Item;
  /** Whether it was created to see whether what happened to another happens again. */
  isFresh: boolean;
  /** Whether several creates answered with its id. */
  isReborn: boolean;
  /** The properties that changed, or `gone`; empty where nothing did. */
  moves: string[];
  /** Whether each state was seen in one period only, as if another client changes an item. */
  isOrderly: boolean;
  /**
   * The properties that differ where it was seen first, a moment after its create; undefined where
   * it was not seen that soon.
   */
  movesAtOnce: readonly string[] | undefined;
};

/** What was seen of the items of one resource. */
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

/** How soon after a create nobody but the deployment changes an item, in milliseconds. */
const atOnce = 2000;

type Sighting = { look: Item | undefined; by: string; sentAt: number; endedAt: number };

const gone = 'gone';

/** Reads all that lists, reads and creates showed of a resource's items. */
export function readHistories(transcript: Transcript, resource: Resource): Histories {
  const { idProperty, name } = resource;
  const sightings = new Map<string, Sighting[]>();
  const created = new Map<string, { at: number; isFresh: boolean }>();
  const again = new Set<string>();
  const exchanges = answeredFor(transcript, 'list', 'read', 'create', 'count').filter(
    ({ case: testCase }) => testCase.operation?.resource === name,
  );
  for (const { case: testCase, response, endedAt } of transcript.exchanges) {
    const id =
      testCase.operation === resource.operations.create && (response?.status ?? 0) < 300
        ? idOf(response?.json, idProperty)
        : undefined;
    if (id !== undefined && !created.has(id))
      created.set(id, { at: endedAt, isFresh: testCase.stage === 'fresh' });
    else if (id !== undefined) again.add(id);
  }
  const note = (id: string, sighting: Sighting) => {
    if (!sightings.has(id) && sightings.size >= maxFollowed && !created.has(id)) return;
    const ofItem = sightings.get(id) ?? [];
    sightings.set(id, ofItem);
    ofItem.push(sighting);
  };
  for (const exchange of exchanges) {
    const { response, sentAt, endedAt } = exchange;
    if (response.status >= 300) continue;
    const looks = new Map(itemsIn(exchange).map((look) => [idOf(look, idProperty), look]));
    for (const [id, look] of looks)
      if (id !== undefined) note(id, { look, by: byOf(exchange), sentAt, endedAt });
  }
  for (const exchange of exchanges) {
    const { sentAt, endedAt } = exchange;
    for (const id of missingFrom(exchange, resource, sightings))
      if (
        exchange.case.purpose.kind !== 'list' ||
        !wholeLists(transcript, resource).mayOmit(exchange, id)
      )
        note(id, { look: undefined, by: byOf(exchange), sentAt, endedAt });
  }
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

/**
 * The items that were seen before and that an answer should show: the one asked for, or those that
 * a list without filters leaves out.
 */
function missingFrom(
  exchange: AnsweredFor<'list' | 'read' | 'create' | 'count'>,
  { idProperty, pageSize }: Resource,
  sightings: ReadonlyMap<string, readonly Sighting[]>,
): string[] {
  const { request, response, sentAt } = exchange;
  const { purpose } = exchange.case;
  const wasSeen = (id: string) =>
    sightings.get(id)?.some(({ look, endedAt }) => look !== undefined && endedAt < sentAt) === true;
  if (purpose.kind === 'read') {
    const id = idAsked(request.path);
    return response.status === 404 && wasSeen(id) ? [id] : [];
  }
  if (purpose.kind !== 'list' || !Array.isArray(response.json) || response.status >= 300) return [];
  const { limit, filters } = purpose;
  const isWhole = pageSize === undefined || (limit !== undefined && response.json.length < limit);
  if (!isWhole || Object.keys(filters).length > 0) return [];
  const listed = new Set(itemsIn(exchange).map((look) => idOf(look, idProperty)));
  return [...sightings.keys()].filter((id) => !listed.has(id) && wasSeen(id));
}

function byOf({ case: { operation } }: { case: Case }): string {
  return operation?.id ?? '';
}

function appearsLate(sightings: readonly Sighting[]): boolean {
  const lastSeen = new Map<string, number>();
  for (const { look, by, sentAt } of sightings)
    if (look !== undefined) lastSeen.set(by, Math.max(sentAt, lastSeen.get(by) ?? 0));
  return sightings.some(
    ({ look, by, endedAt }) => look === undefined && (lastSeen.get(by) ?? 0) > endedAt,
  );
}

const texts = new WeakMap<Item, string>();

/** What an item looks like, as text. */
function textOfLook(look: Item, names: readonly string[]): string {
  const text = texts.get(look) ?? names.map((name) => toJson(look[name])).join('\n');
  texts.set(look, text);
  return text;
}

/**
 * What changed from each look to the next, in the order in which they were first seen, each kind of
 * change once.
 */
function toMoves(
  sightings: readonly Sighting[],
  { item: { properties } }: Resource,
  isTraffic: boolean,
): Pick<History, 'moves' | 'isOrderly'> {
  const names = Object.keys(properties);
  const byLook = Map.groupBy(sightings, ({ look }) => (look ? textOfLook(look, names) : gone));
  const looks = [...byLook.values()]
    .map((seen) => ({
      look: seen[0]?.look,
      from: seen.reduce((first, { endedAt }) => Math.min(first, endedAt), Number.POSITIVE_INFINITY),
      until: seen.reduce((last, { sentAt }) => Math.max(last, sentAt), 0),
    }))
    .toSorted((left, right) => left.from - right.from);
  const pairs = looks.slice(1).map((next, index) => [looks[index] as typeof next, next] as const);
  const moves = pairs.flatMap(([{ look: before }, { look: after }]) =>
    before && after ? names.filter((name) => toJson(before[name]) !== toJson(after[name])) : [gone],
  );
  return {
    moves: [...new Set(moves)],
    isOrderly: isTraffic
      ? !isUnsteady(sightings, names)
      : pairs.every(([before, after]) => before.until < after.from),
  };
}

/** How often an item must look as before again where others may change it, and come back. */
const minReturns = 3;
const minComebacks = 2;

/** Whether an item changes to and fro, more often than others may have changed it. */
function isUnsteady(sightings: readonly Sighting[], names: readonly string[]): boolean {
  const chain: { text: string; endedAt: number }[] = [];
  const before = new Set<string>();
  let [returns, comebacks] = [0, 0];
  for (const { look, sentAt, endedAt } of sightings.toSorted(
    (left, right) => left.endedAt - right.endedAt,
  )) {
    const text = look ? textOfLook(look, names) : gone;
    const last = chain.at(-1);
    if (last && (last.text === text || sentAt < last.endedAt)) continue;
    if (before.has(text)) returns += 1;
    if (before.has(text) && last?.text === gone) comebacks += 1;
    before.add(text);
    chain.push({ text, endedAt });
  }
  return returns >= minReturns || comebacks >= minComebacks;
}

/** What differs between an item as it was created and as it was seen next, if that was soon. */
function toMovesAtOnce(
  all: readonly Sighting[],
  createdAt: number | undefined,
  { item: { properties } }: Resource,
): string[] | undefined {
  const created = all.find(({ endedAt }) => endedAt === createdAt)?.look;
  const next = all
    .filter(({ look, sentAt }) => look && createdAt !== undefined && sentAt >= createdAt)
    .toSorted((left, right) => left.endedAt - right.endedAt)[0];
  const { look } = next ?? {};
  if (!created || !look || createdAt === undefined || (next?.endedAt ?? 0) > createdAt + atOnce)
    return undefined;
  return Object.keys(properties).filter((name) => toJson(created[name]) !== toJson(look[name]));
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
