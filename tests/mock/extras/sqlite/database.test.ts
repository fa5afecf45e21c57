import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { openDatabase } from '../../../../mock/extras/sqlite/database.ts';
import { StoreError } from '../../../../mock/sandboxes/backend.ts';
import { makeFolder } from '../../../support/make-folder.ts';

const folder = makeFolder();
const at = (name: string) => join(folder, name);

const problemOf = (file: string, options?: Parameters<typeof openDatabase>[1]): string => {
  try {
    openDatabase(file, { timeout: 0, ...options }).close();
  } catch (error) {
    expect(error).toBeInstanceOf(StoreError);
    expect((error as Error).message).not.toContain('\n');
    return (error as Error).message;
  }
  return 'none';
};

const value = (database: DatabaseSync, sql: string) =>
  Object.values(database.prepare(sql).get() ?? {})[0];

test('a file that is not there is made, for its owner alone, and syncs each commit', () => {
  const file = at('new.db');
  const database = openDatabase(file);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(value(database, 'PRAGMA journal_mode')).toBe('wal');
  expect(value(database, 'PRAGMA synchronous')).toBe(2);
  expect(value(database, 'PRAGMA user_version')).toBe(3);
  expect(value(database, 'PRAGMA busy_timeout')).toBe(1000);
  database.close();
  expect(problemOf(file)).toBe('none');
});

test.each([':memory:', 'file:a.db?mode=memory'])('%j is a name like any other', (name) => {
  const before = process.cwd();
  process.chdir(folder);
  try {
    openDatabase(name).close();
    expect(statSync(join(folder, name)).size).toBeGreaterThan(0);
  } finally {
    process.chdir(before);
  }
});

test('a folder that is missing, and a folder in place of the file', () => {
  expect(problemOf(at('none/a.db'))).toBe(
    `--store: the folder ${at('none')} does not exist. Create it, or choose another file.`,
  );
  mkdirSync(at('folder'));
  expect(problemOf(at('folder'))).toBe(
    `--store: ${at('folder')} cannot be opened: unable to open database file.`,
  );
});

test('a file that is no database stays as it is', () => {
  for (const text of ['short', 'no database '.repeat(1000)]) {
    writeFileSync(at('text'), text);
    expect(problemOf(at('text'))).toBe(
      `--store: ${at('text')} is not a SQLite database. Choose another file.`,
    );
    expect(readFileSync(at('text'), 'utf8')).toBe(text);
  }
});

test('a database of another program stays as it is', () => {
  const file = at('other.db');
  const other = new DatabaseSync(file);
  other.exec('CREATE TABLE pets (name); PRAGMA user_version = 1');
  other.close();
  const before = readFileSync(file);
  expect(problemOf(file)).toBe(
    `--store: ${file} is a SQLite database of another program. Choose another file.`,
  );
  expect(readFileSync(file)).toEqual(before);
});

test('a damaged database is refused', () => {
  const file = at('damaged.db');
  openDatabase(file).close();
  const bytes = readFileSync(file);
  bytes.fill(0x5a, 100, 4096);
  writeFileSync(file, bytes);
  expect(problemOf(file)).toContain(`--store: ${file} is damaged (`);
});

/** Returns what another process is told, as a user who may not do everything. */
const problemElsewhere = (file: string): string => {
  const module = new URL('../../../../mock/extras/sqlite/database.ts', import.meta.url).href;
  const script = `
    import { openDatabase } from ${JSON.stringify(module)};
    if (process.getuid() === 0) process.setuid(65534);
    try { openDatabase(${JSON.stringify(file)}, { timeout: 0 }); console.log('none'); }
    catch (error) { console.log(error.message); }`;
  return execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
  }).trim();
};

test('a file in use is refused, in this process and another, until it is closed', () => {
  chmodSync(folder, 0o777);
  const file = at('used.db');
  const database = openDatabase(file);
  chmodSync(file, 0o666);
  const inUse = `--store: ${file} is in use, probably by another mock. Stop that one, or choose another file.`;
  expect(problemOf(file)).toBe(inUse);
  expect(problemElsewhere(file)).toBe(inUse);
  database.close();
  expect(problemElsewhere(file)).toBe('none');
});

test('a user who may not write the file, or its folder, is told so', () => {
  chmodSync(folder, 0o755);
  mkdirSync(at('locked'), { mode: 0o555 });
  expect(problemElsewhere(at('locked/a.db'))).toBe(
    `--store: this user may not read and write ${at('locked/a.db')} (EACCES). Change its rights, or choose another file.`,
  );
  mkdirSync(at('open'));
  chmodSync(at('open'), 0o777);
  const file = at('open/a.db');
  openDatabase(file).close();
  chmodSync(file, 0o444);
  expect(problemElsewhere(file)).toBe(
    `--store: this user may not read and write ${file} (EACCES). Change its rights, or choose another file.`,
  );
});

test('a file of another form is refused and stays as it is', () => {
  const file = at('later.db');
  const database = openDatabase(file);
  database.exec('PRAGMA user_version = 4');
  database.close();
  const before = readFileSync(file);
  expect(problemOf(file)).toBe(
    `--store: ${file} has form 4, and this version of petstore-twin reads form 3. Choose another file.`,
  );
  expect(readFileSync(file)).toEqual(before);
});
