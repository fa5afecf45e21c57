import type { StoredItem } from './store.ts';

/** An item with its serial number. Nobody changes it: another takes its place. */
export type Entry = { readonly serial: number; readonly item: StoredItem };

/** What stays where an entry was: to move the others up each time takes long. */
type Gone = { readonly serial: number; readonly item?: undefined };

/** Entries in order of their serial numbers. */
export class Entries {
  #all: (Entry | Gone)[] = [];
  #gone = 0;

  copy(): Entries {
    const copy = new Entries();
    copy.#all = this.all();
    return copy;
  }

  get size(): number {
    return this.#all.length - this.#gone;
  }

  all(): Entry[] {
    return this.#all.filter((one) => one.item !== undefined);
  }

  /** Puts an entry where its number belongs, in place of the one that has it. */
  put(entry: Entry): void {
    const at = this.#find(entry.serial);
    const before = this.#all[at];
    const isThere = before?.serial === entry.serial;
    if (isThere && !before.item) this.#gone -= 1;
    this.#all.splice(at, isThere ? 1 : 0, entry);
  }

  remove(serial: number): void {
    const at = this.#find(serial);
    const before = this.#all[at];
    if (!before?.item || before.serial !== serial) return;
    this.#all[at] = { serial };
    this.#gone += 1;
    if (this.#gone <= this.size) return;
    this.#all = this.all();
    this.#gone = 0;
  }

  /** Calls `act` with each, in order, until it gives false. */
  visit(act: (entry: Entry) => boolean): void {
    for (const entry of this.#all) if (entry.item && !act(entry)) return;
  }

  /** Where a number is, or belongs. */
  #find(serial: number): number {
    const all = this.#all;
    let [from, to] = [0, all.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((all[middle] as Entry | Gone).serial < serial) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}
