import type { Contents, StoredItem } from './store.ts';

/** An item with its serial number. Nobody changes it: another takes its place. */
export type Entry = { readonly serial: number; readonly item: StoredItem };

/** The values that items must have, by the names of filters. */
export type FilterValues = readonly (readonly [name: string, value: string])[];

/** An item with what a table keeps of it: its serial number, and the next number afterwards. */
export type Put = { item: StoredItem; serial: number; next: number };

/**
 * A change of a collection at a serial number: an item that is put there, also in the place of the
 * one with its id, or the id of the one that is removed; and the number of the next item afterwards.
 */
export type Change = { collection: string; serial: number; next: number } & (
  | { put: StoredItem; remove?: never }
  | { remove: string; put?: never }
);

/**
 * What a store holds of a collection, with an index for each value of a filter: so a rare one is
 * found as fast among a million items as among ten. Stores and snapshots share a table until one of
 * them changes it, and then that one has a copy of its own, whose items are the same objects.
 */
export class Table implements Contents {
  next = 1;
  /** The last serial number that was given. */
  lastSerial = 0;
  /** The memory that it takes besides its root, in bytes. */
  bytes = 0;
  /** The table of given contents that this one is a copy of, perhaps by way of others. */
  readonly root: Table | undefined;
  /** In order of their serial numbers, as are the entries of an index. */
  #all: Entry[] = [];
  #byId = new Map<string, Entry>();
  #indexes = new Map<string, Map<string, Entry[]>>();

  constructor(root?: Table) {
    this.root = root;
  }

  /** The same items, to be changed. */
  copy(): Table {
    const copy = new Table(this.root ?? this);
    copy.next = this.next;
    copy.lastSerial = this.lastSerial;
    copy.bytes = this.bytesOfCopy;
    copy.#all = [...this.#all];
    copy.#byId = new Map(this.#byId);
    for (const [name, index] of this.#indexes)
      copy.#indexes.set(
        name,
        new Map(index.entries().map(([value, entries]) => [value, [...entries]])),
      );
    return copy;
  }

  /** A table of given contents, whose items get serial numbers from 1 on. */
  static of({ items, next }: Contents): Table {
    const table = new Table();
    for (const item of items) table.put({ item, serial: table.lastSerial + 1, next });
    table.next = next;
    return table;
  }

  get size(): number {
    return this.#all.length;
  }

  get bytesOfCopy(): number {
    return this.root ? this.bytes : this.size * bytesOfPlace;
  }

  get items(): StoredItem[] {
    return this.#all.map(({ item }) => item);
  }

  /** What JSON has of it. */
  toJSON(): Contents {
    return { next: this.next, items: this.items };
  }

  entries(): readonly Entry[] {
    return this.#all;
  }

  entryOf(id: string): Entry | undefined {
    return this.#byId.get(id);
  }

  /** Puts an item in the place of its serial number, which is a new one or that of its id. */
  put({ item, serial, next }: Put): void {
    const entry = { serial, item };
    const before = this.#byId.get(item.id);
    if (before && before.serial !== serial) this.remove(item.id);
    else if (before) this.#leave(before, item);
    this.next = next;
    this.lastSerial = Math.max(this.lastSerial, serial);
    place(this.#all, entry);
    this.#byId.set(item.id, entry);
    this.bytes += this.#bytesOf(item);
    for (const [name, value] of Object.entries(item.filters))
      place(this.#index(name, value), entry);
  }

  remove(id: string): void {
    const entry = this.#byId.get(id);
    if (!entry) return;
    this.#leave(entry);
    displace(this.#all, entry.serial);
    this.#byId.delete(id);
  }

  /** How many items equal all filters. */
  count(filters: FilterValues): number {
    const { entries, isExact } = this.#narrow(filters);
    if (isExact) return entries.length;
    let count = 0;
    this.visit(filters, () => {
      count += 1;
      return true;
    });
    return count;
  }

  /** So many items that equal all filters, in order, behind others that are skipped. */
  page(filters: FilterValues, skip: number, limit: number): StoredItem[] {
    const found: StoredItem[] = [];
    let left = skip;
    if (limit > 0)
      this.visit(filters, ({ item }) => (left-- > 0 ? true : found.push(item) < limit));
    return found;
  }

  /** Calls `act` with those that equal all filters, in order, until it gives false. */
  visit(filters: FilterValues, act: (entry: Entry) => boolean): void {
    const { entries, isExact } = this.#narrow(filters);
    for (const entry of entries)
      if ((isExact || isEqual(entry.item, filters)) && !act(entry)) return;
  }

  /** The shortest list that has all items that equal filters, and whether it has no others. */
  #narrow(filters: FilterValues): { entries: readonly Entry[]; isExact: boolean } {
    let entries = this.#all;
    for (const [name, value] of filters) {
      const found = this.#indexes.get(name)?.get(value);
      if (!found) return { entries: [], isExact: true };
      if (entries === this.#all || found.length < entries.length) entries = found;
    }
    return { entries, isExact: filters.length <= 1 };
  }

  #index(name: string, value: string): Entry[] {
    let index = this.#indexes.get(name);
    if (!index) this.#indexes.set(name, (index = new Map()));
    let entries = index.get(value);
    if (!entries) index.set(value, (entries = []));
    return entries;
  }

  /** Takes an entry out of the indexes, but for those in which another item takes its place. */
  #leave({ serial, item }: Entry, next?: StoredItem): void {
    this.bytes -= this.#bytesOf(item);
    for (const [name, value] of Object.entries(item.filters)) {
      if (next && Object.hasOwn(next.filters, name) && next.filters[name] === value) continue;
      const index = this.#indexes.get(name);
      const entries = index?.get(value) ?? [];
      displace(entries, serial);
      // Nothing empty is left, since an item may have a new value at each change.
      if (entries.length === 0) index?.delete(value);
    }
  }

  /** The memory of an item, of which only the place counts where the root has it as well. */
  #bytesOf(item: StoredItem): number {
    return this.root?.entryOf(item.id)?.item === item ? bytesOfPlace : bytesOfItem(item);
  }
}

/** Puts an entry where its number belongs, in place of the one that has it. */
function place(entries: Entry[], entry: Entry): void {
  const at = placeOf(entries, entry.serial);
  entries.splice(at, entries[at]?.serial === entry.serial ? 1 : 0, entry);
}

function displace(entries: Entry[], serial: number): void {
  const at = placeOf(entries, serial);
  if (entries[at]?.serial === serial) entries.splice(at, 1);
}

/** Where a number is, or belongs. */
function placeOf(entries: readonly Entry[], serial: number): number {
  let [from, to] = [0, entries.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((entries[middle] as Entry).serial < serial) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Whether an item equals all filters. */
export function isEqual({ filters: values }: StoredItem, filters: FilterValues): boolean {
  return filters.every(([name, value]) => Object.hasOwn(values, name) && values[name] === value);
}

/** What the place of an item takes in a table and its indexes, in bytes. */
const bytesOfPlace = 64;

/** What V8 takes for an item and its place besides its texts, in bytes; no less than was seen. */
const overhead = 256;

/** The memory of an item, in bytes; a value that lists find it by takes up to two a character. */
export function bytesOfItem({ json, filters }: StoredItem): number {
  let bytes = overhead + json.length;
  for (const name in filters) bytes += 2 * (filters[name]?.length ?? 0);
  return bytes;
}
