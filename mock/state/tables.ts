import {
  type Admit,
  areMade,
  type Collections,
  type Contents,
  endOfNumbers,
  type HasOther,
  type NewItem,
  outOfNumbers,
  type Store,
  type StoredItem,
  type ToItem,
} from './store.ts';
import { bytesOfItem, type Change, type FilterValues, Table } from './table.ts';

/** The tables of contents that were given, which many stores may begin with. */
const known = new WeakMap<Contents, Table>();

/** The table of contents, which nobody changes. */
export function tableOf(contents: Contents): Table {
  if (contents instanceof Table) return contents;
  let table = known.get(contents);
  if (!table) known.set(contents, (table = Table.of(contents)));
  return table;
}

/** Holds the tables of a store, by the name of the collection. */
export class Tables {
  /** Holds tables that other stores may see. */
  #shared: ReadonlyMap<string, Contents>;
  /** Holds tables of this store alone, which hide shared ones of the same names. */
  readonly #own = new Map<string, Table>();

  constructor(collections: Collections = {}) {
    this.#shared = toTables(collections);
  }

  find(name: string): Table | undefined {
    const contents = this.#own.get(name) ?? this.#shared.get(name);
    return contents && tableOf(contents);
  }

  apply({ collection, put, remove, serial, next }: Change): void {
    let table = this.#own.get(collection);
    if (!table) {
      table = this.find(collection)?.copy() ?? new Table();
      this.#own.set(collection, table);
    }
    if (put) table.put({ item: put, serial, next });
    else table.remove(remove);
  }

  /** Returns a fork; neither side sees later changes of the other. */
  fork(): Tables {
    const fork = new Tables();
    fork.#shared = this.#share();
    return fork;
  }

  /** Returns the contents at this moment. */
  save(): Collections {
    return Object.fromEntries(this.#share());
  }

  /** Holds this instead, or what it held where that cannot be read. */
  load(collections: Collections): void {
    this.#shared = toTables(collections);
    this.#own.clear();
  }

  all(): Iterable<Contents> {
    return this.#share().values();
  }

  #share(): ReadonlyMap<string, Contents> {
    if (this.#own.size > 0) this.#shared = new Map([...this.#shared, ...this.#own]);
    this.#own.clear();
    return this.#shared;
  }
}

/** Contents that are yet to be made become a table at their first use. */
function toTables(collections: Collections): Map<string, Contents> {
  const entries = Object.entries(collections);
  return new Map(
    entries.map(([name, contents]) => [name, areMade(contents) ? tableOf(contents) : contents]),
  );
}

/** The tables of stores, whose memory is counted. */
const tablesOf = new WeakMap<object, Tables>();

/** A store whose memory is that of tables. */
export function counted(store: Store, tables: Tables): Store {
  tablesOf.set(store, tables);
  return store;
}

/** Counts its own memory, in bytes. */
export type MemoryCount = { readonly bytes: number };

/** A holder of memory: a store, collections such as seeds and saved ones, or one that counts its own. */
export type MemoryHolder = Store | Collections | MemoryCount;

/**
 * Returns the memory of items in stores and collections, in bytes, beyond the memory of `besides`.
 * Contents that several began with count once. Later items count for each table, though copies may
 * share them, so the result is an upper bound.
 */
export function bytesOf(
  held: Iterable<MemoryHolder>,
  besides: Iterable<MemoryHolder> = [],
): number {
  const parts = toParts(held).difference(toParts(besides));
  return parts.values().reduce((sum, { bytes }) => sum + bytes, 0);
}

function toParts(held: Iterable<MemoryHolder>): Set<MemoryCount> {
  const parts = new Set<MemoryCount>();
  for (const holder of held)
    if ('bytes' in holder && typeof holder.bytes === 'number') parts.add(holder as MemoryCount);
    else
      for (const contents of tablesOf.get(holder)?.all() ?? Object.values(holder as Collections)) {
        if (!areMade(contents)) continue;
        const table = tableOf(contents);
        for (const part of [table, table.root]) if (part) parts.add(part);
      }
  return parts;
}

/** An item, and the number that its id stands for. */
type NumberedItem = { item: StoredItem; number: number };

/**
 * The number that the id of an item stands for, the id of the item that it replaces (its own by
 * default), and whether there is certainly none.
 */
type Place = { number?: number | undefined; of?: string; isNew?: boolean };

/** The first number to try, and ids that are about to be taken. */
type IdPlan = { next?: number; planned?: ReadonlyMap<string, unknown> };

/** Changes that are computed one after another, and made in tables; each of them as a whole, or not. */
export class Draft {
  readonly changes: Change[] = [];
  readonly tables: Tables;
  readonly #admit: Admit | undefined;

  constructor(tables: Tables, admit?: Admit) {
    this.tables = tables;
    this.#admit = admit;
  }

