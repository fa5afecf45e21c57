import { lastSegmentOf, parametersIn, shapeOf } from '../../common/path-template.ts';
import { valueAt } from '../../common/property-path.ts';
import type { Api, Operation, Resource } from '../../openapi/index.ts';
import { repeatedIn } from '../../openapi/model/id-form.ts';
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
  /** The segments of the path with which ids begin: `memos` of `memos/abc`. */
  start: readonly string[];
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
    const parameter = parametersIn(itemPath).at(-1) ?? '';
    const start = (resource && repeatedIn(itemPath, resource.idSchema)?.slice(0, -1)) ?? [];
    if (!resource || (key === undefined && start.length === 0 && !resource.callers)) return [];
    const isNeeded = shapeOf(itemPath) === shapeOf(path) || isCreated(resource);
    const readScopes = createReadScopes(resource, { path: itemPath });
    return [{ parameter, key, start, resource, readScopes, isNeeded }];
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
  if (key === undefined) {
    const above = start.map((one) => lastSegmentOf(params[one.slice(1, -1)] ?? one));
    const whole = [...above, ''].join('/');
    return text.startsWith(whole) ? text : whole + text;
  }
  const isAlias = key === alias;
  if (isAlias && parseInteger(text) !== undefined) return text;
  const found = await find({ [filterOf({ parameter: key, property: key })]: text });
  return found ?? (isAlias ? text : undefined);
}
