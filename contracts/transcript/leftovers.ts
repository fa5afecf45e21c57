import { findResource, type Operation, type Resource } from '../description/document.ts';
import { isAnswered } from './exchange.ts';
import { idAsked, idOf } from './ids.ts';
import { itemIn, itemsIn } from './items.ts';
import type { Transcript } from './transcript.ts';

/** An item that a create answered with; `path` is the one that it was sent to. */
type CreatedId = { operation: Operation; id: string; path: string };

type Source = Pick<Transcript, 'document' | 'exchanges'>;

/** What creates answered with, asked for or not, and whether that was there before. */
function createsOf({ document, exchanges }: Source) {
  return exchanges.flatMap((exchange) => {
    const { operation } = exchange.case;
    const resource = findResource(document, operation);
    const status = exchange.response?.status ?? 500;
    // Where a document describes 201 beside 200, this is for an item that is there.
    const describes = (text: string) => operation?.responses.some((one) => one.status === text);
    const isOld = status === 200 && describes('200') && describes('201');
    const isCreated = operation?.kind === 'create' && status < 300 && !isOld;
    const id = isCreated && resource ? idOf(itemIn(exchange), resource.idProperty) : undefined;
    const path = exchange.request.path.split('?')[0] as string;
    if (id === undefined || !operation) return [];
    const { sentAt, number } = exchange;
    return [{ operation, id, path, sentAt, number, key: `${operation.resource} ${id}` }];
  });
}

/**
 * The items that creates answered with, asked for or not, each once, except those that were seen
 * before: a deployment may answer with what is there already, which is not the run's own.
 */
export function createdIds(source: Source): CreatedId[] {
  const created = createsOf(source);
  const first = new Map(created.toReversed().map(({ key, sentAt }) => [key, sentAt]));
  const before = new Set<string>();
  for (const exchange of source.exchanges.filter(isAnswered)) {
    const { operation } = exchange.case;
    const resource = findResource(source.document, operation);
    if (!resource || operation?.kind === 'create' || exchange.response.status >= 300) continue;
    for (const item of itemsIn(exchange)) {
      const key = `${resource.name} ${idOf(item, resource.idProperty)}`;
      if (exchange.endedAt <= (first.get(key) ?? Number.NEGATIVE_INFINITY)) before.add(key);
    }
  }
  const own = created
    .filter(({ key }) => !before.has(key))
    .map(({ operation, id, path }): [string, CreatedId] => [
      `${operation.id} ${path} ${id}`,
      { operation, id, path },
    ]);
  return [...new Map(own).values()];
}

/** Whether the run created the item that a create answered with, and it was not there before. */
export function isOwnId(transcript: Source, create: Operation, id: string): boolean {
  return createdIds(transcript).some((one) => one.operation === create && one.id === id);
}

/**
 * The items that the run deleted: the resource and the id. A deployment may give the id to another
 * item afterwards, which is there.
 */
export function deletedIds(source: Source): ReadonlySet<string> {
  const created = new Map(createsOf(source).map(({ key, number }) => [key, number]));
  return new Set(
    source.exchanges.flatMap(({ case: { operation, purpose }, request, response, number }) => {
      // A 404 may come from a deployment that has no such operation.
      const isDone = (response?.status ?? 500) < 300;
      if (operation?.kind !== 'delete' || !isDone) return [];
      const isWithoutKey = purpose.kind === 'credential';
      const id = 'id' in purpose ? purpose.id : isWithoutKey ? idAsked(request.path) : undefined;
      const key = `${operation.resource} ${id}`;
      return id !== undefined && number > (created.get(key) ?? 0) ? [key] : [];
    }),
  );
}

/** The ids of the items of a collection that the run created and has not deleted, each once. */
export function keptIds(transcript: Source, { name, operations }: Resource): string[] {
  const deleted = deletedIds(transcript);
  const ids = createdIds(transcript).flatMap(({ operation, id }) =>
    operation === operations.create && !deleted.has(`${name} ${id}`) ? [id] : [],
  );
  return [...new Set(ids)];
}
