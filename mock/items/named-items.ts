import { shapeOf } from '../../common/path-template.ts';
import { valueAt } from '../../common/property-path.ts';
import type { Api, Operation, Resource } from '../../openapi/index.ts';
import { idFormOfText } from '../../openapi/model/id-form.ts';
import {
  findParentOf,
  isCreated,
  itemPathsOf,
  placementAt,
} from '../../openapi/model/placements.ts';
import { parseInteger, toIdText } from '../json/exact-json.ts';
import { createReadScopes, filterOf, type ReadScopes, toScopeFilters } from '../state/scopes.ts';
import type { Filters, ItemStore } from '../state/store.ts';
import { fieldsOf } from './stored-item.ts';

type Params = Readonly<Record<string, string>>;

/** A path parameter that names an item by another property than its id, or by the end of that. */
type NamedItem = {
  parameter: string;
  key: string | undefined;
  /** The collection, where ids begin with it: `memos/` of `memos/abc`; else empty. */
  start: string;
  resource: Resource;
  readScopes: ReadScopes | undefined;
  /** Whether there is nothing at the path without the item. */
  isNeeded: boolean;
};

/** The values of path parameters, with the ids of items in the place of other names. */
export async function toIds(
  document: Api,
  operation: Pick<Operation, 'path'>,
  { store, params }: { store: Pick<ItemStore, 'list'>; params: Params },
): Promise<Params> {
  const ids: Record<string, string> = { ...params };
  for (const one of findNamedItems(document, operation)) {
    const id = one.parameter in ids ? await findId(store, one, ids) : undefined;
    if (id !== undefined) ids[one.parameter] = id;
  }
  return ids;
}

/** The items that the parameters of a path name by other properties than their ids. */
export function findNamedItems(document: Api, { path }: Pick<Operation, 'path'>): NamedItem[] {
  return itemPathsOf(path).flatMap((itemPath): NamedItem[] => {
    const resource = findParentOf(document)(itemPath);
    const key = resource && placementAt(resource, itemPath)?.key;
    const [, start = '/', parameter = ''] = /([^/{}]+\/)?\{([^{}]+)\}$/.exec(itemPath) ?? [];
    const isStart = resource && idFormOfText(resource.idSchema)?.toText(1).startsWith(start);
    if (!resource || (key === undefined && !isStart && !resource.callers)) return [];
    const isNeeded = shapeOf(itemPath) === shapeOf(path) || isCreated(resource);
    const readScopes = createReadScopes(resource, { path: itemPath });
    return [{ parameter, key, start: isStart ? start : '', resource, readScopes, isNeeded }];
  });
}

/** The id of such an item; undefined where there is none. */
export async function findId(
  store: Pick<ItemStore, 'list'>,
  { parameter, key, start, resource, readScopes }: NamedItem,
  params: Params,
): Promise<string | undefined> {
  const { [parameter]: text = '' } = params;
  const { name, idProperty, alias, callers } = resource;
  const within = toScopeFilters(readScopes?.(params) ?? []);
  const find = async (filters: Filters) => {
    const [json] = await store.list(name, { filters: { ...within, ...filters }, limit: 1 });
    return json && toIdText(valueAt(fieldsOf(json), idProperty));
  };
  // Whoever calls is the first one.
  if (callers?.includes(text)) return (await find({})) ?? text;
  if (key === undefined) return text.startsWith(start) ? text : start + text;
  const isAlias = key === alias;
  if (isAlias && parseInteger(text) !== undefined) return text;
  const found = await find({ [filterOf({ parameter: key, property: key })]: text });
  return found ?? (isAlias ? text : undefined);
}
