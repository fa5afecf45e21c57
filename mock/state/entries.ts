import type { StoredItem } from './store.ts';

/** An item with its serial number. Nobody changes it: another takes its place. */
export type Entry = { readonly serial: number; readonly item: StoredItem };

/** The place of an entry that was removed. */
type Gap = { readonly serial: number; readonly item?: undefined };

/**
 * Entries in order of their serial numbers. One that is removed leaves a gap, so that this takes no
 * longer among many; the gaps are closed once they are half of all places.
 */
export class Entries {
  #places: (Entry | Gap)[] = [];
  #gaps = 0;

  copy(): Entries {
    const copy = new Entries();
    copy.#places = [...this.#places];
    copy.#gaps = this.#gaps;
    return copy;
  }

  get size(): number {
    return this.#places.length - this.#gaps;
  }

  all(): Entry[] {
    return this.#places.filter((one): one is Entry => one.item !== undefined);
  }

  /** Puts an entry where its number belongs, in place of the one that has it. */
  put(entry: Entry): void {
    const places = this.#places;
    const last = places.at(-1);
    if (!last || last.serial < entry.serial) {
      places.push(entry);
      return;
    }
    const at = this.#find(entry.serial);
    const found = places[at];
    if (found?.serial !== entry.serial) places.splice(at, 0, entry);
    else {
      if (!found.item) this.#gaps -= 1;
      places[at] = entry;
    }
  }

  remove(serial: number): void {
    const at = this.#find(serial);
    if (this.#places[at]?.serial !== serial) return;
    this.#places[at] = { serial };
    this.#gaps += 1;
    if (this.#gaps * 2 < this.#places.length) return;
    this.#places = this.#places.filter(({ item }) => item);
    this.#gaps = 0;
  }

  /** Calls `act` with those behind a number, in order, until it gives false. */
  visit(act: (entry: Entry) => boolean, after = 0): void {
    const places = this.#places;
    for (let at = after === 0 ? 0 : this.#find(after + 1); at < places.length; at++) {
      const entry = places[at] as Entry | Gap;
      if (entry.item && !act(entry)) return;
    }
  }

  /** The items of so many, behind others that are skipped. */
  page(skip: number, limit: number): StoredItem[] {
    const found: StoredItem[] = [];
    const places = this.#places;
    let left = this.#gaps === 0 ? 0 : skip;
    for (let at = skip - left; at < places.length && found.length < limit; at++) {
      const { item } = places[at] as Entry | Gap;
      if (!item) continue;
      if (left > 0) left -= 1;
      else found.push(item);
    }
    return found;
  }

  /** Where a number is, or belongs. */
  #find(serial: number): number {
    const places = this.#places;
    let [from, to] = [0, places.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((places[middle] as Entry).serial < serial) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}
