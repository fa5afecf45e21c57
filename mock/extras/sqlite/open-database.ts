import { accessSync, closeSync, constants, openSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StoreError } from '../../sandboxes/backend.ts';
import { migrate } from './schema.ts';
import { codeOf, sqliteCodes } from './sqlite-errors.ts';

/** For how long a twin that starts waits for one that is about to end, in milliseconds. */
const handover = 1000;

export type OpenDatabaseOptions = { timeout?: number; migrations?: readonly string[] };

/**
 * Opens the file of a twin, creates it where there is none, and brings it to the form of this
 * version. No other process can read or write it until it is closed. Throws
 * {@link StoreError}, and then leaves a file that is there as it was.
 */
export function openDatabase(
  file: string,
  { timeout = handover, migrations }: OpenDatabaseOptions = {},
): DatabaseSync {
  ensureAccess(resolve(file));
  let database: DatabaseSync | undefined;
  try {
    // An absolute path, as SQLite opens no file for ":memory:" or an empty text.
    database = new DatabaseSync(resolve(file), { timeout });
    // Before all else, so that no file of shared memory is made, which some volumes lack.
    database.exec('PRAGMA locking_mode = EXCLUSIVE');
    migrate(database, file, migrations);
    database.exec('PRAGMA journal_mode = WAL');
    database.exec('PRAGMA synchronous = FULL');
    return database;
  } catch (error) {
    database?.close();
    throw error instanceof StoreError ? error : new StoreError(fileProblem(file, error));
  }
}

/** Tells missing folders and rights apart, which are all one to SQLite. */
function ensureAccess(file: string): void {
  const folder = dirname(file);
  const refuse = (problem: string) => {
    throw new StoreError(`--store: ${problem}`);
  };
  let isFolder: boolean | undefined;
  try {
    isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory();
  } catch {
    refuse(`this user may not open ${folder}. Change the rights of the folders above it.`);
  }
  if (isFolder === undefined)
    refuse(`the folder ${folder} does not exist. Create it, or choose another file.`);
  if (!isFolder) refuse(`${folder} is a file, not a folder.`);
  try {
    // SQLite writes a second file beside it.
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    refuse(
      isReadOnly(error)
        ? `${folder} is read-only. Choose another folder.`
        : `this user may not create files in ${folder}. Change its rights, or choose another folder.`,
    );
  }
  try {
    if (!createFile(file)) accessSync(file, constants.R_OK | constants.W_OK);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (isReadOnly(error)) refuse(`${file} is read-only. Choose another file.`);
    if (code === 'ENOSPC') refuse(`the disk of ${file} is full. Free some space.`);
    refuse(
      code === 'EACCES' || code === 'EPERM'
        ? `this user may not read and write ${file}. Change its rights, or choose another file.`
        : `${file} cannot be opened: ${message}.`,
    );
  }
  if (statSync(file).isDirectory()) refuse(`${file} is a folder. Choose a file in it.`);
}

/**
 * Creates a file that only its owner may read, as it will hold API keys; false where there is one.
 * That is not even opened: to close it would end the locks that another twin of this process holds
 * on it (POSIX, close).
 */
function createFile(file: string): boolean {
  try {
    closeSync(openSync(file, 'wx', 0o600));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function isReadOnly(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'EROFS';
}

/** What is wrong with a file that cannot be opened or read, and what to do. */
export function fileProblem(file: string, error: unknown): string {
  const damaged = (how: string) =>
    `--store: ${file} is damaged (${how}). Restore a backup, or choose another file.`;
  // Each text of the file that is parsed was written as JSON.
  if (error instanceof SyntaxError) return damaged('an item is no JSON');
  switch (codeOf(error)) {
    case sqliteCodes.busy:
      return `--store: ${file} is in use, probably by another twin. Stop that one, or choose another file.`;
    case sqliteCodes.notADatabase:
      return `--store: ${file} is not a SQLite database. Choose another file.`;
    case sqliteCodes.full:
      return `--store: the disk of ${file} is full. Free some space.`;
    case sqliteCodes.corrupt:
      return damaged((error as Error).message);
    default:
      return `--store: ${file} cannot be opened: ${error instanceof Error ? error.message : error}.`;
  }
}