  itemOf(name: string, id: string): StoredItem | undefined {
    return this.tables.find(name)?.entryOf(id)?.item;
  }

  /** All items of a collection that equal filters. */
  itemsOf(name: string, filters: FilterValues): StoredItem[] {
    const items: StoredItem[] = [];
    this.tables.find(name)?.visit(filters, ({ item }) => items.push(item) > 0);
    return items;
  }

  /** Creates a test whether a collection has an item that matches, besides these. */
  hasOtherThan(name: string, items: readonly StoredItem[]): HasOther {
    const ids = new Set(items.map(({ id }) => id));
    const others = this.itemsOf(name, []).filter(({ id }) => !ids.has(id));
    return (isMatch) => others.some(({ json }) => isMatch(json));
  }

  /**
   * Makes an item of the next number whose id is free. Throws OutOfRoomError where none is left, or
   * where the number makes no difference to the id.
   */
  count(name: string, toItem: ToItem, { next, planned }: IdPlan = {}): NumberedItem {
    let last: string | undefined;
    for (let number = next ?? this.tables.find(name)?.next ?? 1; ; number++) {
      if (number >= endOfNumbers) throw outOfNumbers(name);
      const item = toItem(number);
      if (!planned?.has(item.id) && !this.itemOf(name, item.id)) return { item, number };
      if (item.id === last) throw outOfNumbers(name);
      last = item.id;
    }
  }

  /** Puts an item in the place of another, or behind all; counts on above `number`. */
  put(name: string, item: StoredItem, place: Place): void {
    this.#ensureRoom(bytesOfItem(item) - bytesOfEntry(this.itemOf(name, place.of ?? item.id)));
    this.#put(name, item, place);
  }

  /**
   * Chooses the ids of several new items, checks them with `ensure`, and stores them. Returns the
   * first given id that is taken, if any.
   */
  putAll(
    name: string,
    items: readonly NewItem[],
    ensure: (planned: StoredItem[]) => void,
  ): { items: StoredItem[]; taken?: never } | { taken: string; items?: never } {
    const planned = new Map<string, { item: StoredItem; number: number | undefined }>();
    let { next = 1 } = this.tables.find(name) ?? {};
    for (const { given, toItem } of items) {
      const isFree = given && !planned.has(given.item.id) && !this.itemOf(name, given.item.id);
      if (given && !isFree && !toItem) return { taken: given.item.id };
      if (given && isFree) {
        planned.set(given.item.id, given);
        next = countOn(next, given.number);
      } else if (toItem) {
        const counted = this.count(name, toItem, { next, planned });
        planned.set(counted.item.id, counted);
        next = counted.number + 1;
      }
    }
    const all = [...planned.values()];
    const added = all.map(({ item }) => item);
    ensure(added);
    this.#ensureRoom(added.reduce((bytes, item) => bytes + bytesOfItem(item), 0));
    for (const { item, number } of all) this.#put(name, item, { number, isNew: true });
    return { items: added };
  }

  remove(name: string, id: string): void {
    const { next = 1 } = this.tables.find(name) ?? {};
    const serial = this.tables.find(name)?.entryOf(id)?.serial ?? 0;
    this.#apply({ collection: name, serial, next, remove: id });
  }

  /** Makes changes that were computed elsewhere, over items that are the same here. */
  repeat(changes: readonly Change[]): void {
    const bytes = changes.reduce((sum, { collection: name, put, of, remove }) => {
      const before = bytesOfEntry(this.itemOf(name, put ? of : remove));
      return sum + (put ? bytesOfItem(put) : 0) - before;
    }, 0);
    this.#ensureRoom(bytes);
    for (const { collection, next, put, of, remove } of changes)
      if (put) this.#put(collection, put, { number: next - 1, of });
      else this.remove(collection, remove);
  }

  #put(name: string, item: StoredItem, { number, of = item.id, isNew }: Place): void {
    const table = this.tables.find(name);
    const before = isNew ? undefined : table?.entryOf(of);
    const serial = before?.serial ?? (table?.lastSerial ?? 0) + 1;
    // Its caller may change the one that it gave.
    const put = { ...item, filters: { ...item.filters } };
    this.#apply({ collection: name, serial, next: countOn(table?.next ?? 1, number), put, of });
  }

  #apply(change: Change): void {
    this.tables.apply(change);
    this.changes.push(change);
  }

  #ensureRoom(bytes: number): void {
    if (bytes > 0) this.#admit?.(bytes);
  }
}

function bytesOfEntry(item: StoredItem | undefined): number {
  return item ? bytesOfItem(item) : 0;
}

/** The next number after one that was given; those from the end of numbers on do not count. */
function countOn(next: number, given = 0): number {
  return given < endOfNumbers ? Math.max(next, given + 1) : next;
}
