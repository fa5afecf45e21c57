import type { Api, Operation, Resource } from '../../../openapi/index.ts';
import { isOnCollection } from '../../../openapi/model/kinds.ts';
import { createFindParent, itemPathsOf } from '../../../openapi/model/placements.ts';
import { idParameterOf } from '../../../openapi/model/resource.ts';
import { toIds } from '../../items/named-items.ts';
import { type FoundItem, findInScopes } from '../../items/stored-item.ts';
import { createReadScopes } from '../../state/scopes.ts';
import type { ItemStore } from '../../state/store.ts';

type Params = Readonly<Record<string, string>>;

/** An item that the path of an operation names: its collection, and how it is found. */
export type ItemInPath = {
  resource: Resource;
  find: (store: ItemStore, params: Params) => Promise<FoundItem | undefined>;
};

/** The item that an operation is about, and the one that this is below; undefined where there is none. */
export function itemsInPath(
  document: Api,
  operation: Operation,
): { item: ItemInPath | undefined; parent: ItemInPath | undefined } {
  const paths = itemPathsOf(operation.path);
  const isOnItem = !isOnCollection(operation.kind);
  const [item, parent] = isOnItem ? [paths.at(-1), paths.at(-2)] : [undefined, paths.at(-1)];
  return {
    item: item === undefined ? undefined : itemAt(document, operation, item),
    parent: parent === undefined ? undefined : itemAt(document, operation, parent),
  };
}

function itemAt(document: Api, operation: Operation, itemPath: string): ItemInPath | undefined {
  const resource = createFindParent(document.resources)(itemPath);
  if (!resource) return undefined;
  const at = { ...operation, path: itemPath };
  const readScopes = createReadScopes(resource, at);
  const parameter = idParameterOf(at) ?? '';
  return {
    resource,
    async find(store, params) {
      const ids = await toIds(document, at, { store, params });
      const id = ids[parameter];
      if (id === undefined) return undefined;
      return findInScopes(store, resource, { id, values: readScopes?.(ids) ?? [] });
    },
  };
}
