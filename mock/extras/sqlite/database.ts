import { accessSync, closeSync, constants, existsSync, openSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StoreError } from '../../sandboxes/backend.ts';
import { StoreUnavailableError } from '../../state/store.ts';

/** For how long a twin that starts waits for one that is about to end, in milliseconds. */
const handover = 1000;

/** Marks the files of this program in their header ("pets"). */
const applicationId = 0x70657473;

/** The form of files; a file of another is refused. */
const form = 3;

/**
 * A sandbox has a row in `collections` for each of its collections. Names and ids are JSON texts, as
 * halves of surrogate pairs would be all alike in UTF-8.
 */
const schema = `
  CREATE TABLE twin (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE sandboxes (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL, last_used_at INTEGER NOT NULL, state TEXT NOT NULL
  ) STRICT;
  CREATE TABLE collections (
    sandbox INTEGER NOT NULL REFERENCES sandboxes ON DELETE CASCADE,
    name TEXT NOT NULL, next INTEGER NOT NULL, last_serial INTEGER NOT NULL,
    PRIMARY KEY (sandbox, name)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE items (
    sandbox INTEGER NOT NULL REFERENCES sandboxes ON DELETE CASCADE,
    collection TEXT NOT NULL, serial INTEGER NOT NULL, about TEXT NOT NULL, json TEXT NOT NULL,
    PRIMARY KEY (sandbox, collection, serial)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE snapshots (
    sandbox INTEGER NOT NULL REFERENCES sandboxes ON DELETE CASCADE,
    name TEXT NOT NULL, summary TEXT NOT NULL, state TEXT NOT NULL,
    PRIMARY KEY (sandbox, name)
  ) STRICT, WITHOUT ROWID;`;

/**
 * Opens the file of a twin, or creates it. No other process can read or write it until it is closed.
 * Throws {@link StoreError}, and then leaves a file that is there as it was.
 */
export function openDatabase(file: string, { timeout = handover } = {}): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    createFile(resolve(file));
    // An absolute path, as SQLite opens no file for ":memory:" or an empty text.
    database = new DatabaseSync(resolve(file), { timeout });
    // Before all else, so that no file of shared memory is made, which some volumes lack.
    database.exec('PRAGMA locking_mode = EXCLUSIVE');
    createTables(database, file);
    database.exec('PRAGMA journal_mode = WAL');
    database.exec('PRAGMA synchronous = FULL');
    return database;
  } catch (error) {
    database?.close();
    throw error instanceof StoreError ? error : new StoreError(fileProblem(file, error));
  }
}

/** Creates the tables of an empty file, in a transaction that also makes it this process's own. */
function createTables(database: DatabaseSync, file: string): void {
  const pragma = (name: string) =>
    Number(Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0]);
  database.exec('BEGIN EXCLUSIVE');
  try {
    const isEmpty = pragma('schema_version') === 0;
    if (isEmpty)
      database.exec(
        `${schema} PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${form}`,
      );
    else if (pragma('application_id') !== applicationId)
      throw new StoreError(
        `--store: ${file} is a SQLite database of another program. Choose another file.`,
      );
    else if (pragma('user_version') !== form)
      throw new StoreError(
        `--store: ${file} has form ${pragma('user_version')}, and this version of petstore-twin reads form ${form}. Choose another file.`,
      );
    database.exec('COMMIT');
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

/**
 * Creates a missing file that only its owner may read, as it will hold API keys. One that is there is
 * not even opened: to close it would end the locks that another twin of this process holds on it
 * (POSIX, close).
 */
function createFile(file: string): void {
  try {
    if (!existsSync(file)) closeSync(openSync(file, 'wx', 0o600));
    accessSync(file, constants.R_OK | constants.W_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StoreError(
      code === 'ENOENT'
        ? `--store: the folder ${dirname(file)} does not exist. Create it, or choose another file.`
        : `--store: this user may not read and write ${file} (${code}). Change its rights, or choose another file.`,
    );
  }
}

/** Primary result codes of SQLite. */
const codes = {
  busy: 5,
  noMemory: 7,
  readOnly: 8,
  ioError: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  notADatabase: 26,
} as const;

const known: ReadonlySet<number> = new Set(Object.values(codes));

/**
 * The primary result code of an error that SQLite gave for the state of a file or the machine;
 * undefined for another error, such as that of a wrong statement.
 */
function codeOf(error: unknown): number | undefined {
  const { errcode } = error as { errcode?: unknown };
  const code = typeof errcode === 'number' ? errcode & 0xff : -1;
  return known.has(code) ? code : undefined;
}

/** Reads a file. Throws {@link StoreError} if it is unreadable or no mock wrote it. */
export function readFrom<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof StoreError || error instanceof StoreUnavailableError) throw error;
    const isOdd = codeOf(error) === undefined && !(error instanceof SyntaxError);
    const problem = isOdd ? new DamagedError('a text has another form') : error;
    throw new StoreError(fileProblem(file, problem));
  }
}

/** A row is not as this program writes it. */
export class DamagedError extends SyntaxError {}

/** Returns the problem with a file that cannot be opened or read, and the remedy. */
export function fileProblem(file: string, error: unknown): string {
  const damaged = (how: string) =>
    `--store: ${file} is damaged (${how}). Restore a backup, or choose another file.`;
  if (error instanceof DamagedError) return damaged(error.message);
  if (error instanceof SyntaxError) return damaged('a text is no JSON');
  switch (codeOf(error)) {
    case codes.busy:
      return `--store: ${file} is in use, probably by another mock. Stop that one, or choose another file.`;
    case codes.notADatabase:
      return `--store: ${file} is not a SQLite database. Choose another file.`;
    case codes.full:
      return `--store: the disk of ${file} is full. Free some space.`;
    case codes.corrupt:
      return damaged((error as Error).message);
    default:
      return `--store: ${file} cannot be opened: ${error instanceof Error ? error.message : error}.`;
  }
}

/**
 * Returns the error for callers if SQLite could not write a file, which may pass; undefined for
 * other errors.
 */
export function toUnavailable(error: unknown, file: string): StoreUnavailableError | undefined {
  const code = codeOf(error);
  if (code === undefined) return undefined;
  const problem =
    code === codes.full
      ? `The disk of ${file} is full`
      : `${file} cannot be written (${(error as Error).message})`;
  return new StoreUnavailableError(`${problem}, so nothing was changed.`);
}
