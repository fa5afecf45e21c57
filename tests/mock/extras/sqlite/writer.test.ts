import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../../mock/extras/sqlite/database.ts';
import { createWriter } from '../../../../mock/extras/sqlite/writer.ts';
import { StoreUnavailableError } from '../../../../mock/state/store.ts';

const folder = mkdtempSync(join(tmpdir(), 'twin-writer-'));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;

function open() {
  const file = join(folder, `${++files}.db`);
  const database = openDatabase(file);
  database.exec('CREATE TABLE t (x TEXT)');
  const problems: (string | undefined)[] = [];
  const writer = createWriter(database, {
    file,
    onChange: (problem) => problems.push(problem),
  });
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
  const { writer, add, texts } = open();
  let done = 0;
  writer.due(() => {
    add('due');
    return () => (done += 1);
  });
  writer.commit(() => add('a'));
  expect([texts(), done]).toEqual([['due', 'a'], 1]);
  expect(() =>
    writer.commit(() => {
      add('b');
      throw new Error('not this');
    }),
  ).toThrow('not this');
  expect([texts(), done]).toEqual([['due', 'a'], 1]);
});

test('what is due is written once in a turn of the event loop', async () => {
  const { writer, add, texts } = open();
  let flushed = 0;
  const flush = () => {
    flushed += 1;
    add(`flush ${flushed}`);
    return undefined;
  };
  for (let call = 0; call < 5; call++) writer.due(flush);
  expect(texts()).toEqual([]);
  await setImmediate();
  await setImmediate();
  expect(texts()).toEqual(['flush 1']);
  writer.due(flush);
  writer.close();
  expect(texts()).toEqual(['flush 1', 'flush 2']);
});

test('a full disk refuses what does not fit, keeps what is due, and recovers by itself', async () => {
  const { file, database, writer, problems, add, texts } = open();
  const full = `The disk of ${file} is full, so nothing was changed.`;
  writer.commit(() => add('a'));
  const empty = fill(database);
  expect(() => writer.commit(() => add(large))).toThrow(new StoreUnavailableError(full));
  expect(() => writer.commit(() => add(large))).toThrow(StoreUnavailableError);
  expect([texts(), problems, writer.problem()]).toEqual([['a'], [full], full]);
  let done = 0;
  writer.due(() => {
    add(large);
    return () => (done += 1);
  });
  await setTimeout(20);
  expect([texts(), done]).toEqual([['a'], 0]);
  empty();
  await expect.poll(() => done).toBe(1);
  expect([texts(), problems, writer.problem()]).toEqual([
    ['a', large],
    [full, undefined],
    undefined,
  ]);
});

test('a commit is synced, and what may be lost with the power is not', async () => {
  const { database, writer } = open();
  const levels: unknown[] = [];
  const look = () => levels.push(database.prepare('PRAGMA synchronous').get()?.synchronous);
  writer.commit(look);
  writer.due(() => void look());
  await setImmediate();
  await setImmediate();
  writer.commit(look);
  expect(levels).toEqual([2, 1, 2]);
});

test('a writer that is closed refuses what comes late, and ends no process over it', async () => {
  const { file, database, writer, add } = open();
  const uncaught: unknown[] = [];
  const listen = (error: unknown) => uncaught.push(error);
  process.on('uncaughtException', listen);
  onTestFinished(() => void process.off('uncaughtException', listen));
  writer.close();
  database.exec('DROP TABLE t');
  writer.due(() => void add('late'));
  await setImmediate();
  await setImmediate();
  expect(uncaught).toEqual([]);
  expect(() => writer.commit(() => add('late'))).toThrow(
    new StoreUnavailableError(
      `${file} is closed, as the twin has stopped, so nothing was changed.`,
    ),
  );
  writer.close();
});
