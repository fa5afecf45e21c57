import type { Collections, Contents, Store } from './store.ts';
import { type Change, Table } from './table.ts';

/** The tables of contents that were given, which many stores may begin with. */
const known = new WeakMap<Contents, Table>();

/** The table of contents, which nobody changes. */
export function tableOf(contents: Contents): Table {
  if (contents instanceof Table) return contents;
  let table = known.get(contents);
  if (!table) known.set(contents, (table = Table.of(contents)));
  return table;
}

/** Is told of an item before it is changed. */
type Follower = (collection: string, id: string) => void;

/** What a store holds in memory, by the name of the collection. */
export class Tables {
  #tables: Map<string, Table>;
  /** Those that nobody else has, so that they may be changed. */
  readonly #own = new Set<Table>();
  readonly #followers = new Set<Follower>();

  constructor(collections: Collections = {}) {
    this.#tables = toTables(collections);
  }

  find(name: string): Table | undefined {
    return this.#tables.get(name);
  }

  /** The memory that the first change of a collection takes besides the changed item, in bytes. */
  bytesToOwn(name: string): number {
    const table = this.#tables.get(name);
    if (!table || this.#own.has(table)) return 0;
    return table.bytesOfCopy;
  }

  apply(changes: readonly Change[]): void {
    for (const { collection, next, put, serial, remove } of changes) {
      for (const retain of this.#followers) retain(collection, put ? put.id : remove);
      const table = this.#toOwn(collection);
      if (put) table.put({ item: put, serial, next });
      else table.remove(remove);
    }
  }

  /** What they hold at this moment; they go on with copies of it. */
  save(): Collections {
    this.#own.clear();
    return Object.fromEntries(this.#tables);
  }

  /** Holds this instead, or what it held where that cannot be read. */
  load(collections: Collections): void {
    const tables = toTables(collections);
    for (const retain of this.#followers)
      for (const one of differences(this.#tables, tables)) retain(...one);
    this.#tables = tables;
    this.#own.clear();
  }

  /** Calls back before each change of an item, until what it gives is called. */
  follow(retain: Follower): () => void {
    this.#followers.add(retain);
    return () => this.#followers.delete(retain);
  }

  all(): Table[] {
    return [...this.#tables.values()];
  }

  #toOwn(name: string): Table {
    const before = this.#tables.get(name);
    if (before && this.#own.has(before)) return before;
    const table = before ? before.copy() : new Table();
    this.#own.add(table);
    this.#tables.set(name, table);
    return table;
  }
}

function toTables(collections: Collections): Map<string, Table> {
  return new Map(Object.entries(collections).map(([name, contents]) => [name, tableOf(contents)]));
}

/** The items that tables hold otherwise than others, or that only one of both has. */
function* differences(
  before: ReadonlyMap<string, Table>,
  after: ReadonlyMap<string, Table>,
): Generator<[collection: string, id: string]> {
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    const both = [before.get(name), after.get(name)] as const;
    for (const { id } of both.flatMap((table) => table?.items ?? [])) {
      const [then, now] = both.map((table) => table?.entryOf(id)?.item.json);
      if (then !== now) yield [name, id];
    }
  }
}

/** The tables of stores, whose memory is counted. */
const tablesOf = new WeakMap<object, Tables>();

/** A store whose memory is that of tables. */
export function counted(store: Store, tables: Tables): Store {
  tablesOf.set(store, tables);
  return store;
}

/**
 * How many bytes of this process's memory the items of stores and of collections take beyond those
 * that `besides` take already. What several of them share counts once.
 */
export function bytesOf(
  held: Iterable<Store | Collections>,
  besides: Iterable<Store | Collections> = [],
): number {
  const parts = toParts(held).difference(toParts(besides));
  return parts.values().reduce((sum, { bytes }) => sum + bytes, 0);
}

function toParts(held: Iterable<Store | Collections>): Set<Table> {
  const parts = new Set<Table>();
  for (const holder of held)
    for (const table of tablesOf.get(holder)?.all() ??
      Object.values(holder as Collections).map(tableOf))
      for (const part of [table, table.root]) if (part) parts.add(part);
  return parts;
}
