import type { StoredItem } from './store.ts';

/** An item with its serial number. Nobody changes it: another takes its place. */
export type Entry = { readonly serial: number; readonly item: StoredItem };

/** Entries in order of their serial numbers. */
export class Entries {
  #all: Entry[] = [];

  copy(): Entries {
    const copy = new Entries();
    copy.#all = [...this.#all];
    return copy;
  }

  get size(): number {
    return this.#all.length;
  }

  all(): Entry[] {
    return [...this.#all];
  }

  /** Puts an entry where its number belongs, in place of the one that has it. */
  put(entry: Entry): void {
    const at = this.#find(entry.serial);
    const isThere = this.#all[at]?.serial === entry.serial;
    this.#all.splice(at, isThere ? 1 : 0, entry);
  }

  remove(serial: number): void {
    const at = this.#find(serial);
    if (this.#all[at]?.serial === serial) this.#all.splice(at, 1);
  }

  /** Calls `act` with those behind a number, in order, until it gives false. */
  visit(act: (entry: Entry) => boolean, after = 0): void {
    const all = this.#all;
    for (let at = after === 0 ? 0 : this.#find(after + 1); at < all.length; at++)
      if (!act(all[at] as Entry)) return;
  }

  /** Where a number is, or belongs. */
  #find(serial: number): number {
    const all = this.#all;
    let [from, to] = [0, all.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((all[middle] as Entry).serial < serial) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}
