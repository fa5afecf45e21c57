import type { Api, Operation, Resource } from '../../openapi/index.ts';
import { findResource } from '../../openapi/model/api.ts';
import { rowOf } from '../../openapi/model/kinds.ts';
import type { Change } from '../cases/case.ts';
import { type Answer, type Exchange, isAnswered } from './exchange.ts';
import { type Item, idAsked, idOf, itemsIn, withoutQuery } from './items.ts';
import { type AnsweredFor, isAnsweredFor, type Transcript } from './transcript.ts';

/*
 * How the items of a target are followed, of which a suite sees no more than its answers show:
 *
 * - The ledger has a record of each item: the answers that created, showed, missed or deleted it, and
 *   the changes that were tried. It is fed with each exchange once, also while a run goes on.
 * - Everything else reads these records. `created-items.ts` tells which items creates made, which are
 *   never found and which ids were given twice; `whole-lists.ts` which lists show all that is there;
 *   `histories.ts` how items changed, and of which nothing is sure; `leftovers.ts` which ones are left.
 */

/** An answer that showed an item, and how. */
export type Sighting = { id: string; item: Item; exchange: Answer };

/**
 * An event in the history of an item: `created` where a create answered with it, `shown` where
 * another answer did, `missing` where a read of it was answered with 404, or `deleted`.
 */
export type ItemEvent =
  | ({ what: 'created' | 'shown' } & Sighting)
  | { what: 'missing' | 'deleted'; id: string; item?: never; exchange: Answer };

/** A change of an item that was tried, and the looks at the item until the next one. */
export type TriedChange = { change: AnsweredFor<'change'>; looks: AnsweredFor<'look'>[] };

/** All that exchanges showed of an item: the events of each kind, in order. */
export type ItemRecord = {
  key: string;
  id: string;
  created: Sighting[];
  shown: Sighting[];
  /** Each answer that showed it, whether of a create or not. */
  sightings: Sighting[];
  missing: Answer[];
  deleted: Answer[];
  changes: TriedChange[];
};

/** The events of a collection, and its items by key, in the order of their first event. */
type Account = { events: ItemEvent[]; records: Map<string, ItemRecord> };

/**
 * The maximum number of items that are followed, in addition to those that the run creates; nobody
 * can page through more.
 */
const maxFollowed = 2000;

/**
 * How long a created item may take to be seen everywhere, in milliseconds, where the target is seen
 * to need a moment.
 */
export const grace = 2500;

/** Knows what each exchange shows of an item. */
export class Ledger {
  readonly #document: Api;
  readonly #accounts = new Map<string, Account>();
  readonly #byId = new Map<string, ItemRecord[]>();
  /** The operations that have deleted something. */
  readonly #deleting = new Set<Operation>();
  /** The last change of each item by its id: a list may be at another path than the item. */
  readonly #lastChanges = new Map<string, TriedChange>();

  constructor(document: Api) {
    this.#document = document;
  }

  /** Returns what is known of a collection, below all parents if it is nested. */
  account({ name }: Resource): Account {
    const known = this.#accounts.get(name) ?? { events: [], records: new Map() };
    this.#accounts.set(name, known);
    return known;
  }

  /** Returns the record of an item with an id, in the collection that a path is of. */
  record(resource: Resource, path: string, id: string): ItemRecord | undefined {
    return this.account(resource).records.get(keyOf(resource, path, id));
  }

  /** Returns the records of all items with an id, whatever their collection. */
  recordsWithId(id: string): readonly ItemRecord[] {
    return this.#byId.get(id) ?? [];
  }

  /** Returns the records of the items of a collection with an id, below whatever parent. */
  recordsOf(resource: Resource, id: string): readonly ItemRecord[] {
    const { records } = this.account(resource);
    return this.recordsWithId(id).filter(({ key }) => records.has(key));
  }

