import type { Collections, Contents } from './store.ts';
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
  #tables: Map<string, Table>;
  /** Those that nobody else has, so that they may be changed. */
  readonly #own = new Set<Table>();

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
    this.#tables = toTables(collections);
    this.#own.clear();
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
