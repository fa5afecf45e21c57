import { areMade, type Collections, type Contents, type Store } from './store.ts';
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

/** What a store holds in memory, by the name of the collection. */
export class Tables {
  /** Those that others may see, too. */
  #shared: ReadonlyMap<string, Contents>;
  /** Those that are seen here alone, in place of the ones of the same names. */
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

  /** The same, of which neither sees what the other one changes. */
  fork(): Tables {
    const fork = new Tables();
    fork.#shared = this.#share();
    return fork;
  }

  /** What they hold at this moment. */
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
export type Counted = { readonly bytes: number };

/**
 * How many bytes of this process's memory the items of stores and of collections take beyond those
 * that `besides` take already. Contents that several of them began with count once; items that were
 * put since count for each table that differs, though copies may share them. So it is never too little.
 */
export function bytesOf(
  held: Iterable<Store | Collections | Counted>,
  besides: Iterable<Store | Collections | Counted> = [],
): number {
  const parts = toParts(held).difference(toParts(besides));
  return parts.values().reduce((sum, { bytes }) => sum + bytes, 0);
}

function toParts(held: Iterable<Store | Collections | Counted>): Set<Counted> {
  const parts = new Set<Counted>();
  for (const holder of held)
    if ('bytes' in holder && typeof holder.bytes === 'number') parts.add(holder as Counted);
    else
      for (const contents of tablesOf.get(holder)?.all() ?? Object.values(holder as Collections)) {
        if (!areMade(contents)) continue;
        const table = tableOf(contents);
        for (const part of [table, table.root]) if (part) parts.add(part);
      }
  return parts;
}
