import { toJson } from '../../common/json.ts';
import type { Resource } from '../../openapi/index.ts';
import type { Answer } from './exchange.ts';
import { countOf, type Item, idsIn, isList } from './items.ts';
import { type ItemRecord, isPlain, isSeenAfter, isSettled, recordsOf } from './ledger.ts';
import { answeredFor, readOnce, type Transcript } from './transcript.ts';
import { mayHaveMore, wholeLists } from './whole-lists.ts';

/** The history of an item: its first state, and its changes. */
export type History = {
  id: string;
  record: ItemRecord;
  first: Item;
  /** The properties that changed, or `gone`, each once; empty where nothing did. */
  moves: string[];
  /** Whether each state was seen in one period only, as if another client changes an item. */
  isOrderly: boolean;
  /**
   * The properties that differ where it was seen first, a moment after its create; undefined where
   * it was not seen that soon.
   */
  movesAtOnce: readonly string[] | undefined;
};

/** The histories of a resource's items. */
export type Histories = {
  items: ReadonlyMap<string, History>;
  /** Items that another client may have changed or removed, by id. */
  changed: ReadonlyMap<string, History>;
  /**
   * Whether a created item was missing at first and present later, even on one of several replicas;
   * undefined if none was created.
   */
  isLate: boolean | undefined;
  /**
   * Whether nothing can be said of an item at an instant: another client changed it, or may have
   * removed it, or it was created only just before.
   */
  isUnsure(id: string, instant: number): boolean;
  /** Whether an answer to a later call than at an instant showed an item. */
  isSeenAfter(id: string, instant: number): boolean;
};

/** An answer that showed an item as it is in `look`, or should have shown it. */
type Observation = { look: Item | undefined; by: string; sentAt: number; endedAt: number };

/** All that plain answers showed of an item. */
type ItemView = { record: ItemRecord; observations: readonly Observation[] };

/** Reads all that lists, reads and creates showed of a resource's items. */
export const readHistories = readOnce(readAllHistories);

function readAllHistories(transcript: Transcript, resource: Resource): Histories {
  const { seesAllCalls } = transcript.observer;
  const properties = Object.keys(resource.item.properties);
  const all = viewsOf(transcript, resource);
  const byId = new Map(all.map(({ record }) => [record.id, record]));
  const created = all.filter(({ record }) => record.created.length > 0);
  const isSeenLate = created.some(({ observations }) => appearsLate(observations));
  // What somebody else asked for a moment after its create, and never again, may have been late.
  const isLate = isSeenLate || !seesAllCalls;
  const isSeenAgain = created.some(({ record: { created: creates }, observations }) =>
    observations.some(
      ({ look, sentAt }) => look && sentAt >= (creates[0]?.exchange.endedAt ?? sentAt),
    ),
  );
  const histories = all.flatMap(({ record, observations }): History[] => {
    const sure = observations.filter(
      ({ look, sentAt }) => look || !isLate || isSettled(record, sentAt),
    );
    const first = sure.find(({ look }) => look !== undefined)?.look;
    if (!first) return [];
    const { moves, isOrderly } = toMoves(sure, properties);
    return [
      {
        id: record.id,
        record,
        first,
        moves,
        isOrderly: seesAllCalls ? isOrderly : !isUnsteady(sure, properties),
        movesAtOnce: seesAllCalls ? undefined : movesAtOnceOf(record, observations, properties),
      },
    ];
  });
  const changed = new Map(changedByOthers(histories, transcript).map((one) => [one.id, one]));
  const isShownAfter = (id: string, instant: number) =>
    isSeenAfter(byId.get(id)?.sightings.filter(isPlain) ?? [], instant);
  return {
    items: new Map(histories.map((one) => [one.id, one])),
    changed,
    isLate: created.length === 0 || !(seesAllCalls || isSeenAgain) ? undefined : isSeenLate,
    isSeenAfter: isShownAfter,
    isUnsure: (id, instant) => {
      const record = byId.get(id);
      const isRecent = isLate && record !== undefined && !isSettled(record, instant);
      return changed.has(id) || isRecent || !(seesAllCalls || isShownAfter(id, instant));
    },
  };
}

