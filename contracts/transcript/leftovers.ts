import type { Operation, Resource } from '../description/document.ts';
import type { Exchange, Made } from './exchange.ts';
import { idAsked } from './ids.ts';
import type { Transcript } from './transcript.ts';

/** What a create of the run made; `path` is the one that it was sent to. */
export type Created = Made & { operation: Operation; path: string; create: Exchange };

type Source = Pick<Transcript, 'document' | 'exchanges'>;

/** What creates of the run made and is still there, asked for or not, each once. */
export function leftItems(source: Source): Created[] {
  const deleted = deletedIds(source);
  const left = createsOf(source).flatMap((one): [string, Created][] => {
    const { operation, path, id, create } = one;
    const isGone = id !== undefined && deleted.has(keyOf(operation, id));
    const key = id === undefined ? String(create.number) : `${operation.id} ${path} ${id}`;
    return isGone ? [] : [[key, one]];
  });
  return [...new Map(left).values()];
}

function createsOf({ exchanges }: Source): Created[] {
  return exchanges.flatMap((create) => {
    const { made, request } = create;
    const { operation } = create.case;
    if (!made || !operation) return [];
    return [{ ...made, operation, path: request.path.split('?')[0] as string, create }];
  });
}

/**
 * The items that the run deleted: the resource and the id. A deployment may give the id to another
 * item afterwards, which is there; one that shows a deleted item all the same has deleted none.
 */
function deletedIds(source: Source): ReadonlySet<string> {
  const created = new Map(
    createsOf(source).map(({ operation, id, create }) => [keyOf(operation, id), create.number]),
  );
  const deleted = new Set<string>();
  const showing = new Set<string>();
  for (const { case: one, request, response, number } of source.exchanges) {
    const { operation, purpose } = one;
    // A 404 may come from a deployment that has no such operation.
    if (!operation || (response?.status ?? 500) >= 300) continue;
    const key = keyOf(operation, 'id' in purpose ? purpose.id : idAsked(request.path));
    if (operation.kind === 'read' && deleted.has(key)) showing.add(String(operation.resource));
    if (operation.kind === 'delete' && number > (created.get(key) ?? 0)) deleted.add(key);
  }
  const isShown = (key: string) => showing.has(key.slice(0, key.lastIndexOf(' ')));
  return new Set([...deleted].filter((key) => !isShown(key)));
}

function keyOf({ resource }: Operation, id: string | undefined): string {
  return `${resource} ${id}`;
}

/** The ids of the items of a collection that the run added and has not deleted, each once. */
export function keptIds(transcript: Source, { operations }: Resource): string[] {
  const ids = leftItems(transcript).flatMap(({ operation, id, whose }) =>
    operation === operations.create && whose !== 'others' && id !== undefined ? [id] : [],
  );
  return [...new Set(ids)];
}
