import { valueAt, withAll } from '../../common/property-path.ts';
import type { Api, Resource } from '../../openapi/index.ts';
import { idParameterOf } from '../../openapi/model/resource.ts';
import { toErrorAnswer, toShownPath } from '../answers/answer.ts';
import { toScopedStore } from '../items/scoped-store.ts';
import { fieldsOf, findInScopes, keyInScopes, toStoredItem } from '../items/stored-item.ts';
import { noBytes, toIdText } from '../json/exact-json.ts';
import {
  createReadScopes,
  createToScopeMembers,
  filterOf,
  scopesOf,
  scopeValuesOf,
  toScopeFilters,
} from '../state/scopes.ts';
import type { Filters, ItemStore } from '../state/store.ts';
import type { Behaviour, ItemOperation } from './behaviour.ts';
import { createItemAnswers, type ItemOptions, toIdOfSingle } from './item-answers.ts';
import { newIdIn, newIdOf } from './update.ts';

/**
 * Names the rules for deleting a parent: `cascade` deletes its items too, `refuse` keeps a parent
 * that has items.
 */
export const parentDeletions = ['cascade', 'refuse'] as const;
export type ParentDeletion = (typeof parentDeletions)[number];

type ChildrenOptions = ItemOperation & { onDeleteParent: ParentDeletion };

/**
 * Applies changes of parents to nested items at the same moment. A delete deletes them too, or is
 * refused while there are any; a new id moves them.
 */
export function withChildren(behaviour: Behaviour, options: ChildrenOptions): Behaviour {
  const { document, resource, operation, onDeleteParent } = options;
  const parameter = idParameterOf(operation);
  const newId = operation.kind === 'update' ? newIdOf(document, resource, operation) : undefined;
  const applies = operation.kind === 'delete' || newId !== undefined;
  if (!applies || parameter === undefined) return behaviour;
  const children = findChildren(document, resource);
  if (children.length === 0) return behaviour;
  const readScopes = createReadScopes(resource, operation);
  return (call) => {
    const { params, url, body } = call;
    const given = newIdIn(body, newId);
    if (newId && given === undefined) return behaviour(call);
    const values = readScopes?.(params) ?? [];
    const above = { parent: resource, id: params[parameter] ?? '', outer: toScopeFilters(values) };
    return call.store.transact(async (store) => {
      // What is not to be seen here has no children either.
      const seen = toScopedStore(store, resource, { values, members: {} });
      const refuses =
        !newId && onDeleteParent === 'refuse' && (await seen.get(resource.name, above.id));
      for (const child of refuses ? children : []) {
        const { name, isSingle } = child.resource;
        if (isSingle || (await store.count(name, filtersBelow(child, above))) === 0) continue;
        const message = `${toShownPath(url)} has items of ${name}. Delete these first.`;
        return toErrorAnswer('has_children', message);
      }
      const answer = await behaviour({ ...call, store });
      const after = newId ? { ...above, id: toIdText(given) } : above;
      const visit = newId
        ? createMove(store, document)
        : ({ name }: Resource, filters: Filters) => store.removeAll(name, { filters });
      if (answer.status < 300) await visitChildren({ store, document }, [above, after], visit);
      return answer;
    });
  };
}

/** A collection below another, or single objects there, and the filter that finds those of one item. */
type Child = { resource: Resource; filter: string };

function findChildren({ resources, singletons }: Api, parent: Resource): Child[] {
  return [...singletons, ...resources].flatMap((resource) =>
    scopesOf(resource)
      .filter((scope) => scope.parent === parent.name)
      .map((scope) => ({ resource, filter: filterOf(scope) })),
  );
}

/** An item by its id, and the scopes that it is in itself. */
type Above = { parent: Resource; id: string; outer: Filters };

/**
 * Returns the filters that find the items of a parent. Scopes of the parent count too if the path
 * of the child has them.
 */
function filtersBelow({ resource, filter }: Child, { id, outer }: Above): Filters {
  const known = new Set((resource.scope ?? []).map(filterOf));
  const inherited = Object.entries(outer).filter(([name]) => known.has(name));
  return { ...Object.fromEntries(inherited), [filter]: id };
}

type Visit = (resource: Resource, filters: Filters, after: Filters) => Promise<unknown>;

/** Creates a visit that moves items from some scopes to others. */
function createMove(store: ItemStore, document: Api): Visit {
  return async (resource, filters, after) => {
    const { name, idProperty, isSingle } = resource;
    const moved = scopesOf(resource)
      .map((one) => ({ scope: one, text: after[filterOf(one)] ?? '' }))
      .filter(({ scope: one, text }) => text !== (filters[filterOf(one)] ?? ''));
    const members = createToScopeMembers(document, resource)(moved);
    for (const json of await store.list(name, { filters })) {
      const fields = fieldsOf(json);
      const own = valueAt(fields, idProperty);
      const from = { id: toIdText(own), values: scopeValuesOf(resource, fields) };
      const next = withAll(fields, members);
      const values = scopeValuesOf(resource, next);
      const id = isSingle ? toIdOfSingle(values.map(({ text }) => text)) : own;
      const { key = from.id } = (await findInScopes(store, resource, from)) ?? {};
      await store.change(name, key, () => {
        const item = toStoredItem(resource, next, id);
        return key === from.id ? item : { ...item, id: keyInScopes(item.id, values) };
      });
    }
  };
}

/** Visits the items below a parent, leaves first, with their filters before and after a change. */
async function visitChildren(
  { store, document }: { store: ItemStore; document: Api },
  [above, after]: readonly [Above, Above],
  visit: Visit,
  visited = new Set<string>(),
): Promise<void> {
  // An item with several parents can be above itself.
  const address = `${above.parent.name}/${above.id}`;
  if (visited.has(address)) return;
  visited.add(address);
  for (const child of findChildren(document, above.parent)) {
    const { resource } = child;
    const outer = filtersBelow(child, above);
    const next = filtersBelow(child, after);
    if (findChildren(document, resource).length > 0)
      for (const json of await store.list(resource.name, { filters: outer })) {
        const one = {
          parent: resource,
          id: toIdText(valueAt(fieldsOf(json), resource.idProperty)),
        };
        const both = [
          { ...one, outer },
          { ...one, outer: next },
        ] as const;
        await visitChildren({ store, document }, both, visit, visited);
      }
    await visit(resource, outer, next);
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
