import type { Schema } from '../../contracts/description/document.ts';
import { endOfNumbers } from '../state/store.ts';
import { toItemId, toItemNumber } from './item-ids.ts';

/** The ids that the items of a collection were given from outside. */
export interface IdLedger {
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
