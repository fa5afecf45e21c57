import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { createTwin } from '../../../../package/twin.ts';
import { makeFolder } from '../../../support/watching.ts';

/** A file that a twin with many pets has left. */
async function writeStore(): Promise<string> {
  const file = join(await makeFolder(), 'twin.db');
  const twin = await createTwin({ store: `sqlite:${file}` });
  for (let index = 0; index < 300; index++)
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
