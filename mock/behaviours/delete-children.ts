import { idParameterOf } from '../../contracts/description/collections/resource.ts';
import type { ApiDocument, Operation, Resource } from '../../contracts/description/document.ts';
import { valueAt } from '../../contracts/description/property-path.ts';
import { toErrorAnswer } from '../answers/answer.ts';
import { toShownPath } from '../answers/shown-path.ts';
import { toScopedStore } from '../items/scoped-store.ts';
import { noBytes, parseExact, toText } from '../json/exact-json.ts';
import { createReadScopes, filterOf, scopesOf, toScopeFilters } from '../state/scopes.ts';
import type { Filters, Store } from '../state/store.ts';
import type { Behaviour, Call, ItemOperation } from './behaviour.ts';
import { createItemAnswers, type ItemOptions } from './item-answers.ts';

/** What becomes of the items below one that is deleted: they are deleted too, or it stays. */
export const parentDeletions = ['cascade', 'refuse'] as const;
export type ParentDeletion = (typeof parentDeletions)[number];

/** A collection of items below those of another, and the filter that finds those of one of them. */
type Child = { resource: Resource; filter: string };

type DeleteOptions = ItemOperation & { onDeleteParent: ParentDeletion };

/** Lets a delete take the items of nested collections along, or refuses it where there are any. */
export function withChildrenDeleted(behaviour: Behaviour, options: DeleteOptions): Behaviour {
  const { document, resource, operation, onDeleteParent } = options;
  if (operation.kind !== 'delete') return behaviour;
  const children = findChildren(document, resource);
  const parameter = idParameterOf(operation);
  if (!hasBelow(document, resource) || parameter === undefined) return behaviour;
  const readScopes = createReadScopes(resource, operation);
  const seen = ({ store, params }: Call) =>
    toScopedStore(store, resource, { values: readScopes?.(params) ?? [], members: {} });
  return async (call) => {
    const { store, params, url } = call;
    const id = params[parameter] ?? '';
    // What is not to be seen here has no children either.
    const outer = toScopeFilters(readScopes?.(params) ?? []);
    if (onDeleteParent === 'refuse' && (await seen(call).get(resource.name, id)) !== undefined) {
      const name = await findFirst(store, children, { id, outer });
      if (name !== undefined)
        return toErrorAnswer(
          'has_children',
          `${toShownPath(url)} has items of ${name}. Delete these first.`,
        );
    }
    const answer = await behaviour(call);
    if (answer.status < 300)
      await removeChildren(store, document, { parent: resource, id, outer, visited: new Set() });
    return answer;
  };
}

function findChildren({ resources }: ApiDocument, parent: Resource): Child[] {
  return findBelow(resources, parent);
}

/** The single objects below an item, which cannot be deleted by themselves. */
function findSingletons({ singletons }: ApiDocument, parent: Resource): Child[] {
  return findBelow(singletons, parent);
}

function hasBelow(document: ApiDocument, parent: Resource): boolean {
  return [findChildren, findSingletons].some((find) => find(document, parent).length > 0);
}

function findBelow(all: readonly Resource[], parent: Resource): Child[] {
  return all.flatMap((resource) =>
    scopesOf(resource)
      .filter((scope) => scope.parent === parent.name)
      .map((scope) => ({ resource, filter: filterOf(scope) })),
  );
}

/** An item by its id, and the scopes that it is in itself. */
type Above = { id: string; outer: Filters };

/** What finds the items below one: they are in its scopes too, as far as their path has these. */
function filtersBelow({ resource, filter }: Child, { id, outer }: Above): Filters {
  const known = new Set((resource.scope ?? []).map(filterOf));
  const inherited = Object.entries(outer).filter(([name]) => known.has(name));
  return { ...Object.fromEntries(inherited), [filter]: id };
}

async function findFirst(store: Store, children: readonly Child[], above: Above) {
  for (const child of children) {
    const { name } = child.resource;
    if ((await store.count(name, filtersBelow(child, above))) > 0) return name;
  }
  return undefined;
}

/** Deletes what is below an item, from the leaves up. */
async function removeChildren(
  store: Store,
  document: ApiDocument,
  { parent, id, outer, visited }: Above & { parent: Resource; visited: Set<string> },
): Promise<void> {
  // An item with several parents can be above itself.
  const address = `${parent.name}/${id}`;
  if (visited.has(address)) return;
  visited.add(address);
  for (const child of findSingletons(document, parent))
    await store.removeAll(child.resource.name, filtersBelow(child, { id, outer }));
  for (const child of findChildren(document, parent)) {
    const { resource } = child;
    const filters = filtersBelow(child, { id, outer });
    if (hasBelow(document, resource))
      for (const json of await store.list(resource.name, { filters, limit: Infinity })) {
        const item = parseExact(toText(json)).value as Record<string, unknown>;
        const below = String(valueAt(item, resource.idProperty));
        await removeChildren(store, document, {
          parent: resource,
          id: below,
          outer: filters,
          visited,
        });
      }
    await store.removeAll(resource.name, filters);
  }
}

/** Removes the item that has the id in the path; no other item gets its id. */
export function createDeleteBehaviour(
  resource: Resource,
  operation: Operation,
  options: ItemOptions,
): Behaviour {
  const { name } = resource;
  const answers = createItemAnswers(operation, resource, options);
  return async (call) => {
    const { store } = call;
    const id = answers.idOf(call);
    const json = answers.showsItem ? await store.get(name, id) : noBytes;
    const isRemoved = json !== undefined && (await store.remove(name, id));
    return isRemoved ? answers.done(call, json) : answers.missing(call);
  };
}
