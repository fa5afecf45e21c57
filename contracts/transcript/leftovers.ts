import type { Operation, Resource } from '../../openapi/index.ts';
import { findResource } from '../../openapi/model/api.ts';
import { type Exchange, type MadeItem, sentValue } from './exchange.ts';
import { withoutQuery } from './items.ts';
import { keyOf, ledgerOf } from './ledger.ts';
import { showsSent } from './made.ts';
import type { Transcript } from './transcript.ts';

/** An item that a create of the run made; `path` is the path of the create. */
export type CreatedItem = MadeItem & { operation: Operation; path: string; create: Exchange };

type Source = Pick<Transcript, 'document' | 'exchanges'>;

/**
 * Returns the items that creates of the run made and that still exist, each once. A create may have
 * been unintended.
 */
export function leftItems(source: Source): CreatedItem[] {
  const created = [...createdByKey(source).values()];
  const isShown = (one: CreatedItem) => stateOf(source, one) === 'shown';
  const showing = new Set(created.filter(isShown).map(({ operation }) => operation.resource));
  return created.filter(
    (one) => showing.has(one.operation.resource) || stateOf(source, one) === 'there',
  );
}

/** The last create of each item; each item without an id, or of no collection, has its own. */
function createdByKey({ document, exchanges }: Source): Map<string, CreatedItem> {
  const calls = exchanges.flatMap((one) => [one, ...(one.creates ?? [])]);
  return new Map(
    calls.flatMap((create): [string, CreatedItem][] => {
      const { made, request, number } = create;
      const { operation } = create.case;
      const resource = findResource(document, operation);
      if (!made || !operation) return [];
      const path = withoutQuery(request.path);
      const key =
        resource && made.id !== undefined ? keyOf(resource, path, made.id) : `${number} ${made.id}`;
      return [[key, { ...made, operation, path, create }]];
    }),
  );
}

/**
 * Tells whether an item is still there: `shown` where a read shows it although it was deleted, as a
 * deployment that shows one such item has deleted none. A deployment may also give the id of a deleted
 * item to another one, which is there.
 */
function stateOf(
  source: Source,
  { operation, path, id, create }: CreatedItem,
): 'there' | 'deleted' | 'shown' {
  const resource = findResource(source.document, operation);
  const record = resource && id !== undefined && ledgerOf(source).record(resource, path, id);
  const { deleted = [], sightings = [] } = record || {};
  const deletion = deleted.findLast(({ number }) => number > create.number);
  if (!deletion) return 'there';
  const isShown = sightings.some(
    ({ item, exchange }) =>
      exchange.number > deletion.number &&
      exchange.case.operation?.kind === 'read' &&
      showsSent(item, sentValue(create), isLong),
  );
  return isShown ? 'shown' : 'deleted';
}

/** Whether a value is too long to be that of another item by chance. */
export function isLong(value: unknown): boolean {
  return String(value).length >= 6;
}

/** The ids of the items of a collection that the run added and has not deleted, each once. */
export function keptIds(transcript: Source, { operations }: Resource): string[] {
  const ids = leftItems(transcript).flatMap(({ operation, id, whose }) =>
    operation === operations.create && whose !== 'others' && id !== undefined ? [id] : [],
  );
  return [...new Set(ids)];
}
