import { shapeOf } from '../../contracts/description/collections/places.ts';
import { placementAt, placementsOf } from '../../contracts/description/collections/scopes.ts';
import type { ApiDocument, Operation, Resource } from '../../contracts/description/document.ts';
import { toStatedErrorAnswer } from '../answers/answer.ts';
import { toShownPath } from '../answers/shown-path.ts';
import { missingStatusOf } from '../documented/responses.ts';
import { toScopedStore } from '../items/scoped-store.ts';
import { findInScopes } from '../items/stored-item.ts';
import {
  createReadScopes,
  createShow,
  createToScopeMembers,
  type ScopeValue,
} from '../state/scopes.ts';
import type { Store } from '../state/store.ts';
import type { Behaviour, ItemOperation } from './behaviour.ts';

/**
 * Lets an operation of a nested collection see the items of the scopes in its path alone. Where one
 * of these names an item that is not there, the answer is 404. The behaviour itself where a path
 * has no scopes, and items have nothing to hide.
 */
export function withinScopes(
  behaviour: Behaviour,
  { document, resource, operation }: ItemOperation,
): Behaviour {
  const readScopes = createReadScopes(resource, operation);
  const named = findKey(resource, operation);
  if (!readScopes && !createShow(resource) && !named) return behaviour;
  const toMembers = createToScopeMembers(document, resource);
  const findMissing = createFindMissing(document, operation);
  const missing = missingStatusOf(operation);
  const toMissing = (url: string, sentence: string) =>
    toStatedErrorAnswer('not_found', `There is nothing at ${toShownPath(url)}${sentence}`, missing);
  return async (call) => {
    const { params, url } = call;
    const values = readScopes?.(params) ?? [];
    const name = await findMissing(call.store, values);
    if (name !== undefined) return toMissing(url, `: ${name} has no such item.`);
    const store = toScopedStore(call.store, resource, { values, members: toMembers(values) });
    if (!named) return behaviour({ ...call, store });
    const { parameter, key } = named;
    const address = { id: params[parameter] ?? '', values, key };
    const found = await findInScopes(call.store, resource, address);
    if (!found) return toMissing(url, '.');
    return behaviour({ ...call, store, params: { ...params, [parameter]: found.key } });
  };
}

/** Whether an operation creates items of a collection; of any other, all there can be may be there. */
function isCreated(resource: Resource): boolean {
  return placementsOf(resource).some(({ operations: { create, createMany, replace } }) =>
    Boolean(create ?? createMany ?? replace),
  );
}

/** The path parameter that names an item by another property than its id, and that property. */
function findKey(
  resource: Resource,
  { path }: Operation,
): { parameter: string; key: string } | undefined {
  const { path: placed = '', key } = placementAt(resource, path) ?? {};
  if (key === undefined || shapeOf(placed) === shapeOf(path)) return undefined;
  const parameters = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name);
  const parameter = parameters[placed.split('{').length - 1];
  return parameter === undefined ? undefined : { parameter, key };
}

/** Makes what finds the first collection that lacks the item that a scope names. */
function createFindMissing(document: ApiDocument, { path }: Operation) {
  const parentOf = ({ scope }: ScopeValue) =>
    document.resources.find((one) => one.name === scope.parent && isCreated(one));
  const itemPaths = [...path.matchAll(/\{[^{}]+\}/g)].map(({ 0: { length }, index }) =>
    path.slice(0, index + length),
  );
  return async (store: Store, values: readonly ScopeValue[]): Promise<string | undefined> => {
    for (const [index, value] of values.entries()) {
      const parent = parentOf(value);
      if (!parent) continue;
      const { scope: outer = [], key } = placementAt(parent, itemPaths[index] ?? '') ?? {};
      const inherited = outer.map((scope, place) => ({
        scope,
        text: values[place]?.text ?? '',
      }));
      const above = { id: value.text, values: inherited.slice(0, index), key };
      if (!(await findInScopes(store, parent, above))) return parent.name;
    }
    return undefined;
  };
}
