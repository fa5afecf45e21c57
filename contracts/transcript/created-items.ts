import type { Resource } from '../../openapi/index.ts';
import type { Purpose } from '../cases/case.ts';
import type { Answered } from './exchange.ts';
import { idOf } from './ids.ts';
import { type Item, isSameText, itemsOf, sentFields } from './items.ts';
import { eventsOf, type Shown } from './ledger.ts';
import { ownIdOf } from './made.ts';
import type { Transcript } from './transcript.ts';

/** A create that was answered with an item, with the fields that it sent. */
export type Create = Shown & { sent: Readonly<Record<string, unknown>> };

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
    return [{ id, item, exchange, sent: sentFields(exchange, resource) }];
  });
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
    return [{ exchange, id, item: made.item, sent: sentFields(exchange, resource) }];
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
