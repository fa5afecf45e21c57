import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { openDatabase } from '../../../../mock/extras/sqlite/database.ts';
import { openFiledSandbox } from '../../../../mock/extras/sqlite/open-sqlite-backend.ts';
import { createRows } from '../../../../mock/extras/sqlite/rows.ts';
import { createWriter } from '../../../../mock/extras/sqlite/writer.ts';
import { toByteText } from '../../../../mock/json/exact-json.ts';
import { bytesOf } from '../../../../mock/state/tables.ts';
import { makeFolder } from '../../../support/make-folder.ts';
import { createPlainParts } from '../../sandboxes/plain-parts.ts';
import type { Stores } from '../../state/compared-at-close.ts';
import { comparedAtClose } from '../../state/compared-at-close.ts';
import { testStores } from '../../state/store-conformance.ts';

const folder = makeFolder();
const file = join(folder, 'a.db');
const database = openDatabase(file);
const rows = createRows(database);
const writer = createWriter(database, { file });
let sandboxes = 0;

const open: Stores['open'] = (seeds, admit) => {
  const id = (sandboxes += 1);
  const parts = createPlainParts(`s${id}`, { seeds }, { admit });
  const toInitialState = async () => parts.initialState();
  const { store } = openFiledSandbox(parts, undefined, { rows, writer, id, toInitialState });
  return comparedAtClose(store, async () => {
    writer.commit(() => {});
    return rows.collectionsOf(id);
  });
};

afterAll(() => {
  writer.close();
  database.close();
  rmSync(folder, { recursive: true });
});

// Each test ends by reading the file anew.
testStores('a store in SQLite', { open, bytesOf });

it('keeps ids apart that are no well-formed text, in the file too', async () => {
  const store = open({});
  for (const id of ['\ud800', '\udc00', 'a\ud800', '\ufffd'])
    for (const collection of ['pets', id])
      await store.put(collection, {
        ...{ id, json: toByteText(`{"id":"${collection.length}"}`), filters: {} },
      });
  await store.remove('pets', '\udc00');
  expect(await store.count('pets')).toBe(3);
  // Closing compares the store with its file.
  await store.close();
});
