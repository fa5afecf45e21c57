import { parseExpression } from '../../../common/expression.ts';
import { isSame } from '../../../common/json.ts';
import { hasAt, valueAt, valueIn } from '../../../common/property-path.ts';
import type { Api, Members, Operation, Resource, Rules } from '../../../openapi/index.ts';
import type { Step } from '../../call/steps.ts';
import { toHoldingStore } from '../../items/held-items.ts';
import { withRules } from '../../items/member-rules.ts';
import { type Fields, fieldsOf, findInScopes, isId, toStoredOf } from '../../items/stored-item.ts';
import { type ByteText, toIdText } from '../../json/exact-json.ts';
import { memberOf, type ScopeValue, scopesOf } from '../../state/scopes.ts';
import type { ItemStore } from '../../state/store.ts';
import type { CallScope } from './adjusting-store.ts';

/** A rule that counts, and the collections that it names. */
type Counter = { holder: Resource; counted: Resource; rule: NonNullable<Rules['counts']>[number] };

/** Creates the step that counts in items what is created, changed and deleted elsewhere. */
export function createCountStep(
  document: Api,
  { method }: Operation,
): Step<'around behaviour'> | undefined {
  const all = (document.hint.rules?.counts ?? []).flatMap((rule): Counter[] => {
    const [holder, counted] = [rule.in, rule.of].map((path) => resourceAt(document, path));
    return holder && counted ? [{ holder, counted, rule }] : [];
  });
  if (all.length === 0 || ['GET', 'HEAD'].includes(method)) return undefined;
  return (call, next) => next({ ...call, store: toCountingStore(call.store, { document, all }) });
}

/** Returns the collection at a path, such as `/pets`. */
export function resourceAt({ resources }: Api, path: string): Resource | undefined {
  return resources.find((one) => one.path === path);
}

/** Names an item: its id, and the values of its scopes. */
type Key = { id: string; values: ScopeValue[] };

type CountingOptions = { document: Api; all: readonly Counter[] };

function toCountingStore(store: ItemStore, options: CountingOptions): ItemStore {
  const { document, all } = options;
  const isCounted = (name: string) => all.some(({ counted }) => counted.name === name);
  /** Counts an item that was replaced, or did not exist before or does not after. */
  const count = async (name: string, before?: ByteText, after?: ByteText) => {
    for (const one of all.filter(({ counted }) => counted.name === name)) {
      const [old, now] = [before, after].map((json) => json && holderOf(one, fieldsOf(json)));
      if (isSame(old, now)) continue;
      if (old) await add(one, old, '- 1');
      if (now) await add(one, now, '+ 1');
    }
  };
  const add = async ({ holder, rule: { member } }: Counter, key: Key, change: string) => {
    const found = await findInScopes(store, holder, key);
    const members = new Map([[member, parseExpression(`{${member} ${change}}`)]]);
    const about = { document, resource: holder, members, scope: { now: 0 } };
    if (found) await changeItem(store, { ...about, key: found.key });
  };
  return {
    ...store,
    async addAll(name, items, ensure) {
      const added = await store.addAll(name, items, ensure);
      if (!isCounted(name) || !added.items) return added;
      for (const { json } of added.items) await count(name, undefined, json);
      const now = added.items.map(async (item) => {
        return { ...item, json: (await store.get(name, item.id)) ?? item.json };
      });
      return { items: await Promise.all(now) };
    },
    async put(name, item, given) {
      const before = isCounted(name) ? await store.get(name, item.id) : undefined;
      const outcome = await store.put(name, item, given);
      if (outcome !== 'taken') await count(name, before, item.json);
      return outcome;
    },
    async change(name, id, toItem, ensure) {
      const before = isCounted(name) ? await store.get(name, id) : undefined;
      const item = await store.change(name, id, toItem, ensure);
      if (before === undefined || !item) return item;
      await count(name, before, item.json);
      return { ...item, json: (await store.get(name, item.id)) ?? item.json };
    },
    async remove(name, id) {
      const before = isCounted(name) ? await store.get(name, id) : undefined;
      const isRemoved = await store.remove(name, id);
      if (isRemoved) await count(name, before);
      return isRemoved;
    },
    async removeAll(name, meant) {
      const before = isCounted(name) ? await store.list(name, meant) : [];
      const removed = await store.removeAll(name, meant);
      for (const json of before) await count(name, json);
      return removed;
    },
    transact: (act) => store.transact((inner) => act(toCountingStore(inner, options))),
  };
}

/** Finds the id and the scopes of the item that counts another one; undefined where none does. */
function holderOf({ holder, counted, rule }: Counter, item: Fields): Key | undefined {
  const { by, when = {} } = rule;
  const isMeant = Object.entries(when).every(([name, value]) =>
    isSame(valueIn(item, name.split('.')) ?? null, value),
  );
  const scope = scopesOf(counted).find(({ parent }) => parent === holder.name);
  const above = scope && valueAt(item, memberOf(scope));
  const id = by === undefined ? above : valueIn(item, by.split('.'));
  if (!isMeant || !isId(id)) return undefined;
  const values = (holder.scope ?? []).filter((one) => hasAt(item, memberOf(one)));
  return {
    id: toIdText(id),
    values: values.map((one) => ({ scope: one, text: toIdText(valueAt(item, memberOf(one))) })),
  };
}

/** Changes members of an item, and what other items hold of it. */
export async function changeItem(
  store: ItemStore,
  {
    document,
    resource,
    key,
    members,
    scope,
  }: { document: Api; resource: Resource; key: string; members: Members; scope: CallScope },
): Promise<void> {
  const holding = toHoldingStore(store, { document, resource, bodies: [], isWhole: false });
  await holding.change(resource.name, key, (json) => {
    const fields = fieldsOf(json);
    const changed = withRules(fields, members, { scope: { ...scope, item: fields }, resource });
    return { ...toStoredOf(resource)(changed, valueAt(changed, resource.idProperty)), id: key };
  });
}
