import type { Api, Operation, Resource } from '../../openapi/index.ts';
import { findResource } from '../../openapi/model/api.ts';
import { rowOf } from '../../openapi/model/kinds.ts';
import { type Answered, type Exchange, isAnswered } from './exchange.ts';
import { idAsked, idOf, withoutQuery } from './ids.ts';
import { type Item, itemsIn } from './items.ts';
import type { Transcript } from './transcript.ts';

/** An answer that showed an item, and how. */
export type Shown = { id: string; item: Item; exchange: Answered };

/**
 * An event in the history of an item: `created` where a create answered with it, `shown` where
 * another answer did, `missing` where a read of it was answered with 404, or `deleted`.
 */
export type ItemEvent =
  | ({ what: 'created' | 'shown' } & Shown)
  | { what: 'missing' | 'deleted'; id: string; item?: never; exchange: Answered };

/** All that exchanges showed of an item, in their order. */
export type ItemRecord = { key: string; id: string; events: ItemEvent[] };

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

/** Knows what each exchange shows of an item. It is fed once with each, also while a run goes on. */
export class Ledger {
  readonly #document: Api;
  readonly #accounts = new Map<string, Account>();
  readonly #byId = new Map<string, ItemRecord[]>();
  /** The operations that have deleted something. */
  readonly #deleting = new Set<Operation>();

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

  feed(exchange: Exchange): void {
    const { operation, purpose } = exchange.case;
    const resource = findResource(this.#document, operation);
    if (!resource || !operation || !isAnswered(exchange)) return;
    const { events, records } = this.account(resource);
    const { path } = exchange.request;
    const note = (event: ItemEvent) => {
      const { id } = event;
      const key = keyOf(resource, path, id);
      const record = records.get(key) ?? { key, id, events: [] };
      if (!records.has(key)) this.#byId.set(id, [...this.recordsWithId(id), record]);
      records.set(key, record);
      events.push(event);
      record.events.push(event);
    };
    const { status } = exchange.response;
    const id = idAsked(path);
    const isDone = status < 300;
    const isKnown = records.has(keyOf(resource, path, id));
    if (status === 404 && purpose.kind === 'read' && isKnown)
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

/** Returns the answers of plain calls that showed an item, in order: these tell its state. */
export function plainlyShown(transcript: Transcript, resource: Resource): Shown[] {
  return shownBy({ events: eventsOf(transcript, resource) }, 'created', 'shown').filter(isPlain);
}

/** Whether an answer is that of a plain list, read or create, and not to a change or a probe. */
export function isPlain({ exchange: { case: one } }: Pick<Shown, 'exchange'>): boolean {
  return ['list', 'read', 'create', 'count'].includes(one.purpose.kind);
}

/** Returns what a transcript shows of each item of a collection that is followed. */
export function recordsOf(transcript: Transcript, resource: Resource): ItemRecord[] {
  const { records } = ledgerOf(transcript).account(resource);
  return [...records.values()].filter(
    (record, index) => index < maxFollowed || has(record, 'created'),
  );
}

/** Returns each answer that showed an item: of a create, of another operation, or of any. */
export function shownBy(
  { events }: { events: readonly ItemEvent[] },
  ...by: ('created' | 'shown')[]
): Shown[] {
  return events.filter(
    (one): one is ItemEvent & Shown => one.item !== undefined && by.includes(one.what),
  );
}

/** Whether something ever happened to an item. */
export function has({ events }: ItemRecord, what: ItemEvent['what']): boolean {
  return events.some((one) => one.what === what);
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
