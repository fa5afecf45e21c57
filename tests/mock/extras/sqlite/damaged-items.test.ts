import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { openDatabase } from '../../../../mock/extras/sqlite/database.ts';
import { createRows } from '../../../../mock/extras/sqlite/rows.ts';
import { createTwin } from '../../../../package/twin.ts';
import { makeFolder } from '../../../support/make-folder.ts';
import { startTwin } from '../../../support/twin.ts';

/** A file that a twin with many pets has left. */
async function writeStore(count = 300): Promise<string> {
  const file = join(makeFolder(), 'twin.db');
  const twin = await createTwin({ store: `sqlite:${file}` });
  for (let index = 0; index < count; index++)
    await twin.data.create('pets', { name: `Rex ${'x'.repeat(200)} ${index}`, categoryId: 1 });
  await twin.close();
  return file;
}

const problemOf = (file: string) =>
  createTwin({ store: `sqlite:${file}` }).then(
    async (twin) => {
      await twin.close();
      return 'none';
    },
    (error: Error) => error.message,
  );

it('says that pages after the first ones are damaged', async () => {
  const file = await writeStore();
  const bytes = readFileSync(file);
  bytes.fill(0xaa, 64 * 1024);
  writeFileSync(file, bytes);
  expect(await problemOf(file)).toBe(
    `store: ${file} is damaged (database disk image is malformed). Restore a backup, or choose another file.`,
  );
});

it('says that an item is damaged', async () => {
  const file = await writeStore();
  const database = new DatabaseSync(file);
  database.exec(`UPDATE items SET about = '{'`);
  database.close();
  expect(await problemOf(file)).toBe(
    `store: ${file} is damaged (a text is no JSON). Restore a backup, or choose another file.`,
  );
});

/** Texts that no twin writes in these columns, and rows that it always writes. */
const texts = [
  '{',
  '',
  'null',
  '5',
  '[]',
  '{}',
  '[null]',
  '[[1]]',
  '{"limits":[]}',
  '[1,{}]',
  '["1",{"a":1}]',
];
const columns = [
  'sandboxes.state',
  'collections.name',
  'items.about',
  'items.json',
  'items.collection',
];
const damages = columns.flatMap((place) => {
  const [table, column] = place.split('.');
  const others = place === 'items.json' ? texts.filter((text) => !text.endsWith('}')) : texts;
  return others.map((text) => `UPDATE ${table} SET ${column} = '${text}' WHERE row = 0`);
});

it('says of each damage of a row that it is damaged', async () => {
  const whole = await writeStore(2);
  const all = [
    ...damages,
    'DELETE FROM collections',
    'UPDATE collections SET next = -1',
    "UPDATE twin SET value = '{' WHERE name = 'fingerprint'",
    "UPDATE twin SET value = '[' WHERE name = 'fingerprint'",
  ];
  for (const [index, statement] of all.entries()) {
    const file = `${whole}-${index}`;
    copyFileSync(whole, file);
    const database = new DatabaseSync(file);
    const [, table] = /^UPDATE (\w+)/.exec(statement) ?? [];
    const one = `(sandbox, collection, serial) = (SELECT sandbox, collection, serial FROM items LIMIT 1)`;
    database.exec(statement.replace('WHERE row = 0', table === 'items' ? `WHERE ${one}` : ''));
    database.close();
    const damaged = /^store: .* is damaged \(.*\)\. Restore a backup, or choose another file\.$/;
    expect([statement, await problemOf(file)]).toEqual([statement, expect.stringMatching(damaged)]);
    // A file that was refused is free again.
    new DatabaseSync(file, { timeout: 0 }).exec('BEGIN EXCLUSIVE; ROLLBACK');
  }
});

it('answers calls of a damaged snapshot with the reason, and serves on', async () => {
  const file = await writeStore(1);
  const store = `sqlite:${file}`;
  const saving = await startTwin({ store });
  await fetch(`${saving.origin}/__admin/snapshots/a`, { method: 'PUT' });
  await saving.close();
  for (const column of ['state', 'summary'])
    for (const text of ['{', 'null', '[1,{}]']) {
      const own = `${file}-${column}`;
      copyFileSync(file, own);
      const database = new DatabaseSync(own);
      database.exec(`UPDATE snapshots SET ${column} = '${text}'`);
      database.close();
      const twin = await startTwin({ store: `sqlite:${own}` });
      const restored = await fetch(`${twin.origin}/__admin/snapshots/a/restore`, {
        method: 'POST',
      });
      expect([column, text, restored.status]).toEqual([column, text, 503]);
      expect(await restored.text()).toContain('A row of snapshots is damaged');
      const data = await fetch(`${twin.origin}/__admin/data/pets`);
      expect(data.status).toBe(200);
      const removed = await fetch(`${twin.origin}/__admin/snapshots/a`, { method: 'DELETE' });
      expect(removed.status).toBe(204);
      await twin.close();
    }
});

it('calls no snapshot damaged where the file itself cannot be read', async () => {
  const database = openDatabase(join(makeFolder(), 'twin.db'));
  const { snapshotsOf } = createRows(database);
  database.close();
  for (const act of ['summaries', 'get'] as const)
    expect(() => snapshotsOf(1)[act]('any')).toThrow(/not open/);
});
