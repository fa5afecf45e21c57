import type { DatabaseSync } from 'node:sqlite';
import { fromColumn, toColumn } from './text-column.ts';

/** What a sandbox, or a snapshot of it, holds of a collection; its items are under `contents`. */
export type Head = { next: number; isEmptied: boolean; contents: number };

/** Of which a head is: a sandbox, or a snapshot of it. */
export type Holder = { sandbox: number; snapshot?: string };

/** The rows of collections. Each call is within a transaction. */
export interface CollectionRows {
  put(holder: Holder, collection: string, head: Head): void;
  /** By the names of the collections. */
  read(holder: Holder): Map<string, Head>;
  /** Removes those of a holder; their contents stay. */
  remove(holder: Holder): void;
  /** The contents of a sandbox and all its snapshots. */
  contentsOf(sandbox: number): number[];
  contentsOfSnapshots(sandbox: number): number[];
}

/** A snapshot has a name, so the empty text stands for what the sandbox holds now. */
const present = '';

/** Prepares the statements for the collections of a database. */
export function createCollectionRows(database: DatabaseSync): CollectionRows {
  const put = database.prepare(
    `INSERT INTO collections (sandbox, snapshot, name, next, is_emptied, contents)
     VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET
       next = excluded.next, is_emptied = excluded.is_emptied, contents = excluded.contents`,
  );
  const read = database.prepare(
    'SELECT name, next, is_emptied, contents FROM collections WHERE sandbox = ? AND snapshot = ?',
  );
  const remove = database.prepare('DELETE FROM collections WHERE sandbox = ? AND snapshot = ?');
  const contentsOf = database.prepare('SELECT contents FROM collections WHERE sandbox = ?');
  const contentsOfSnapshots = database.prepare(
    'SELECT contents FROM collections WHERE sandbox = ? AND snapshot <> ?',
  );
  return {
    put({ sandbox, snapshot = present }, collection, { next, isEmptied, contents }) {
      put.run(sandbox, snapshot, toColumn(collection), next, isEmptied ? 1 : 0, contents);
    },
    read: ({ sandbox, snapshot = present }) =>
      new Map(
        read
          .all(sandbox, snapshot)
          .map(({ name, next, is_emptied, contents }) => [
            fromColumn(name),
            { next: Number(next), isEmptied: is_emptied === 1, contents: Number(contents) },
          ]),
      ),
    remove: ({ sandbox, snapshot = present }) => void remove.run(sandbox, snapshot),
    contentsOfSnapshots: (sandbox) =>
      contentsOfSnapshots.all(sandbox, present).map(({ contents }) => Number(contents)),
    contentsOf: (sandbox) => contentsOf.all(sandbox).map(({ contents }) => Number(contents)),
  };
}
