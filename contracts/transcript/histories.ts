import { toJson } from '../../common/json.ts';
import type { Resource } from '../../openapi/index.ts';
import type { Answered } from './exchange.ts';
import { countOf, type Item, idsIn, isList } from './items.ts';
import { grace, type ItemRecord, isPlain, recordsOf, shownBy } from './ledger.ts';
import type { Observer } from './observer.ts';
import { answeredFor, type Transcript } from './transcript.ts';
import { mayHaveMore, wholeLists } from './whole-lists.ts';

/** The history of an item: its first state, and its changes. */
export type History = {
  id: string;
  first: Item;
  /** The properties that changed, or `gone`, each once; empty where nothing did. */
  moves: string[];
  /** Whether each state was seen in one period only, as if another client changes an item. */
  isOrderly: boolean;
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
  observer: Observer;
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

/** An answer that showed an item, or should have shown it; `look` is the item as it showed it. */
type Sighting = { look: Item | undefined; by: string; sentAt: number; endedAt: number };

/** The sightings of an item, with its first create, and when a call was sent that showed it last. */
type Seen = {
  record: ItemRecord;
  sightings: readonly Sighting[];
  lastShownAt: number;
  create: { exchange: Answered; item: Item } | undefined;
};

/** Reads all that lists, reads and creates showed of a resource's items. */
export function readHistories(transcript: Transcript, resource: Resource): Histories {
  const { observer } = transcript;
  const { seesAllCalls } = observer;
  const properties = Object.keys(resource.item.properties);
  const all = readSightings(transcript, resource);
  const seen = new Map(all.map((one) => [one.record.id, one]));
  const created = all.filter(({ create }) => create !== undefined);
  const isEarly = ({ create }: Pick<Seen, 'create'>, instant: number) =>
    create !== undefined && instant < create.exchange.endedAt + grace;
  const isSeenLate = created.some(({ sightings }) => appearsLate(sightings));
  // What somebody else asked for a moment after its create, and never again, may have been late.
  const isLate = isSeenLate || !seesAllCalls;
  const isSeenAgain = created.some(({ sightings, create }) =>
    sightings.some(({ look, sentAt }) => look && sentAt >= (create?.exchange.endedAt ?? 0)),
  );
  const histories = all.flatMap((one): History[] => {
    const { record, create, sightings } = one;
    const sure = sightings.filter(({ look, sentAt }) => look || !isLate || !isEarly(one, sentAt));
    const first = sure.find(({ look }) => look !== undefined)?.look;
    if (!first) return [];
    return [
      {
        id: record.id,
        first,
        ...toMoves(sure, properties),
        ...(!seesAllCalls && { isOrderly: !isUnsteady(sure, properties) }),
        isFresh: create?.exchange.case.stage === 'fresh',
        isReborn: shownBy(record, 'created').length > 1,
        movesAtOnce: seesAllCalls ? undefined : movesAtOnceOf(one, properties),
      },
    ];
  });
  return {
    items: new Map(histories.map((one) => [one.id, one])),
    observer,
    isLate: created.length === 0 || (!seesAllCalls && !isSeenAgain) ? undefined : isSeenLate,
    isRecent: (id, instant) => isLate && isEarly(seen.get(id) ?? { create: undefined }, instant),
    isSeenAfter: (id, instant) => (seen.get(id)?.lastShownAt ?? instant) > instant,
  };
}

/** Reads each answer that showed an item, or should have shown it. */
function readSightings(transcript: Transcript, resource: Resource): Seen[] {
  const lists = answeredFor(transcript, 'list').flatMap((list) => {
    const { case: testCase, response } = list;
    const { operation, purpose } = testCase;
    const isOther = operation?.resource !== resource.name || response.status >= 300;
    const isPart = mayHaveMore(resource, purpose, countOf(list));
    if (isOther || isPart || !isList(list) || Object.keys(purpose.filters).length > 0) return [];
    return [{ list, ids: new Set(idsIn(list, resource)) }];
  });
  const { mayOmit } = wholeLists(transcript, resource);
  return recordsOf(transcript, resource).map((record) => {
    const { id, events } = record;
    const [create] = shownBy(record, 'created');
    const shown = shownBy(record, 'created', 'shown').filter(isPlain);
    // A list may show an id twice.
    const looks = [...new Map(shown.map((one) => [one.exchange, one])).values()];
    const wasSeen = ({ sentAt }: Answered) =>
      looks.some(({ exchange }) => exchange.endedAt < sentAt);
    const lacking = [
      ...events.flatMap(({ what, exchange }) => (what === 'missing' ? [exchange] : [])),
      ...lists.flatMap(({ list, ids }) => (ids.has(id) || mayOmit(list, id) ? [] : [list])),
    ].filter(wasSeen);
    const sightings = [
      ...looks.map(({ item, exchange }) => toSighting(exchange, item)),
      ...lacking.map((exchange) => toSighting(exchange, undefined)),
    ];
    const lastShownAt = Math.max(...looks.map(({ exchange }) => exchange.sentAt));
    return { record, sightings, lastShownAt, create };
  });
}

function toSighting({ case: { operation }, sentAt, endedAt }: Answered, look?: Item): Sighting {
  return { look, by: operation?.id ?? '', sentAt, endedAt };
}

function appearsLate(sightings: readonly Sighting[]): boolean {
  return sightings.some(
    (missed) =>
      !missed.look &&
      sightings.some(({ look, by, sentAt }) => look && by === missed.by && sentAt > missed.endedAt),
  );
}

const gone = 'gone';

/**
 * Returns the changes between the states of an item, in the order of their first sighting, each
 * once.
 */
function toMoves(
  sightings: readonly Sighting[],
  names: readonly string[],
): Pick<History, 'moves' | 'isOrderly'> {
  const states = [...Map.groupBy(sightings, ({ look }) => toText(look, names)).values()]
    .map((seen) => ({
      look: seen[0]?.look,
      from: Math.min(...seen.map(({ endedAt }) => endedAt)),
      until: Math.max(...seen.map(({ sentAt }) => sentAt)),
    }))
    .toSorted((left, right) => left.from - right.from);
  const pairs = states.slice(1).map((next, index) => [states[index] as typeof next, next] as const);
  const moves = pairs.flatMap(([{ look: before }, { look: after }]) =>
    before && after ? differing(before, after, names) : [gone],
  );
  return {
    moves: [...new Set(moves)],
    isOrderly: pairs.every(([before, after]) => before.until < after.from),
  };
}

/** Returns the state of an item as text. */
function toText(look: Item | undefined, names: readonly string[]): string {
  return look ? names.map((name) => toJson(look[name])).join('\n') : gone;
}

function differing(before: Item, after: Item, names: readonly string[]): string[] {
  return names.filter((name) => toJson(before[name]) !== toJson(after[name]));
}

/** How often an item must look as before again where others may change it, and come back. */
const minReturns = 3;
const minComebacks = 2;

/** Whether an item changes to and fro, more often than others may have changed it. */
function isUnsteady(sightings: readonly Sighting[], names: readonly string[]): boolean {
  const before = new Set<string>();
  let last: { text: string; endedAt: number } | undefined;
  let [returns, comebacks] = [0, 0];
  for (const { look, sentAt, endedAt } of sightings.toSorted(
    (left, right) => left.endedAt - right.endedAt,
  )) {
    const text = toText(look, names);
    if (last && (last.text === text || sentAt < last.endedAt)) continue;
    if (before.has(text)) returns += 1;
    if (before.has(text) && last?.text === gone) comebacks += 1;
    before.add(text);
    last = { text, endedAt };
  }
  return returns >= minReturns || comebacks >= minComebacks;
}

/** How soon after a create nobody but the deployment changes an item, in milliseconds. */
const atOnce = 2000;

/**
 * Returns the properties that changed between a create and the next sighting. Undefined if none
 * followed soon.
 */
function movesAtOnceOf(
  { create, sightings }: Seen,
  names: readonly string[],
): string[] | undefined {
  if (!create || !isPlain(create)) return undefined;
  const { endedAt } = create.exchange;
  const [next] = sightings
    .filter(({ look, sentAt }) => look && sentAt >= endedAt)
    .toSorted((left, right) => left.endedAt - right.endedAt);
  if (!next?.look || next.endedAt > endedAt + atOnce) return undefined;
  return differing(create.item, next.look, names);
}

/** How many items must change in the same way at once where somebody else might change one. */
const minAtOnce = 3;

/**
 * The items that another client may have changed or removed: each state was seen in one period
 * only, and no fresh item changed in the same way. A deployment that changes items by itself does
 * so again. Where others call too, only what changes a moment after the create of most items is its doing.
 */
export function changedByOthers({ items, observer }: Histories): Map<string, History> {
  const all = [...items.values()];
  const { seesAllCalls } = observer;
  const timesIn = (moves: (one: History) => readonly string[] | undefined, move: string) =>
    all.filter((one) => moves(one)?.includes(move)).length;
  const seenSoon = all.filter(({ movesAtOnce }) => movesAtOnce).length;
  const isSoon = (move: string) => {
    const times = timesIn(({ movesAtOnce }) => movesAtOnce, move);
    return times >= minAtOnce && times > seenSoon / 2;
  };
  const isRepeated = (move: string) =>
    timesIn(({ isFresh, moves }) => (isFresh ? moves : []), move) > 1 ||
    timesIn(({ moves }) => moves, move) > all.length / 2;
  const own = new Set(
    [...new Set(all.flatMap(({ moves }) => moves))].filter(seesAllCalls ? isRepeated : isSoon),
  );
  const changed = all.filter(
    ({ moves, isOrderly, isReborn }) =>
      (!seesAllCalls && isReborn) ||
      (moves.length > 0 && isOrderly && !moves.some((move) => own.has(move))),
  );
  return new Map(changed.map((one) => [one.id, one]));
}
