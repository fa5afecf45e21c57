import type { Differences } from './differences.ts';
import type { Collections, StoredItem } from './store.ts';

/**
 * A change of a collection, and the number of its next item afterwards. An item that is put with a
 * `place` is behind all others, in the order of places; without one it is in the place of the item
 * that has its id. What is removed was there at the start if `isSeed`; then it has to be known that
 * it is gone.
 */
export type Change = { collection: string; next: number } & (
  | { act: 'put'; item: StoredItem; place?: number }
  | { act: 'remove'; id: string; isSeed: boolean }
  | { act: 'clear' }
);

/** Changes that are stored together, and the version of the whole afterwards. */
export type Round = { version: number; changes: readonly Change[] };

/**
 * What was stored since a version: the rounds in order, or the whole where it was replaced or is too
 * long ago, as what differs from its seeds.
 */
export type Newer =
  | { rounds: readonly Round[]; version?: never }
  | { version: number; seeds: Collections; differences: Differences; rounds?: never };

/** The version that a round made, or what was stored before it came; then nothing is stored. */
export type Appended = { version: number; newer?: never } | { newer: Newer; version?: never };

/**
 * Where the changes of a store are held, in a file or for several processes. The version counts
 * their rounds, and goes on over a replacement.
 *
 * A method that answers at once is not waited for: then the changes are computed, stored and applied
 * without anything between. One that throws or rejects has stored nothing, or leaves it open.
 */
export interface ChangeLog<Extra = undefined> {
  /** Stores changes that were computed at a version, if it is still the newest. */
  append(version: number, changes: readonly Change[]): Appended | Promise<Appended>;
  /** Stores a whole in place of all, likewise; with `extra` where it is given, at one moment. */
  replace(version: number, whole: Whole<Extra>): Appended | Promise<Appended>;
}

/** All that a store holds, as what differs from its seeds. */
export type Whole<Extra> = { seeds: Collections; differences: Differences; extra?: Extra };
