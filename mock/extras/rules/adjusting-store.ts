import type { Scope } from '../../../common/expression.ts';
import { valueAt, valueIn } from '../../../common/property-path.ts';
import type { Operation, Resource, Rules } from '../../../openapi/index.ts';
import { withRules } from '../../items/member-rules.ts';
import { mapNewItem } from '../../items/scoped-store.ts';
import { type Fields, fieldsOf, toStoredOf } from '../../items/stored-item.ts';
import { type ByteText, toIdText } from '../../json/exact-json.ts';
import type { ItemStore, StoredItem } from '../../state/store.ts';

/** Tells rules of a call, besides the item. */
export type CallScope = Omit<Scope, 'item'> & { now: number };

type AdjustingOptions = { rules: Rules; operation: Operation; scope: CallScope };

/** A store, and whether nothing was written through it. */
export type AdjustingStore = { store: ItemStore; isUnused: () => boolean };

/** The store as one call of an operation uses it: each item that it writes is as the rules say. */
export function toAdjustingStore(
  store: ItemStore,
  resource: Resource,
  options: AdjustingOptions,
): AdjustingStore {
  let isUnused = true;
  const adjust = createAdjust(resource, options);
  const wrap = (inner: ItemStore): ItemStore => {
    const isOwn = (name: string) => {
      if (name !== resource.name) return false;
      isUnused = false;
      return true;
    };
    return {
      ...inner,
      async addAll(name, items, ensure) {
        if (!isOwn(name)) return inner.addAll(name, items, ensure);
        const next = (await inner.count(name)) + 1;
        const adjusted = items.map((one, at) =>
          mapNewItem(one, (item, n = next + at) => adjust(item, { serial: n, at })),
        );
        return inner.addAll(name, adjusted, ensure);
      },
      async put(name, item, options) {
        if (!isOwn(name)) return inner.put(name, item, options);
        return inner.put(name, adjust(item, { serial: (await inner.count(name)) + 1 }), options);
      },
      change(name, id, toItem, ensure) {
        if (!isOwn(name)) return inner.change(name, id, toItem, ensure);
        return inner.change(
          name,
          id,
          (json) => {
            const changed = toItem(json);
            return { ...changed, ...adjust(changed, { before: fieldsOf(json) }) };
          },
          ensure,
        );
      },
      async remove(name, id) {
        const { keeps } = options.rules;
        if (!keeps || !isOwn(name)) return inner.remove(name, id);
        const toKept = (json: ByteText): StoredItem => ({ id, json, filters: {} });
        const kept = await inner.change(name, id, (json) => {
          return adjust(toKept(json), { before: fieldsOf(json) });
        });
        return kept !== undefined;
      },
      transact: (act) => inner.transact((own) => act(wrap(own))),
    };
  };
  return { store: wrap(store), isUnused: () => isUnused };
}

/** The item that another one takes the place of, or the number of a new one and its place in the body. */
type Place =
  | { before: Fields; serial?: never; at?: never }
  | { before?: never; serial: number; at?: number };

/** Creates the change of an item by rules. */
function createAdjust(resource: Resource, { rules, operation, scope }: AdjustingOptions) {
  const isSent = createIsSent(operation, scope.body);
  const { values = new Map(), keeps } = rules;
  const sets = keeps || (rules.sets ?? new Map());
  const { idProperty } = resource;
  return (item: StoredItem, place: Place): StoredItem => {
    const fields = fieldsOf(item.json);
    const { before, serial } = place;
    const unsent = before ? [] : [...values].filter(([name]) => !isSent(name, place.at));
    const adjusted = withRules(fields, new Map([...unsent, ...sets]), {
      scope: { ...scope, before, serial, item: fields, body: bodyAt(scope.body, place.at) },
      resource,
    });
    const stored = toStoredOf(resource)(adjusted, valueAt(adjusted, idProperty));
    // A store may know an item by another key than its id.
    const keepsId = stored.id === toIdText(valueAt(fields, idProperty));
    return keepsId ? { ...stored, id: item.id } : stored;
  };
}

/** The body of a call or, of a list of items, the one at a place. */
function bodyAt(body: unknown, at: number | undefined): unknown {
  return Array.isArray(body) && at !== undefined ? body[at] : body;
}

/**
 * Creates a test whether a body has a member, also where it has the item in another member: of a list
 * of items, the one at a place, or any of them.
 */
function createIsSent({ takenAt = [] }: Operation, body: unknown) {
  const held = [body, valueIn(body, takenAt)];
  return (name: string, at?: number): boolean =>
    held
      .flatMap((one) => bodyAt(one, at))
      .some((one) => valueIn(one, name.split('.')) !== undefined);
}
