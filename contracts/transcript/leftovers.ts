import { findResource, type Operation, type Resource } from '../description/document.ts';
import { idOf } from './ids.ts';
import { itemIn } from './items.ts';
import type { Transcript } from './transcript.ts';

/** An item that a create answered with; `path` is the one that it was sent to. */
type CreatedId = { operation: Operation; id: string; path: string };

/** The items that creates answered with, asked for or not. */
export function createdIds({
  document,
  exchanges,
}: Pick<Transcript, 'document' | 'exchanges'>): CreatedId[] {
  return exchanges.flatMap((exchange) => {
    const { operation } = exchange.case;
    const resource = findResource(document, operation);
    const isCreated = operation?.kind === 'create' && (exchange.response?.status ?? 500) < 300;
    const id = isCreated && resource ? idOf(itemIn(exchange), resource.idProperty) : undefined;
    const path = exchange.request.path.split('?')[0] as string;
    return id === undefined || !operation ? [] : [{ operation, id, path }];
  });
}

/** The items that the run deleted: the resource and the id. */
export function deletedIds({ exchanges }: Pick<Transcript, 'exchanges'>): ReadonlySet<string> {
  return new Set(
    exchanges.flatMap(({ case: { operation, purpose }, response }) => {
      const isDeletion = operation?.kind === 'delete' && 'id' in purpose;
      // A 404 may come from a deployment that has no such operation.
      const isDone = (response?.status ?? 500) < 300;
      return isDeletion && isDone ? [`${operation.resource} ${purpose.id}`] : [];
    }),
  );
}

/** The ids of the items of a collection that the run created and has not deleted, each once. */
export function keptIds(
  transcript: Pick<Transcript, 'document' | 'exchanges'>,
  { name, operations }: Resource,
): string[] {
  const deleted = deletedIds(transcript);
  const ids = createdIds(transcript).flatMap(({ operation, id }) =>
    operation === operations.create && !deleted.has(`${name} ${id}`) ? [id] : [],
  );
  return [...new Set(ids)];
}
