import { shapeOf, withoutSlash } from '../../contracts/description/collections/places.ts';
import {
  type ApiDocument,
  findResource,
  type Operation,
  type Parameter,
  type Resource,
} from '../../contracts/description/document.ts';
import { valueAt } from '../../contracts/description/property-path.ts';
import { type ByteText, toText } from '../json/byte-text.ts';
import { parseExact } from '../json/exact-json.ts';
import { createReadScopes, toScopeFilters } from '../state/scopes.ts';
import type { Store } from '../state/store.ts';

/**
 * Finds the value of a path parameter that names an item that the store holds, below the items that
 * the parameters before it name, or that the items of a nested collection begin with. Undefined
 * where it names neither.
 */
export type FindStoredValue = (
  operation: Operation,
  parameter: Parameter,
  before: Readonly<Record<string, string>>,
) => Promise<string | undefined>;

/** Makes what finds the values of path parameters in a store. */
export function createFindStoredValue(
  document: ApiDocument,
  store: Pick<Store, 'get' | 'list'>,
): FindStoredValue {
  const findByItemPath = (itemPath: string): Resource | undefined =>
    document.resources.find(({ operations }) =>
      Object.values(operations).some(
        ({ path }) => withoutSlash(path).endsWith('}') && shapeOf(path) === shapeOf(itemPath),
      ),
    );
  return async (operation, { name, examples }, before) => {
    const { path, kind } = operation;
    const inBraces = `{${name}}`;
    const itemPath = path.slice(0, path.indexOf(inBraces) + inBraces.length);
    const resource = findByItemPath(itemPath);
    if (!resource) return exampleOfScope(document, operation, name);
    const readScopes = createReadScopes(resource, { path: itemPath });
    const filters = readScopes ? toScopeFilters(readScopes(before)) : {};
    // What is deleted is another item, so that the calls work in any order.
    const [first, second] = await store.list(resource.name, { filters, limit: 2 });
    if (kind === 'delete' && itemPath === path && second) return idOf(resource, second);
    if (!readScopes)
      for (const example of Object.values(examples))
        if (await store.get(resource.name, String(example))) return String(example);
    return first && idOf(resource, first);
  };
}

function exampleOfScope(
  document: ApiDocument,
  operation: Operation,
  name: string,
): string | undefined {
  const { scope = [], views = [] } = findResource(document, operation) ?? {};
  const scopes = [...scope, ...views.flatMap((view) => view.scope)];
  return scopes.find(({ parameter }) => parameter === name)?.example;
}

function idOf({ idProperty }: Resource, json: ByteText): string {
  const item = parseExact(toText(json)).value as Record<string, unknown>;
  return String(valueAt(item, idProperty));
}
