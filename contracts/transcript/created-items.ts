import type { Resource } from '../../openapi/index.ts';
import type { Purpose } from '../cases/case.ts';
import type { Answer, Exchange } from './exchange.ts';
import { type Item, idOf, isSameText, itemsOf, sentFields } from './items.ts';
import {
  eventsOf,
  type ItemEvent,
  type ItemRecord,
  isSeenAfter,
  isSettled,
  recordsOf,
  type Sighting,
} from './ledger.ts';
import { ownIdOf } from './made.ts';
import type { Transcript } from './transcript.ts';

/** A create that was answered with an item, with the fields that it sent, but for readOnly ones. */
export type Create = Sighting & { sent: Readonly<Record<string, unknown>> };

/** The creates of a collection that were answered with an item, in order of sending. */
export function createsOf(
  transcript: Transcript,
  resource: Resource,
  kinds: readonly Purpose['kind'][] = ['create'],
): Create[] {
  return eventsOf(transcript, resource).flatMap(({ what, id, item, exchange }) => {
    const { operation, purpose } = exchange.case;
    const isMeant = operation === resource.operations.create && kinds.includes(purpose.kind);
    if (what !== 'created' || !isMeant) return [];
    return [{ id, item, exchange, sent: settableOf(transcript, resource, exchange) }];
  });
}

/** The fields that a create sent and that a client may set. */
function settableOf(
  { document }: Transcript,
  resource: Resource,
  exchange: Exchange,
): Create['sent'] {
  const { properties } = resource.item;
  return Object.fromEntries(
    Object.entries(sentFields(exchange)).filter(
      ([name]) => !document.schemas.isMarked(properties[name], 'readOnly'),
    ),
  );
}

/** The creates of a collection that each made an item of the run's own, and not just accepted it. */
export function ownCreates(transcript: Transcript, resource: Resource): Create[] {
  const { create } = resource.operations;
  return transcript.exchanges.flatMap((exchange) => {
    const { made, response, case: one } = exchange;
    const id = ownIdOf(exchange) ?? (made?.isEchoed ? made.id : undefined);
    const isDone = one.operation === create && one.purpose.kind === 'create';
    if (!isDone || !response || response.status === 202 || id === undefined || !made?.item)
      return [];
    return [{ exchange, id, item: made.item, sent: settableOf(transcript, resource, exchange) }];
  });
}

/**
 * The creates of a collection that answered with an id and the marker that they sent, of which no read
 * or list showed that they made the item.
 */
export function unprovenCreates(transcript: Transcript, resource: Resource): Create[] {
  return createsOf(transcript, resource, ['create', 'invalid-create']).filter(
    ({ id, item, exchange: { made, request, response } }) => {
      const isOpen = made?.whose === 'unproven' && !made.isEchoed && response.status !== 202;
      const isMarked = request.marker !== undefined && Object.values(item).includes(request.marker);
      return isOpen && isMarked && id === made.id;
    },
  );
}

/** Returns the items of the run's own that a list shows under another id alone. */
export function shownElsewhere(
  transcript: Transcript,
  resource: Resource,
  list: Answer,
): { id: string; shownId: string; row: Item }[] {
  const own = ownCreates(transcript, resource);
  const rows = Map.groupBy(itemsOf(list) ?? [], (row) => idOf(row, resource.idProperty));
  return own.flatMap(({ id, exchange: { request } }) =>
    [...(rows.has(id) ? [] : rows)].flatMap(([shownId, [row = {}]]) => {
      const isIts = Object.values(row).some((value) => value && value === request.marker);
      const isFree = shownId !== undefined && own.every((one) => one.id !== shownId);
      return isIts && isFree ? [{ id, shownId, row }] : [];
    }),
  );
}

/** Values that a deployment sets or alters in the items of a collection, as its creates show. */
export type CreatedValues = {
  /** The values that items show although their bodies did not send them, such as defaults. */
  unsent: readonly Item[];
  /** The properties that one item showed otherwise than they were sent. */
  madeOtherwise: ReadonlySet<string>;
};

/** Compares created items with the bodies that created them; `id` is that of the one item. */
export function createdAs(
  transcript: Transcript,
  resource: Resource | undefined,
  id: string,
): CreatedValues {
  const creates = resource ? createsOf(transcript, resource) : [];
  const entries = creates
    .filter((one) => one.id === id)
    .flatMap(({ item, sent }) =>
      Object.entries(sent).filter(
        ([name, value]) => name in item && !isSameText(item[name], value),
      ),
    );
  return {
    unsent: creates.map(({ item, sent }) =>
      Object.fromEntries(Object.entries(item).filter(([name]) => !(name in sent))),
    ),
    madeOtherwise: new Set(entries.map(([name]) => name)),
  };
}

