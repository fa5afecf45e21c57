import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../../mock/extras/sqlite/database.ts';
import { createWriter } from '../../../../mock/extras/sqlite/writer.ts';
import { StoreUnavailableError } from '../../../../mock/state/store.ts';
import { makeFolder } from '../../../support/make-folder.ts';

const folder = makeFolder();

let files = 0;

function open() {
  const file = join(folder, `${++files}.db`);
  const database = openDatabase(file);
  database.exec('CREATE TABLE t (x TEXT)');
  const problems: (string | undefined)[] = [];
  const writer = createWriter(database, { file, onChange: (problem) => problems.push(problem) });
  onTestFinished(() => database.close());
  const insert = database.prepare('INSERT INTO t VALUES (?)');
  const texts = () =>
    database
      .prepare('SELECT x FROM t')
      .all()
      .map(({ x }) => x);
  return { file, database, writer, problems, add: (text: string) => insert.run(text), texts };
}

/** Takes the space of a file, and gives it back. */
function fill(database: DatabaseSync) {
  const { page_count: pages } = database.prepare('PRAGMA page_count').get() as {
    page_count: number;
  };
  database.exec(`PRAGMA max_page_count = ${pages}`);
  return () => database.exec('PRAGMA max_page_count = 1000000');
}

const large = 'x'.repeat(100_000);

test('a commit writes all of it and what is due, or nothing', () => {
  const { database, writer, add, texts } = open();
  const empty = fill(database);
  writer.due(() => void add(large));
  expect(texts()).toEqual([]);
  empty();
  expect(writer.commit(() => add('a')).changes).toBe(1);
  expect(texts()).toEqual([large, 'a']);
  expect(() =>
    writer.commit(() => {
      add('b');
      throw new Error('not this');
    }),
  ).toThrow('not this');
  expect(texts()).toEqual([large, 'a']);
});

test('what is due is written at once, and what cannot be written is written once later', () => {
  const { database, writer, add, texts } = open();
  let written = 0;
  const write = () => void add(`${(written += 1)}`);
  writer.due(write);
  expect(texts()).toEqual(['1']);
  database.exec('PRAGMA query_only = 1');
  for (let call = 0; call < 5; call++) writer.due(write);
  database.exec('PRAGMA query_only = 0');
  writer.close();
  expect(texts()).toEqual(['1', '2']);
});

test('a full disk refuses what does not fit, keeps what is due, and recovers by itself', async () => {
  const { file, database, writer, problems, add, texts } = open();
  const full = `The disk of ${file} is full, so nothing was changed.`;
  writer.commit(() => add('a'));
  const empty = fill(database);
  expect(() => writer.commit(() => add(large))).toThrow(new StoreUnavailableError(full));
  expect(() => writer.commit(() => add(large))).toThrow(StoreUnavailableError);
  expect([texts(), problems, writer.problem()]).toEqual([['a'], [full], full]);
  writer.due(() => void add(large));
  expect(texts()).toEqual(['a']);
  empty();
  await expect.poll(() => texts().length).toBe(2);
  expect([texts(), problems, writer.problem()]).toEqual([
    ['a', large],
    [full, undefined],
    undefined,
  ]);
});

test('a commit is synced, and what may be lost with the power is not', () => {
  const { database, writer } = open();
  const levels: unknown[] = [];
  const look = () => levels.push(database.prepare('PRAGMA synchronous').get()?.synchronous);
  writer.commit(look);
  writer.due(() => void look());
  writer.commit(look);
  expect(levels).toEqual([2, 1, 2]);
});

test('a writer that is closed refuses what comes late, and throws nothing over what is due', () => {
  const { file, database, writer, add } = open();
  writer.close();
  database.exec('DROP TABLE t');
  writer.due(() => void add('late'));
  expect(() => writer.commit(() => add('late'))).toThrow(
    new StoreUnavailableError(
      `${file} is closed, as the mock has stopped, so nothing was changed.`,
    ),
  );
  writer.close();
});
