import { shapeOf } from '../../contracts/description/collections/places.ts';
import {
  createFindParent,
  isCreated,
  itemPathsOf,
  placementAt,
} from '../../contracts/description/collections/scopes.ts';
import type { ApiDocument, Operation, Resource } from '../../contracts/description/document.ts';
import { valueAt } from '../../contracts/description/property-path.ts';
import { toStatedErrorAnswer } from '../answers/answer.ts';
import { toShownPath } from '../answers/shown-path.ts';
import { missingStatusOf } from '../documented/responses.ts';
import { fieldsOf } from '../items/stored-item.ts';
import { oncePer } from '../json/once-per.ts';
import { createReadScopes, filterOf, type ReadScopes, toScopeFilters } from '../state/scopes.ts';
import type { Store } from '../state/store.ts';
import type { Behaviour } from './behaviour.ts';

type Params = Readonly<Record<string, string>>;

/** A path parameter that names an item by another property than its id. */
type NamedItem = {
  parameter: string;
  key: string;
  resource: Resource;
  readScopes: ReadScopes | undefined;
  /** Whether there is nothing at the path without the item. */
  isNeeded: boolean;
};

/**
 * Gives a behaviour the ids of the items that parameters name by other properties, such as that of
 * the repository at `/repos/{owner}/{repo}`. The answer is 404 where there is none.
 */
export function withNamedItems(
  behaviour: Behaviour,
  { document, operation }: { document: ApiDocument; operation: Operation },
): Behaviour {
  const named = findNamedItems(document, operation);
  if (named.length === 0) return behaviour;
  const missing = missingStatusOf(operation);
  return async (call) => {
    const params: Record<string, string> = { ...call.params };
    for (const one of named) {
      const id = await findId(call.store, one, params);
      if (id === undefined && one.isNeeded)
        return toStatedErrorAnswer(
          'not_found',
          `There is nothing at ${toShownPath(call.url)}: ${one.resource.name} has no such item.`,
          missing,
        );
      params[one.parameter] = id ?? params[one.parameter] ?? '';
    }
    return behaviour({ ...call, params });
  };
}

/** The values of path parameters, with the ids of items in the place of other names. */
export async function toIds(
  document: ApiDocument,
  operation: Pick<Operation, 'path'>,
  { store, params }: { store: Pick<Store, 'list'>; params: Params },
): Promise<Params> {
  const ids: Record<string, string> = { ...params };
  for (const one of findNamedItems(document, operation)) {
    const id = one.parameter in ids ? await findId(store, one, ids) : undefined;
    if (id !== undefined) ids[one.parameter] = id;
  }
  return ids;
}

const findParentOf = oncePer(({ resources }: ApiDocument) => createFindParent(resources));

function findNamedItems(document: ApiDocument, { path }: Pick<Operation, 'path'>): NamedItem[] {
  return itemPathsOf(path).flatMap((itemPath): NamedItem[] => {
    const resource = findParentOf(document)(itemPath);
    const key = resource && placementAt(resource, itemPath)?.key;
    if (!resource || key === undefined) return [];
    const parameter = /\{([^{}]+)\}$/.exec(itemPath)?.[1] ?? '';
    const isNeeded = shapeOf(itemPath) === shapeOf(path) || isCreated(resource);
    const readScopes = createReadScopes(resource, { path: itemPath });
    return [{ parameter, key, resource, readScopes, isNeeded }];
  });
}

async function findId(
  store: Pick<Store, 'list'>,
  { parameter, key, resource: { name, idProperty }, readScopes }: NamedItem,
  params: Params,
): Promise<string | undefined> {
  const filters = {
    ...toScopeFilters(readScopes?.(params) ?? []),
    [filterOf({ parameter: key, property: key })]: params[parameter] ?? '',
  };
  const [json] = await store.list(name, { filters, limit: 1 });
  return json && String(valueAt(fieldsOf(json), idProperty));
}
