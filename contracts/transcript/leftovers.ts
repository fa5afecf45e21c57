import type { Operation, Resource } from '../../openapi/index.ts';
import { findResource } from '../../openapi/model/api.ts';
import { type Exchange, type Made, sentValue } from './exchange.ts';
import { idAsked, withoutQuery } from './ids.ts';
import { itemIn } from './items.ts';
import { showsSent } from './made.ts';
import type { Transcript } from './transcript.ts';

/** An item that a create of the run made; `path` is the path of the create. */
export type Created = Made & { operation: Operation; path: string; create: Exchange };

type Source = Pick<Transcript, 'document' | 'exchanges'>;

/**
 * Returns the items that creates of the run made and that still exist, each once. A create may have
 * been unintended.
 */
export function leftItems(source: Source): Created[] {
  const deleted = deletedKeys(source);
  const left = createsOf(source).flatMap((one): [string, Created][] => {
    const { operation, path, id, create } = one;
    const key = id === undefined ? String(create.number) : keyOf(source, operation, { id, path });
    return id !== undefined && deleted.has(key) ? [] : [[key, one]];
  });
  return [...new Map(left).values()];
}

function createsOf({ exchanges }: Source): Created[] {
  const calls = exchanges.flatMap((one) => [one, ...(one.creates ?? [])]);
  return calls.flatMap((create) => {
    const { made, request } = create;
    const { operation } = create.case;
    if (!made || !operation) return [];
    return [{ ...made, operation, path: withoutQuery(request.path), create }];
  });
}

/**
 * The items that the run deleted. A deployment may give the id to another item afterwards, which is
 * there; one that shows a deleted item all the same has deleted none.
 */
function deletedKeys(source: Source): ReadonlySet<string> {
  const created = new Map(
    createsOf(source).map(({ operation, id, path, create }) => [
      keyOf(source, operation, { id, path }),
      create,
    ]),
  );
  const deleted = new Set<string>();
  const working = new Set<Operation>();
  const showing = new Set<string | undefined>();
  for (const exchange of source.exchanges) {
    const { operation, purpose } = exchange.case;
    const { status = 500 } = exchange.response ?? {};
    // A 404 may come from a deployment that has no such operation.
    const isGone = [404, 410].includes(status) && operation !== undefined && working.has(operation);
    if (!operation || (status >= 300 && !isGone)) continue;
    const id = 'id' in purpose ? purpose.id : idAsked(exchange.request.path);
    const path = withoutQuery(exchange.request.path).split('/').slice(0, -1).join('/');
    const key = keyOf(source, operation, { id, path });
    const create = created.get(key);
    const isShown = operation.kind === 'read' && deleted.has(key) && create !== undefined;
    if (isShown && showsSent(itemIn(exchange), sentValue(create), isLong))
      showing.add(operation.resource);
    if (operation.kind !== 'delete') continue;
    working.add(operation);
    if (exchange.number > (create?.number ?? 0)) deleted.add(key);
  }
  const isKept = ({ operation }: Created) => showing.has(operation.resource);
  const kept = createsOf(source).filter(isKept);
  for (const { operation, id, path } of kept)
    deleted.delete(keyOf(source, operation, { id, path }));
  return deleted;
}

/** Whether a value is too long to be that of another item by chance. */
function isLong(value: unknown): boolean {
  return String(value).length >= 6;
}

/** Returns the key of an item; ids in nested collections may be unique per parent only. */
function keyOf(
  { document }: Source,
  operation: Operation,
  { id, path }: { id: string | undefined; path: string },
): string {
  const { scope } = findResource(document, operation) ?? {};
  return `${scope ? path : operation.resource} ${id}`;
}

/** The ids of the items of a collection that the run added and has not deleted, each once. */
export function keptIds(transcript: Source, { operations }: Resource): string[] {
  const ids = leftItems(transcript).flatMap(({ operation, id, whose }) =>
    operation === operations.create && whose !== 'others' && id !== undefined ? [id] : [],
  );
  return [...new Set(ids)];
}