  /** Returns the changes that were tried, in order. */
  changes(): TriedChange[] {
    return [...this.#accounts.values()]
      .flatMap(({ records }) => [...records.values()].flatMap(({ changes }) => changes))
      .toSorted((left, right) => left.change.number - right.change.number);
  }

  feed(exchange: Exchange): void {
    const { operation, purpose } = exchange.case;
    const resource = findResource(this.#document, operation);
    if (!resource || !operation || !isAnswered(exchange)) return;
    const path = pathAsked(exchange);
    const { status } = exchange.response;
    const id = idAsked(exchange);
    const isDone = status < 300;
    const note = (event: ItemEvent) => this.#note(resource, event);
    if (status === 404 && purpose.kind === 'read' && this.record(resource, path, id))
      note({ what: 'missing', id, exchange });
    if (operation.kind === 'delete' && isDone) this.#deleting.add(operation);
    // A 404 may come from a deployment that has no such operation.
    const isGone = [404, 410].includes(status) && this.#deleting.has(operation);
    if (operation.kind === 'delete' && (isDone || isGone)) note({ what: 'deleted', id, exchange });
    const what = rowOf(operation.kind).adds ? 'created' : 'shown';
    for (const item of isDone ? itemsIn(exchange) : []) {
      const id = idOf(item, resource.idProperty);
      if (id !== undefined) note({ what, id, item, exchange });
    }
    if (isAnsweredFor(exchange, 'change')) {
      const { id } = exchange.case.purpose;
      const change = { change: exchange, looks: [] };
      this.#open(resource, path, id).changes.push(change);
      this.#lastChanges.set(`${resource.name} ${id}`, change);
    } else if (isAnsweredFor(exchange, 'look')) {
      const { id, after } = exchange.case.purpose;
      const last = this.#lastChanges.get(`${resource.name} ${id}`);
      if (last && last.change.case.purpose.how === after) last.looks.push(exchange);
    }
  }

  #note(resource: Resource, event: ItemEvent): void {
    const { id, exchange } = event;
    const record = this.#open(resource, pathAsked(exchange), id);
    this.account(resource).events.push(event);
    if (event.item === undefined) record[event.what].push(exchange);
    else {
      record[event.what].push(event);
      record.sightings.push(event);
    }
  }

  /** Returns the record of an item, a new one where nothing is known of it. */
  #open(resource: Resource, path: string, id: string): ItemRecord {
    const known = this.record(resource, path, id);
    if (known) return known;
    const key = keyOf(resource, path, id);
    const seen = { created: [], shown: [], sightings: [], missing: [], deleted: [] };
    const record = { key, id, ...seen, changes: [] };
    this.account(resource).records.set(key, record);
    this.#byId.set(id, [...this.recordsWithId(id), record]);
    return record;
  }
}

const ledgers = new WeakMap<readonly Exchange[], { ledger: Ledger; fed: number }>();

/** Returns the ledger of a transcript, with all exchanges that there are by now. */
export function ledgerOf({
  document,
  exchanges,
}: Pick<Transcript, 'document' | 'exchanges'>): Ledger {
  const known = ledgers.get(exchanges) ?? { ledger: new Ledger(document), fed: 0 };
  ledgers.set(exchanges, known);
  for (const exchange of exchanges.slice(known.fed)) known.ledger.feed(exchange);
  known.fed = exchanges.length;
  return known.ledger;
}

/** Returns what happened to the items of a collection, in order. */
export function eventsOf(transcript: Transcript, resource: Resource): readonly ItemEvent[] {
  return ledgerOf(transcript).account(resource).events;
}

/** Returns what a transcript shows of each item of a collection that is followed. */
export function recordsOf(transcript: Transcript, resource: Resource): ItemRecord[] {
  const { records } = ledgerOf(transcript).account(resource);
  return [...records.values()].filter(
    ({ created }, index) => index < maxFollowed || created.length > 0,
  );
}

/** Returns the answers of plain calls that showed an item, in order: these tell its state. */
export function plainSightings(transcript: Transcript, resource: Resource): Sighting[] {
  return eventsOf(transcript, resource).filter(
    (one): one is ItemEvent & Sighting => one.item !== undefined && isPlain(one),
  );
}

/** Whether an answer is that of a plain list, read or create, and not to a change or a probe. */
export function isPlain({ exchange: { case: one } }: Pick<Sighting, 'exchange'>): boolean {
  return ['list', 'read', 'create', 'count'].includes(one.purpose.kind);
}

/** Whether a target has had time to show an item everywhere since it was created, if it was. */
export function isSettled({ created }: Pick<ItemRecord, 'created'>, instant: number): boolean {
  const last = created.at(-1);
  return last === undefined || instant >= last.exchange.endedAt + grace;
}

/** Whether a call showed an item that was sent after an instant; calls may overtake each other. */
export function isSeenAfter(sightings: readonly Sighting[], instant: number): boolean {
  return sightings.some(({ exchange }) => exchange.sentAt > instant);
}

/** Whether a change may still have to be made: it was only accepted. */
export function isOnlyAccepted({ response: { status } }: Answer): boolean {
  return status === 202;
}

/**
 * Returns the changes of a kind that were answered with a success, each with the last look at the
 * same path afterwards. Those that are only accepted may be made later: `withAccepted` has them too.
 */
export function madeChanges(
  transcript: Transcript,
  how: Change,
  { withAccepted = false } = {},
): TriedChange[] {
  return ledgerOf(transcript)
    .changes()
    .filter(
      ({ change }) =>
        change.case.purpose.how === how &&
        change.response.status < 300 &&
        (withAccepted || !isOnlyAccepted(change)),
    )
    .map(({ change, looks }) => ({
      change,
      looks: [...new Map(looks.map((look) => [look.request.path, look])).values()],
    }));
}

/** The path that a call is of: that of its item's collection where the item is at another one. */
export function pathAsked({ request, case: { of } }: Exchange): string {
  return of?.path ?? request.path;
}

/** Returns the key of an item: in a nested collection an id may be unique per parent only. */
export function keyOf(resource: Resource, path: string, id: string): string {
  return `${resource.scope ? collectionPath(resource, path) : resource.name} ${id}`;
}

/** The path of a collection, with the values that a path at or below it has for its parameters. */
export function collectionPath({ path: template }: Pick<Resource, 'path'>, path: string): string {
  const segments = withoutQuery(path).split('/');
  return template
    .split('/')
    .map((part, index) => (part.includes('{') ? segments[index] : part))
    .join('/');
}
