import type { DatabaseSync } from 'node:sqlite';
import { StoreError } from '../../sandboxes/backend.ts';

/** Marks the files of this program in their header ("pets"). */
const applicationId = 0x70657473;

/**
 * Each brings a file from the form of its index to the next. A form that was released is never
 * edited: a change of it is one more step.
 *
 * A row of `collections` is what a sandbox holds of a collection, or one of its snapshots does. Its
 * items are those that differ from the seeds, without JSON where one is gone. They are found by an
 * id of `contents`: what takes several transactions is written under a new one, which nothing
 * refers to before the last of them, and what nothing refers to any more is deleted bit by bit.
 */
const steps: readonly string[] = [
  `CREATE TABLE twin (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
   CREATE TABLE contents (id INTEGER PRIMARY KEY AUTOINCREMENT) STRICT;
   CREATE TABLE items (
     contents INTEGER NOT NULL, id ANY NOT NULL, place INTEGER, json TEXT, filters TEXT,
     PRIMARY KEY (contents, id)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE sandboxes (
     id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE,
     created_at INTEGER NOT NULL, last_used_at INTEGER NOT NULL
   ) STRICT;
   CREATE TABLE controls (
     sandbox INTEGER PRIMARY KEY REFERENCES sandboxes ON DELETE CASCADE, state TEXT NOT NULL
   ) STRICT;
   CREATE TABLE sequences (
     sandbox INTEGER PRIMARY KEY REFERENCES sandboxes ON DELETE CASCADE, state TEXT NOT NULL
   ) STRICT;
   CREATE TABLE usage (
     sandbox INTEGER NOT NULL REFERENCES sandboxes ON DELETE CASCADE,
     key ANY NOT NULL, usage TEXT NOT NULL,
     PRIMARY KEY (sandbox, key)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE snapshots (
     sandbox INTEGER NOT NULL REFERENCES sandboxes ON DELETE CASCADE,
     name TEXT NOT NULL, created_at INTEGER NOT NULL, state TEXT NOT NULL,
     PRIMARY KEY (sandbox, name)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE collections (
     sandbox INTEGER NOT NULL REFERENCES sandboxes ON DELETE CASCADE,
     snapshot TEXT NOT NULL, name ANY NOT NULL,
     next INTEGER NOT NULL, is_emptied INTEGER NOT NULL, contents INTEGER NOT NULL,
     PRIMARY KEY (sandbox, snapshot, name)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX collections_of_contents ON collections (contents)`,
];

/**
 * Brings a file to the form of this version, in one transaction that also makes it this process's
 * own. Throws {@link StoreError} for a file of something else or of a later form, and changes
 * nothing of it.
 */
export function migrate(
  database: DatabaseSync,
  file: string,
  migrations: readonly string[] = steps,
): void {
  database.exec('BEGIN EXCLUSIVE');
  try {
    const form = formOf(database, file);
    if (form > migrations.length)
      throw new StoreError(
        `--store: ${file} has form ${form}, and this version of petstore-twin reads forms up to ${migrations.length}. Update it, or choose another file.`,
      );
    for (const step of migrations.slice(form)) database.exec(step);
    if (form < migrations.length)
      database.exec(
        `PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${migrations.length}`,
      );
    database.exec('COMMIT');
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

function formOf(database: DatabaseSync, file: string): number {
  const form = pragma(database, 'user_version');
  const isOurs = pragma(database, 'application_id') === applicationId;
  const isEmpty = pragma(database, 'schema_version') === 0;
  if (!isOurs && !isEmpty)
    throw new StoreError(
      `--store: ${file} is a SQLite database of another program. Choose another file.`,
    );
  return isOurs ? form : 0;
}

function pragma(database: DatabaseSync, name: string): number {
  return Number(Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0]);
}
