import { DatabaseSync } from 'node:sqlite';
import type { Dump } from './real-server.ts';

/**
 * Gives the rows of each table by primary key, without the tables `skip` and the columns `drop`
 * (`table.column`).
 */
export function dumpSqlite(file: string, skip: string[], drop: string[]): Dump {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 20_000 });
  try {
    database.exec('begin');
    const tables = database
      .prepare("select name, sql from sqlite_master where type = 'table'")
      .all() as { name: string; sql: string }[];
    const kept = tables.filter(({ name }) => !name.startsWith('sqlite_') && !skip.includes(name));
    const dump: Dump = { tables: Object.fromEntries(kept.map(({ name, sql }) => [name, sql])) };
    for (const { name } of kept) {
      const columns = database.prepare(`pragma table_info("${name}")`).all();
      const keys = columns.filter(({ pk }) => pk !== 0).map((column) => String(column.name));
      const rows = database.prepare(`select rowid as _rowid, * from "${name}"`).all();
      dump[name] = Object.fromEntries(
        rows.map(({ _rowid, ...row }) => {
          const id = keys.map((key) => row[key]).join('|') || String(_rowid);
          for (const column of drop.filter((entry) => entry.startsWith(`${name}.`)))
            delete row[column.slice(name.length + 1)];
          return [id, row];
        }),
      );
    }
    return dump;
  } finally {
    database.close();
  }
}
