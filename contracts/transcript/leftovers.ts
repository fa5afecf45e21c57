import { findResource, type Operation, type Resource } from '../description/document.ts';
import { isAnswered } from './exchange.ts';
import { idOf } from './ids.ts';
import { itemIn, itemsIn } from './items.ts';
import type { Transcript } from './transcript.ts';

/** An item that a create answered with; `path` is the one that it was sent to. */
type CreatedId = { operation: Operation; id: string; path: string };

/**
 * The items that creates answered with, asked for or not, except those that were seen before: a
 * deployment may answer with what is there already, which is not the run's own.
 */
export function createdIds({
  document,
  exchanges,
}: Pick<Transcript, 'document' | 'exchanges'>): CreatedId[] {
  const created = exchanges.flatMap((exchange) => {
    const { operation } = exchange.case;
    const resource = findResource(document, operation);
    const status = exchange.response?.status ?? 500;
    // Where a document describes 201 beside 200, this is for an item that is there.
    const describes = (text: string) => operation?.responses.some((one) => one.status === text);
    const isOld = status === 200 && describes('200') && describes('201');
    const isCreated = operation?.kind === 'create' && status < 300 && !isOld;
    const id = isCreated && resource ? idOf(itemIn(exchange), resource.idProperty) : undefined;
    const path = exchange.request.path.split('?')[0] as string;
    return id === undefined || !operation ? [] : [{ operation, id, path, sentAt: exchange.sentAt }];
  });
  const first = new Map<string, number>();
  for (const { operation, id, sentAt } of created.toReversed())
    first.set(`${operation.resource} ${id}`, sentAt);
  const before = new Set<string>();
  for (const exchange of exchanges.filter(isAnswered)) {
    const { operation } = exchange.case;
    const resource = findResource(document, operation);
    if (!resource || operation?.kind === 'create' || exchange.response.status >= 300) continue;
    for (const item of itemsIn(exchange)) {
      const key = `${resource.name} ${idOf(item, resource.idProperty)}`;
      if (exchange.endedAt <= (first.get(key) ?? Number.NEGATIVE_INFINITY)) before.add(key);
    }
  }
  return created
    .filter(({ operation, id }) => !before.has(`${operation.resource} ${id}`))
    .map(({ operation, id, path }) => ({ operation, id, path }));
}

/** Whether the run created the item that a create answered with, and it was not there before. */
export function isOwnId(
  transcript: Pick<Transcript, 'document' | 'exchanges'>,
  create: Operation,
  id: string,
): boolean {
  return createdIds(transcript).some((one) => one.operation === create && one.id === id);
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
