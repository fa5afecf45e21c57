import type { Api, Resource } from '../../openapi/index.ts';
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
export type ItemRecord = { id: string; events: ItemEvent[] };

/** The events of a collection in order, and its items by id, in the order of their first event. */
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

  constructor(document: Api) {
    this.#document = document;
  }

  /** Returns what is known of a collection; of a nested one, of that at a path. */
  account(resource: Resource, path = ''): Account {
    const base = baseOf(resource, path);
    const known = this.#accounts.get(base) ?? { events: [], records: new Map() };
    this.#accounts.set(base, known);
    return known;
  }

  /** Returns the collections that have an item with an id, each with what is known of the item. */
  basesOf(id: string): { base: string; record: ItemRecord }[] {
    return [...this.#accounts].flatMap(([base, { records }]) => {
      const record = records.get(id);
      return record ? [{ base, record }] : [];
    });
  }

  feed(exchange: Exchange): void {
    const { operation, purpose } = exchange.case;
    const resource = findResource(this.#document, operation);
    if (!resource || !operation || !isAnswered(exchange)) return;
    const { status } = exchange.response;
    const { events, records } = this.account(resource, exchange.request.path);
    const note = (event: ItemEvent) => {
      events.push(event);
      records.get(event.id)?.events.push(event);
    };
    const id = idAsked(exchange.request.path);
    const isMissing = status === 404 && purpose.kind === 'read';
    if (isMissing && records.has(id)) note({ what: 'missing', id, exchange });
    if (status >= 300) return;
    if (operation.kind === 'delete' && records.has(id)) note({ what: 'deleted', id, exchange });
    const what = rowOf(operation.kind).adds ? 'created' : 'shown';
    const items = new Map(itemsIn(exchange).map((item) => [idOf(item, resource.idProperty), item]));
    for (const [id, item] of items) {
      if (id === undefined) continue;
      if (!records.has(id)) records.set(id, { id, events: [] });
      note({ what, id, item, exchange });
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

/** Returns what a transcript shows of each item of a collection that is followed. */
export function recordsOf(transcript: Transcript, resource: Resource): ItemRecord[] {
  const { records } = ledgerOf(transcript).account(resource);
  return [...records.values()].filter(
    (record, index) => index < maxFollowed || has(record, 'created'),
  );
}

/** Returns each answer that showed an item: of a create, of another operation, or of any. */
export function shownBy(
  { events }: Pick<ItemRecord, 'events'>,
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

/** The collection that a path is of: with the values of its parameters, where it has any. */
export function baseOf(resource: Resource, path: string): string {
  return resource.scope ? collectionPath(resource, path) : resource.name;
}

/** The path of a collection, with the values that a path at or below it has for its parameters. */
export function collectionPath({ path: template }: Pick<Resource, 'path'>, path: string): string {
  const segments = withoutQuery(path).split('/');
  return template
    .split('/')
    .map((part, index) => (part.includes('{') ? segments[index] : part))
    .join('/');
}
