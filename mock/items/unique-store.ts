import { stringifyExact } from '../../common/json.ts';
import { valueAt } from '../../common/property-path.ts';
import type { Resource } from '../../openapi/index.ts';
import { type ByteText, toIdText } from '../json/exact-json.ts';
import { memberOf } from '../state/scopes.ts';
import type { Ensure, ItemStore } from '../state/store.ts';
import { type Fields, fieldsOf } from './stored-item.ts';

/** A value that an item is to have: of which property, as JSON, and its key among all others. */
type Claim = { property: string; text: string; key: string };

/** Describes a conflict: an item has a unique value of another item. */
export type TakenValue = {
  property: string;
  /** The value as JSON. */
  text: string;
  /** The place of the item among those that were stored together. */
  index: number;
  /** Whether the other item of the conflict was to be stored with this one. */
  isWithin: boolean;
};

/** A value is taken, so nothing was stored. */
export class ValueTakenError extends Error {
  readonly taken: TakenValue;

  constructor(taken: TakenValue) {
    super(`The value of "${taken.property}" is taken.`);
    this.taken = taken;
  }
}

/**
 * A store in which no two items of a resource get the same value of these properties, whoever stores
 * them at the same time; items below different parents may. A change may leave a value as it is.
 * Calls reject with {@link ValueTakenError}.
 */
export function toUniqueStore(
  store: ItemStore,
  resource: Resource,
  properties: readonly string[],
): ItemStore {
  const scopes = (resource.scope ?? []).map(memberOf);
  const toClaims = (fields: Fields): Claim[] =>
    properties.flatMap((property) => {
      const value = Object.hasOwn(fields, property) ? fields[property] : null;
      if (value === null || value === undefined) return [];
      const place = scopes.map((name) => toIdText(valueAt(fields, name)));
      const text = stringifyExact(value);
      return [{ property, text, key: JSON.stringify([property, text, ...place]) }];
    });
  const ensureUnlike = (before: readonly Claim[] = []): Ensure => {
    const known = new Set(before.map(({ key }) => key));
    return (items, hasOther) => {
      const wanted = new Map<string, TakenValue>();
      for (const [index, item] of items.entries())
        for (const { property, text, key } of toClaims(fieldsOf(item.json))) {
          if (known.has(key)) continue;
          if (wanted.has(key)) throw new ValueTakenError({ property, text, index, isWithin: true });
          wanted.set(key, { property, text, index, isWithin: false });
        }
      let taken: TakenValue | undefined;
      const hasTaken = hasOther((json) => {
        const found = toClaims(fieldsOf(json)).find(({ key }) => wanted.has(key));
        taken = found && wanted.get(found.key);
        return taken !== undefined;
      });
      if (hasTaken && taken) throw new ValueTakenError(taken);
    };
  };
  const ensure = ensureUnlike();
  const isOwn = (name: string) => name === resource.name;
  return {
    ...store,
    transact: (act) => store.transact((inner) => act(toUniqueStore(inner, resource, properties))),
    addAll: (name, items) => store.addAll(name, items, isOwn(name) ? ensure : undefined),
    put: (name, item, options) =>
      store.put(name, item, isOwn(name) ? { ...options, ensure } : options),
    change(name, id, toItem) {
      if (!isOwn(name)) return store.change(name, id, toItem);
      let before: Claim[] = [];
      const noting = (json: ByteText) => {
        before = toClaims(fieldsOf(json));
        return toItem(json);
      };
      return store.change(name, id, noting, (...changed) => ensureUnlike(before)(...changed));
    },
  };
}
