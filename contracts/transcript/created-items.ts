import type { Resource } from '../../openapi/index.ts';
import type { Answered } from './exchange.ts';
import { idOf } from './ids.ts';
import { type Item, isSameText, itemIn, itemsOf, sentFields } from './items.ts';
import { neverFound } from './lost-items.ts';
import { ownIdOf } from './made.ts';
import { answeredFor, type Transcript } from './transcript.ts';

/** An item that a create answered with, and when, in Unix milliseconds. */
export type Created = { id: string; item: Item; endedAt: number };

/** The items that creates answered with, except those that are never found again. */
export function createdItems(transcript: Transcript, resource: Resource): Created[] {
  const lost = neverFound(transcript, resource);
  return answeredFor(transcript, 'create').flatMap((exchange) => {
    const { case: testCase, response, endedAt, made } = exchange;
    const isCreated = testCase.operation === resource.operations.create && response.status < 300;
    const item = isCreated && made?.whose !== 'others' ? itemIn(exchange) : undefined;
    const id = idOf(item, resource.idProperty);
    return item === undefined || id === undefined || lost.has(id) ? [] : [{ id, item, endedAt }];
  });
}

/** Values that a deployment sets or alters in the items of a collection, as its creates show. */
export type CreatedAs = {
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
): CreatedAs {
  const unsent: Item[] = [];
  const madeOtherwise = new Set<string>();
  for (const exchange of resource ? answeredFor(transcript, 'create') : []) {
    const isCreated =
      exchange.case.operation?.path === resource?.operations.create?.path &&
      exchange.response.status < 300;
    const item = isCreated ? itemIn(exchange) : undefined;
    if (!item) continue;
    const sent = sentFields(exchange, resource);
    unsent.push(Object.fromEntries(Object.entries(item).filter(([name]) => !(name in sent))));
    if (idOf(item, resource?.idProperty ?? 'id') !== id) continue;
    for (const [name, value] of Object.entries(sent))
      if (name in item && !isSameText(item[name], value)) madeOtherwise.add(name);
  }
  return { unsent, madeOtherwise };
}

/** A create that made an item of the run's own, with the fields that it sent. */
export type OwnCreate = {
  exchange: Answered;
  id: string;
  item: Item;
  sent: Readonly<Record<string, unknown>>;
};

/** The creates of a collection that each made an item of the run's own, and not just accepted it. */
export function ownCreates(transcript: Transcript, resource: Resource): OwnCreate[] {
  const { create } = resource.operations;
  return answeredFor(transcript, 'create').flatMap((exchange) => {
    const { made, response, case: testCase } = exchange;
    const id = ownIdOf(exchange) ?? (made?.isEchoed ? made.id : undefined);
    const isDone = testCase.operation === create && response.status !== 202;
    if (!isDone || id === undefined || !made?.item) return [];
    return [{ exchange, id, item: made.item, sent: sentFields(exchange, resource) }];
  });
}

/** Returns the items of the run's own that a list shows under another id alone. */
export function shownElsewhere(
  transcript: Transcript,
  resource: Resource,
  list: Answered,
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

/**
 * The creates of a collection that answered with an id and the marker that they sent, of which no read
 * or list showed that they made the item.
 */
export function unprovenCreates(transcript: Transcript, resource: Resource): OwnCreate[] {
  const { operations, idProperty } = resource;
  return answeredFor(transcript, 'create', 'invalid-create').flatMap((exchange) => {
    const { made, request, response, case: testCase } = exchange;
    const item = testCase.operation === operations.create ? itemIn(exchange) : undefined;
    const id = idOf(item, idProperty);
    const isOpen = made?.whose === 'unproven' && !made.isEchoed && response.status !== 202;
    if (!isOpen || !item || id === undefined || id !== made.id) return [];
    if (request.marker === undefined || !Object.values(item).includes(request.marker)) return [];
    return [{ exchange, id, item, sent: sentFields(exchange, resource) }];
  });
}