/**
 * The ids of created items that are never found again: a read is answered with 404, and no list or
 * read ever shows them. They are not stored, or under another id, or out of reach. If this holds
 * for every created item that was read, it is assumed of the others.
 */
export function neverFound(transcript: Transcript, resource: Resource): ReadonlySet<string> {
  const created = recordsOf(transcript, resource).filter((one) => one.created.length > 0);
  const unseen = created.filter(({ shown }) => shown.length === 0);
  const lost = unseen.filter(({ missing }) => missing.length > 0);
  const isNoneStored = lost.length > 0 && unseen.length === created.length;
  return new Set((isNoneStored ? created : lost).map(({ id }) => id));
}

/**
 * Whether an item that was created before an instant was seen after another one, so that nobody
 * emptied the store in between; both in Unix milliseconds.
 */
type Stays = (from: number, until: number) => boolean;

function readStays(transcript: Transcript, resource: Resource): Stays {
  const once = recordsOf(transcript, resource).filter(({ created }) => created.length === 1);
  return (from, until) =>
    once.some(
      ({ created, shown }) =>
        created.every(({ exchange }) => exchange.endedAt <= from) && isSeenAfter(shown, until),
    );
}

/**
 * The ids of created items that are certainly lost. Where others call too, somebody may have emptied
 * the store in between: then several must be missing long enough after their creates, and other
 * created items must stay, or none ever show.
 */
export function lostItems(transcript: Transcript, resource: Resource): ReadonlySet<string> {
  const { seesAllCalls, evidence } = transcript.observer;
  if (seesAllCalls) return neverFound(transcript, resource);
  const stays = readStays(transcript, resource);
  const created = recordsOf(transcript, resource).filter((record) =>
    record.created.some(({ exchange }) => exchange.case.purpose.kind === 'create'),
  );
  // What is deleted is gone, and no more is said of it.
  const isExplained = ({ shown, deleted }: ItemRecord) => shown.length + deleted.length > 0;
  const isAnyExplained = created.some(isExplained);
  const lost = created.filter((record) => {
    const createdAt = record.created.at(-1)?.exchange.endedAt ?? 0;
    const missing = record.missing.at(-1)?.sentAt;
    const isMissed = missing !== undefined && isSettled(record, missing);
    return isMissed && !isExplained(record) && (!isAnyExplained || stays(createdAt, missing));
  });
  return new Set(lost.length >= evidence.lostItems ? lost.map(({ id }) => id) : []);
}

/** A create that answered with an id, and where that id was seen before, if so. */
export type GivenId = { id: string; exchange: Answer; before: string | undefined };

/** Purposes of calls that may list an item or create one, even by mistake. */
const kinds = [
  ...['list', 'create', 'create-with-id', 'observed'],
  ...['count', 'invalid-create', 'credential', 'silence'],
];

/** How often creates that are under way together must give one id where a store may be emptied. */
const minAtOnce = 3;

/**
 * The ids that creates gave while others were known, in order of sending. An id that was seen
 * before belongs to two items.
 */
export function givenIds(transcript: Transcript, resource: Resource): GivenId[] {
  // Somebody else may have emptied the store, so that ids begin again.
  const { seesAllCalls } = transcript.observer;
  const stays = seesAllCalls ? () => true : readStays(transcript, resource);
  const seen = new Map<string, ItemEvent>();
  const given: GivenId[] = [];
  let atOnce = 0;
  for (const event of eventsOf(transcript, resource).filter(tellsOfId)) {
    const { what, id, exchange } = event;
    const earlier = seen.get(id);
    if (what === 'shown') {
      seen.set(id, earlier ?? event);
      continue;
    }
    const isOfCreate = earlier?.what === 'created';
    if (isOfCreate && exchange.sentAt < earlier.exchange.endedAt) atOnce += 1;
    // A list that was in flight at the time may show the item that was just created.
    const isTaken =
      earlier !== undefined &&
      (isOfCreate || earlier.exchange.endedAt < exchange.sentAt) &&
      (atOnce >= minAtOnce || stays(earlier.exchange.endedAt, exchange.endedAt));
    if (seen.size > 0)
      given.push({ id, exchange, before: isTaken ? earlier.exchange.case.id : undefined });
    if (!isTaken) seen.set(id, event);
  }
  return given;
}

function tellsOfId({ what, exchange: { case: testCase } }: ItemEvent): boolean {
  const isShown = what === 'created' || (what === 'shown' && testCase.operation?.kind === 'list');
  return isShown && kinds.includes(testCase.purpose.kind);
}

/** The ids that a create gave although an item had them. */
export function sharedIds(transcript: Transcript, resource: Resource): Set<string> {
  return new Set(
    givenIds(transcript, resource).flatMap(({ id, before }) => (before === undefined ? [] : [id])),
  );
}