/** Reads each answer that showed an item, or should have shown it. */
function viewsOf(transcript: Transcript, resource: Resource): ItemView[] {
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
    // A list may show an id twice.
    const shown = record.sightings.filter(isPlain).map((one) => [one.exchange, one] as const);
    const looks = [...new Map(shown).values()];
    const wasSeen = ({ sentAt }: Answer) => looks.some(({ exchange }) => exchange.endedAt < sentAt);
    const lacking = [
      ...record.missing,
      ...lists.flatMap(({ list, ids }) =>
        ids.has(record.id) || mayOmit(list, record.id) ? [] : [list],
      ),
    ].filter(wasSeen);
    const observations = [
      ...looks.map(({ item, exchange }) => toObservation(exchange, item)),
      ...lacking.map((exchange) => toObservation(exchange, undefined)),
    ];
    return { record, observations };
  });
}

function toObservation(
  { case: { operation }, sentAt, endedAt }: Answer,
  look: Item | undefined,
): Observation {
  return { look, by: operation?.id ?? '', sentAt, endedAt };
}

function appearsLate(observations: readonly Observation[]): boolean {
  return observations.some(
    (missed) =>
      !missed.look &&
      observations.some(
        ({ look, by, sentAt }) => look && by === missed.by && sentAt > missed.endedAt,
      ),
  );
}

const gone = 'gone';

/** Returns the changes between the states of an item, in the order of their first sighting, each once. */
function toMoves(
  observations: readonly Observation[],
  names: readonly string[],
): Pick<History, 'moves' | 'isOrderly'> {
  const states = [...Map.groupBy(observations, ({ look }) => toText(look, names)).values()]
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
function isUnsteady(observations: readonly Observation[], names: readonly string[]): boolean {
  const before = new Set<string>();
  let last: { text: string; endedAt: number } | undefined;
  let [returns, comebacks] = [0, 0];
  for (const { look, sentAt, endedAt } of observations.toSorted(
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
  { created: [create] }: ItemRecord,
  observations: readonly Observation[],
  names: readonly string[],
): string[] | undefined {
  if (!create || !isPlain(create)) return undefined;
  const { endedAt } = create.exchange;
  const [next] = observations
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
 * so again. Where others call too, only what changes a moment after the create of most items is its
 * doing.
 */
function changedByOthers(all: readonly History[], { observer }: Transcript): History[] {
  const { seesAllCalls } = observer;
  const created = all.filter(({ record }) => record.created.length > 0);
  const timesIn = (moves: (one: History) => readonly string[] | undefined, move: string) =>
    all.filter((one) => moves(one)?.includes(move)).length;
  const seenSoon = all.filter(({ movesAtOnce }) => movesAtOnce).length;
  const isSoon = (move: string) => {
    const times = timesIn(({ movesAtOnce }) => movesAtOnce, move);
    return times >= minAtOnce && times > seenSoon / 2;
  };
  // Some items are created to see whether what happened to another happens again.
  const isFresh = ({ record }: History) => record.created[0]?.exchange.case.stage === 'fresh';
  // Nobody removes each item that is created before anything shows it.
  const isNoneShown = created.every(({ record }) => record.shown.length === 0);
  const isNoneStored = isNoneShown && timesIn(({ moves }) => moves, gone) > 1;
  const isRepeated = (move: string) =>
    timesIn((one) => (isFresh(one) ? one.moves : []), move) > 1 ||
    timesIn(({ moves }) => moves, move) > all.length / 2 ||
    (move === gone && isNoneStored);
  const own = new Set(
    [...new Set(all.flatMap(({ moves }) => moves))].filter(seesAllCalls ? isRepeated : isSoon),
  );
  return all.filter(
    ({ record, moves, isOrderly }) =>
      (!seesAllCalls && record.created.length > 1) ||
      (moves.length > 0 && isOrderly && !moves.some((move) => own.has(move))),
  );
}

/** Why nothing can be decided about items that another client may have changed. */
export function toChangedReason(changed: readonly History[]): string {
  const [{ id, moves } = { id: '', moves: [] }, ...more] = changed;
  const which = more.length === 0 ? `item ${id}` : `item ${id} and ${more.length} more`;
  return `${which} changed during the run (${moves[0]}), and new items did not: another client may have changed it`;
}
