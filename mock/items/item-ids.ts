import { idFormOfText } from '../../contracts/description/collections/id-form.ts';
import type { Resource, Schema } from '../../contracts/description/document.ts';
import { valueAt } from '../../contracts/description/property-path.ts';
import { parseInteger } from '../json/exact-json.ts';
import { oncePer } from '../json/once-per.ts';
import { memberOf } from '../state/scopes.ts';
import { endOfNumbers } from '../state/store.ts';
import { canRepeatIds, keyInScopes } from './find-in-scopes.ts';

/**
 * The id that the service gives to the n-th item: n itself, counted from the minimum on where that
 * is greater than 1, or a text of the form that the schema describes.
 */
export function toItemId(n: number, schema: Schema): number | string {
  if (schema.type !== 'string') return n + offsetOf(schema);
  return formOf(schema)?.toText(n) ?? String(n);
}

/**
 * The n whose item gets this id from {@link toItemId}; undefined for an id that no item gets from
 * it.
 */
export function toItemNumber(id: string, schema: Schema): number | undefined {
  const counted = schema.type === 'string' ? formOf(schema)?.toNumber(id) : parseInteger(id);
  if (typeof counted !== 'number') return undefined;
  const n = schema.type === 'string' ? counted : counted - offsetOf(schema);
  return n > 0 && Number.isSafeInteger(n) && String(toItemId(n, schema)) === id ? n : undefined;
}

const formOf = oncePer(idFormOfText);

function offsetOf({ minimum, exclusiveMinimum }: Schema): number {
  if (minimum === undefined && exclusiveMinimum === undefined) return 0;
  const min = Math.max(Number(minimum ?? 1), Number(exclusiveMinimum ?? 0) + 1);
  return Math.max(Math.ceil(min), 1) - 1;
}

type Fields = Readonly<Record<string, unknown>>;

/** What a store knows an item by, or the index of the item that has its id already. */
type NotedKey = { key: string; first?: never } | { first: number; key?: never };

/**
 * Makes what notes the items of a collection by their ids, where ids may have to differ only below
 * the same parent.
 */
export function createNoteKey(
  resource: Resource,
  ids: IdLedger,
): (item: Fields, id: string, index: number) => NotedKey {
  const { scope = [] } = resource;
  const valuesOf = (item: Fields) =>
    scope.map((one) => ({ scope: one, text: String(valueAt(item, memberOf(one))) }));
  const repeats = canRepeatIds(resource, valuesOf({}));
  const ofScopes = new Map<string, number>();
  return (item, id, index) => {
    const inScopes = repeats ? keyInScopes(id, valuesOf(item)) : id;
    const before = ofScopes.get(inScopes);
    if (before !== undefined) return { first: before };
    if (repeats) ofScopes.set(inScopes, index);
    const first = ids.note(id, index);
    if (first === undefined) return { key: id };
    return repeats ? { key: inScopes } : { first };
  };
}

/** The ids that the items of a collection were given from outside. */
interface IdLedger {
  /** Notes the id of an item; gives the index of the item that has it already, if any. */
  note(id: string, index: number): number | undefined;
  /** The greatest number that an id stands for, of those below {@link endOfNumbers}; or 0. */
  readonly last: number;
  /** An id that no item was given, and that this was not called for before. */
  nextFree(): number | string;
}

/** Starts a ledger of ids that have this schema. */
export function createIdLedger(idSchema: Schema): IdLedger {
  const noted = new Map<string, number>();
  let last = 0;
  let counted = 0;
  return {
    note(id, index) {
      const first = noted.get(id);
      if (first !== undefined) return first;
      noted.set(id, index);
      const n = toItemNumber(id, idSchema) ?? 0;
      if (n < endOfNumbers) last = Math.max(last, n);
      return undefined;
    },
    get last() {
      return Math.max(last, counted);
    },
    nextFree() {
      do counted += 1;
      while (noted.has(String(toItemId(counted, idSchema))));
      return toItemId(counted, idSchema);
    },
  };
}
