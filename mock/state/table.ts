import { EmptyBTree, type default as trees } from 'sorted-btree';
import type { Contents, StoredItem } from './store.ts';

/** A map in the order of its keys. A copy shares all of it, but for what one of both changes. */
type Tree<Key, Value> = trees.default<Key, Value>;

/**
 * An empty tree of ids, the shorter ones first: those that are counted come in this order, and each is
 * put at the end.
 */
const noIds: Tree<string, Entry> = EmptyBTree.clone();
noIds._compare = (one, other) =>
  one.length - other.length || (one < other ? -1 : Number(one > other));

/** An item with its serial number. Nobody changes it: another takes its place. */
export type Entry = { readonly serial: number; readonly item: StoredItem };

/** The values that items must have, by the names of filters. */
export type FilterValues = readonly (readonly [name: string, value: string])[];

/** An item with what a table keeps of it: its serial number, and the next number afterwards. */
export type PutEntry = { item: StoredItem; serial: number; next: number };

/**
 * A change of a collection at a serial number: an item that is put there, in the place of the one
 * with the id `of`, or the id of the one that is removed; and the number of the next item afterwards.
 */
export type Change = { collection: string; serial: number; next: number } & (
  | { put: StoredItem; of: string; remove?: never }
  | { remove: string; put?: never; of?: never }
);

/**
 * Holds the items of a collection, with an index for each value of a filter. A rare value is found
 * as fast among a million items as among ten. A shared table never changes; copies share all that
 * is equal.
 */
export class Table implements Contents {
  next = 1;
  /** The last serial number that was given. */
  lastSerial = 0;
  /** The memory of its items, but for those that are of its root. */
  bytes = 0;
  /** The table of given contents that this one is a copy of, perhaps by way of others. */
  readonly root: Table | undefined;
  #all: Tree<number, Entry> = EmptyBTree.clone();
  #byId = noIds.clone();
  /** The items that have a value, by the name of the filter. */
  #indexes = new Map<string, Tree<string, Tree<number, Entry>>>();
  /** The lists of indexes that no other table has. */
  readonly #own = new WeakSet<Tree<number, Entry>>();

  constructor(root?: Table) {
    this.root = root;
  }

  /** Copies the table, so that the copy can change. */
  copy(): Table {
    const copy = new Table(this.root ?? this);
    copy.next = this.next;
    copy.lastSerial = this.lastSerial;
    copy.bytes = this.root ? this.bytes : 0;
    copy.#all = this.#all.clone();
    copy.#byId = this.#byId.clone();
    for (const [name, index] of this.#indexes) copy.#indexes.set(name, index.clone());
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
    return this.#all.size;
  }

  get items(): StoredItem[] {
    return this.#all.valuesArray().map(({ item }) => item);
  }

  toJSON(): Contents {
    return { next: this.next, items: this.items };
  }

  /** In order of their serial numbers. */
  entries(): Iterable<Entry> {
    return this.#all.values();
  }

  entryOf(id: string): Entry | undefined {
    return this.#byId.get(id);
  }

  /** Puts an item in the place of its serial number, which is a new one or that of its id. */
  put({ item, serial, next }: PutEntry): void {
    const before = serial > this.lastSerial ? undefined : this.#all.get(serial);
    const entry = { serial, item };
    if (!this.#byId.setIfNotPresent(item.id, entry)) {
      if (before?.item.id !== item.id) this.remove(item.id);
      this.#byId.set(item.id, entry);
    }
    if (before) this.#leave(before, item);
    if (before && before.item.id !== item.id) this.#byId.delete(before.item.id);
    this.next = next;
    this.lastSerial = Math.max(this.lastSerial, serial);
    this.bytes += this.#bytesOf(item);
    this.#all.set(serial, entry);
    for (const [name, value] of Object.entries(item.filters))
      this.#toOwn(name, value).set(serial, entry);
  }

  remove(id: string): void {
    const entry = this.#byId.get(id);
    if (!entry) return;
    this.#leave(entry);
    this.#all.delete(entry.serial);
    this.#byId.delete(id);
  }

  /** Takes an entry out of the indexes, but for those in which another item takes its place. */
  #leave({ serial, item }: Entry, next?: StoredItem): void {
    this.bytes -= this.#bytesOf(item);
    for (const [name, value] of Object.entries(item.filters)) {
      if (next && isEqual(next, [[name, value]])) continue;
      const entries = this.#toOwn(name, value);
      entries.delete(serial);
      // Nothing empty is left, since an item may have a new value at each change.
      if (entries.size === 0) this.#indexes.get(name)?.delete(value);
    }
  }

  /** How many items equal all filters. */
  count(filters: FilterValues): number {
    if (filters.length <= 1) return this.#narrow(filters).size;
    let count = 0;
    this.visit(filters, () => (count += 1) > 0);
    return count;
  }

  /** Calls `act` with those that equal all filters, in order, until it gives false. */
  visit(filters: FilterValues, act: (entry: Entry) => boolean): void {
    const isExact = filters.length <= 1;
    const visit = (_: number, entry: Entry) =>
      (isExact || isEqual(entry.item, filters)) && !act(entry) ? { break: true } : undefined;
    this.#narrow(filters).forRange(0, Number.POSITIVE_INFINITY, true, visit);
  }

  /** The shortest list that has all items that equal filters: no others for a single one. */
  #narrow(filters: FilterValues): Tree<number, Entry> {
    let entries = this.#all;
    for (const [name, value] of filters) {
      const found = this.#entriesOf(name, value) ?? EmptyBTree;
      if (entries === this.#all || found.size < entries.size) entries = found;
    }
    return entries;
  }

  #entriesOf(name: string, value: string): Tree<number, Entry> | undefined {
    return this.#indexes.get(name)?.get(value);
  }

  /** The list of a value, to be changed. */
  #toOwn(name: string, value: string): Tree<number, Entry> {
    let index = this.#indexes.get(name);
    if (!index) this.#indexes.set(name, (index = EmptyBTree.clone()));
    let entries = index.get(value);
    if (entries && this.#own.has(entries)) return entries;
    entries = (entries ?? EmptyBTree).clone();
    this.#own.add(entries);
    index.set(value, entries);
    return entries;
  }

  /** The memory of an item, unless the root has it as well. */
  #bytesOf(item: StoredItem): number {
    return this.root?.entryOf(item.id)?.item === item ? 0 : bytesOfItem(item);
  }
}

/** Whether an item equals all filters. */
function isEqual({ filters: values }: StoredItem, filters: FilterValues): boolean {
  return filters.every(([name, value]) => Object.hasOwn(values, name) && values[name] === value);
}

/**
 * Bounds the memory of an item and its place besides its texts, in bytes; V8 was seen to take less.
 */
const overhead = 256;

/** The memory of an item, in bytes; a value that lists find it by takes up to two a character. */
export function bytesOfItem({ json, filters }: StoredItem): number {
  let bytes = overhead + json.length;
  for (const name in filters) bytes += 2 * (filters[name]?.length ?? 0);
  return bytes;
}
