import { idParameterOf } from '../../contracts/description/collections/resource.ts';
import type { ApiDocument, Resource } from '../../contracts/description/document.ts';
import { valueAt } from '../../contracts/description/property-path.ts';
import { toErrorAnswer, toShownPath } from '../answers/answer.ts';
import { toScopedStore } from '../items/scoped-store.ts';
import { fieldsOf } from '../items/stored-item.ts';
import { noBytes } from '../json/exact-json.ts';
import { createReadScopes, filterOf, scopesOf, toScopeFilters } from '../state/scopes.ts';
import type { Filters, ItemStore } from '../state/store.ts';
import type { Behaviour, ItemOperation } from './behaviour.ts';
import { createItemAnswers, type ItemOptions } from './item-answers.ts';

/** What becomes of the items below one that is deleted: they are deleted too, or it stays. */
export const parentDeletions = ['cascade', 'refuse'] as const;
export type ParentDeletion = (typeof parentDeletions)[number];

type DeleteOptions = ItemOperation & { onDeleteParent: ParentDeletion };

/**
 * Lets a delete take the items of nested collections along, all at one moment, or refuses it where
 * there are any.
 */
export function withChildrenDeleted(behaviour: Behaviour, options: DeleteOptions): Behaviour {
  const { document, resource, operation, onDeleteParent } = options;
  const parameter = idParameterOf(operation);
  if (operation.kind !== 'delete' || parameter === undefined) return behaviour;
  const children = findChildren(document, resource);
  if (children.length === 0) return behaviour;
  const readScopes = createReadScopes(resource, operation);
  return (call) => {
    const { params, url } = call;
    const values = readScopes?.(params) ?? [];
    const above = { parent: resource, id: params[parameter] ?? '', outer: toScopeFilters(values) };
    return call.store.transact(async (store) => {
      // What is not to be seen here has no children either.
      const seen = toScopedStore(store, resource, { values, members: {} });
      const refuses = onDeleteParent === 'refuse' && (await seen.get(resource.name, above.id));
      for (const child of refuses ? children : []) {
        const { name, isSingle } = child.resource;
        if (isSingle || (await store.count(name, filtersBelow(child, above))) === 0) continue;
        const message = `${toShownPath(url)} has items of ${name}. Delete these first.`;
        return toErrorAnswer('has_children', message);
      }
      const answer = await behaviour({ ...call, store });
      if (answer.status < 300) await removeChildren(store, document, above);
      return answer;
    });
  };
}

/** A collection below another, or single objects there, and the filter that finds those of one item. */
type Child = { resource: Resource; filter: string };

function findChildren({ resources, singletons }: ApiDocument, parent: Resource): Child[] {
  return [...singletons, ...resources].flatMap((resource) =>
    scopesOf(resource)
      .filter((scope) => scope.parent === parent.name)
      .map((scope) => ({ resource, filter: filterOf(scope) })),
  );
}

/** An item by its id, and the scopes that it is in itself. */
type Above = { parent: Resource; id: string; outer: Filters };

/** What finds the items below one: they are in its scopes too, as far as their path has these. */
function filtersBelow({ resource, filter }: Child, { id, outer }: Above): Filters {
  const known = new Set((resource.scope ?? []).map(filterOf));
  const inherited = Object.entries(outer).filter(([name]) => known.has(name));
  return { ...Object.fromEntries(inherited), [filter]: id };
}

/** Deletes what is below an item, from the leaves up. */
async function removeChildren(
  store: ItemStore,
  document: ApiDocument,
  above: Above,
  visited = new Set<string>(),
): Promise<void> {
  // An item with several parents can be above itself.
  const address = `${above.parent.name}/${above.id}`;
  if (visited.has(address)) return;
  visited.add(address);
  for (const child of findChildren(document, above.parent)) {
    const { resource } = child;
    const outer = filtersBelow(child, above);
    if (findChildren(document, resource).length > 0)
      for (const json of await store.list(resource.name, { filters: outer, limit: Infinity })) {
        const id = String(valueAt(fieldsOf(json), resource.idProperty));
        await removeChildren(store, document, { parent: resource, id, outer }, visited);
      }
    await store.removeAll(resource.name, outer);
  }
}

/** Removes the item that has the id in the path; no other item gets its id. */
export function createDeleteBehaviour(options: ItemOptions): Behaviour {
  const { name } = options.resource;
  const answers = createItemAnswers(options);
  return async (call) => {
    const { store } = call;
    const id = answers.idOf(call);
    const json = answers.showsItem ? await store.get(name, id) : noBytes;
    const isRemoved = json !== undefined && (await store.remove(name, id));
    return isRemoved ? answers.done(call, json) : answers.missing(call);
  };
}
