import type { DatabaseSync } from 'node:sqlite';
import { toByteText, toText } from '../../json/exact-json.ts';
import type { Difference } from '../../state/differences.ts';
import type { StoredItem } from '../../state/store.ts';
import { fromColumn, toColumn } from './text-column.ts';

/** The rows of items, by the contents that they belong to. Each call is within a transaction. */
export interface ItemRows {
  /** New contents, which hold nothing. */
  create(): number;
  /** Puts an item; without a place it stays where the one with its id is. */
  put(contents: number, item: StoredItem, place?: number): void;
  /** Marks an item of the seeds as gone. */
  mark(contents: number, id: string): void;
  remove(contents: number, id: string): void;
  /** All of them, in the order of their places. */
  read(contents: number): Difference[];
  /**
   * Copies so many to other contents, from behind an id on; gives the last one's id, undefined where
   * none was left.
   */
  copy(from: number, to: number, after: string | undefined, count: number): string | undefined;
  /** Deletes so many, and the contents once none is left; whether that is so. */
  sweep(contents: number, count: number): boolean;
  /** The contents that nothing refers to. */
  orphans(): number[];
}

type ItemRow = { id: unknown; place: number | null; json: string | null; filters: string };

/** Prepares the statements for the items of a database. */
export function createItemRows(database: DatabaseSync): ItemRows {
  const create = database.prepare('INSERT INTO contents DEFAULT VALUES');
  const put = database.prepare(
    `INSERT INTO items (contents, id, place, json, filters) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET
       place = coalesce(excluded.place, place), json = excluded.json, filters = excluded.filters`,
  );
  const mark = database.prepare(
    `INSERT INTO items (contents, id) VALUES (?, ?)
     ON CONFLICT DO UPDATE SET place = NULL, json = NULL, filters = NULL`,
  );
  const remove = database.prepare('DELETE FROM items WHERE contents = ? AND id = ?');
  const read = database.prepare(
    'SELECT id, place, json, filters FROM items WHERE contents = ? ORDER BY place',
  );
  const nextIds = 'SELECT id FROM items WHERE contents = ? AND id > ? ORDER BY id LIMIT ?';
  const firstIds = 'SELECT id FROM items WHERE contents = ? ORDER BY id LIMIT ?';
  const idsAfter = database.prepare(nextIds);
  const idsOf = database.prepare(firstIds);
  const copyRange = database.prepare(
    `INSERT INTO items SELECT ?, id, place, json, filters FROM items
     WHERE contents = ? AND id BETWEEN ? AND ?`,
  );
  const deleteRange = database.prepare('DELETE FROM items WHERE contents = ? AND id <= ?');
  const drop = database.prepare('DELETE FROM contents WHERE id = ?');
  const orphans = database.prepare(
    'SELECT id FROM contents WHERE id NOT IN (SELECT contents FROM collections)',
  );
  return {
    create: () => Number(create.run().lastInsertRowid),
    put(contents, { id, json, filters }, place) {
      put.run(contents, toColumn(id), place ?? null, toText(json), JSON.stringify(filters));
    },
    mark: (contents, id) => void mark.run(contents, toColumn(id)),
    remove: (contents, id) => void remove.run(contents, toColumn(id)),
    read: (contents) => (read.all(contents) as ItemRow[]).map(toDifference),
    copy(from, to, after, count) {
      const ids =
        after === undefined ? idsOf.all(from, count) : idsAfter.all(from, toColumn(after), count);
      const [first, last] = [ids[0]?.id, ids.at(-1)?.id];
      if (first === undefined || last === undefined) return undefined;
      copyRange.run(to, from, first, last);
      return fromColumn(last);
    },
    sweep(contents, count) {
      const last = idsOf.all(contents, count).at(-1)?.id;
      if (last === undefined) {
        drop.run(contents);
        return true;
      }
      deleteRange.run(contents, last);
      return false;
    },
    orphans: () => orphans.all().map(({ id }) => Number(id)),
  };
}

function toDifference({ id: column, place, json, filters }: ItemRow): Difference {
  const id = fromColumn(column);
  if (json === null) return { id };
  return {
    id,
    item: { id, json: toByteText(json), filters: JSON.parse(filters) },
    ...(place !== null && { place }),
  };
}
