import type { Api, Operation } from '../../openapi/index.ts';
import { isCreated, itemPathsOf, placementAt } from '../../openapi/model/placements.ts';
import type { Scope } from '../../openapi/model/resource.ts';
import { findId, findNamedItems } from '../items/named-items.ts';
import { toScopedStore } from '../items/scoped-store.ts';
import { createToCaller } from '../items/sent-secrets.ts';
import { findInScopes } from '../items/stored-item.ts';
import { toIdText } from '../json/exact-json.ts';
import {
  createReadScopes,
  createShow,
  createToScopeMembers,
  creatorMember,
  originMember,
  type ScopeValue,
} from '../state/scopes.ts';
import type { ItemStore } from '../state/store.ts';
import type { Behaviour, ItemOperation } from './behaviour.ts';
import { toMissingAnswer, toMissingIdAnswer } from './item-answers.ts';

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
  if (!readScopes && !createShow(resource)) return behaviour;
  const toMembers = createToScopeMembers(document, resource);
  const findMissing = createFindMissing(document, operation);
  const toCaller = createToCaller(document);
  return async (call) => {
    const values = readScopes?.(call.params) ?? [];
    const isMarked = resource.endpoint && call.origin !== undefined;
    const members = {
      ...toMembers(values),
      ...(isMarked && { [originMember]: call.origin }),
      ...(resource.knowsCreator && { [creatorMember]: toCaller(call) }),
    };
    const toOwn = (store: ItemStore) => toScopedStore(store, resource, { values, members });
    const ensureParents = async (store: ItemStore) => {
      const missing = await findMissing(store, values);
      if (missing) throw new MissingParentError(missing);
    };
    /** Adds items unless another call deletes a parent of them meanwhile. */
    const add = <T>(act: (own: ItemStore) => Promise<T>) =>
      call.store.transact(async (store) => {
        await ensureParents(store);
        return act(toOwn(store));
      });
    const store: ItemStore = {
      ...toOwn(call.store),
      ...(values.length > 0 && {
        addAll: (...items) => add((own) => own.addAll(...items)),
        put: (...item) => add((own) => own.put(...item)),
      }),
    };
    try {
      await ensureParents(call.store);
      return await behaviour({ ...call, store });
    } catch (error) {
      if (!(error instanceof MissingParentError)) throw error;
      const { parameter: name } = error.scope;
      return toMissingIdAnswer({ document, operation, name }, call, `: ${error.message}`);
    }
  };
}

/** Reports that an item in a path does not exist; the message says which. */
class MissingParentError extends Error {
  readonly scope: Scope;

  constructor(scope: Scope) {
    super(`${scope.parent} has no such item.`);
    this.scope = scope;
  }
}

/** Creates a search for the first parent in a path that does not exist. */
function createFindMissing(document: Api, { path }: Operation) {
  const parentOf = ({ scope }: ScopeValue) =>
    document.resources.find((one) => one.name === scope.parent && isCreated(one));
  const itemPaths = itemPathsOf(path);
  return async (store: ItemStore, values: readonly ScopeValue[]): Promise<Scope | undefined> => {
    for (const [index, value] of values.entries()) {
      const parent = parentOf(value);
      if (!parent) continue;
      const { scope: outer = [] } = placementAt(parent, itemPaths[index] ?? '') ?? {};
      const inherited = outer.map((scope, place) => ({
        scope,
        text: values[place]?.text ?? '',
      }));
      const above = { id: value.text, values: inherited.slice(0, index) };
      if (!(await findInScopes(store, parent, above))) return value.scope;
    }
    return undefined;
  };
}

/** Gives a behaviour the values of path parameters as stores know ids. */
export function withIdTexts(
  behaviour: Behaviour,
  { operation }: { operation: Operation },
): Behaviour {
  if (!operation.path.includes('{')) return behaviour;
  return (call) => {
    const params = Object.entries(call.params).map(([name, text]) => [
      name,
      toIdText(operation.path.includes(`({${name}})`) ? toKeyValue(text) : text),
    ]);
    return behaviour({ ...call, params: Object.fromEntries(params) });
  };
}

/** The value of a key in parentheses, as OData writes it: `('o''neil')`, `(id=5)` (4.01 URLs §4.3.1). */
function toKeyValue(text: string): string {
  const [, value = text] = /^\w+=('.*'|\d+)$/s.exec(text) ?? [];
  return /^'.*'$/s.test(value) ? value.slice(1, -1).replaceAll("''", "'") : value;
}

/**
 * Resolves parameters that name items by other properties, such as a repository at
 * `/repos/{owner}/{repo}`, to ids. Answers 404 if there is no such item.
 */
export function withNamedItems(
  behaviour: Behaviour,
  { document, operation }: { document: Api; operation: Operation },
): Behaviour {
  const named = findNamedItems(document, operation);
  if (named.length === 0) return behaviour;
  return async (call) => {
    const params: Record<string, string> = { ...call.params };
    for (const one of named) {
      const id = await findId(call.store, one, params);
      if (id === undefined && one.isNeeded)
        return toMissingAnswer(operation, call, `: ${one.resource.name} has no such item.`);
      params[one.parameter] = id ?? params[one.parameter] ?? '';
    }
    return behaviour({ ...call, params });
  };
}
