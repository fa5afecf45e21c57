import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { openSandboxFile } from '../../../../mock/extras/sqlite/sandbox-file.ts';
import { createSandboxLog } from '../../../../mock/extras/sqlite/sandbox-log.ts';
import { toByteText } from '../../../../mock/json/exact-json.ts';
import { createMemoryStores } from '../../../../mock/state/memory-store.ts';
import { createMirroredStore } from '../../../../mock/state/mirrored-store.ts';
import type { OpenStore } from '../../../../mock/state/store.ts';
import { comparedAtClose } from '../../state/compared-at-close.ts';
import { testStores } from '../../state/store-conformance.ts';

const folder = mkdtempSync(join(tmpdir(), 'twin-sqlite-store-'));
const memory = createMemoryStores();
const file = openSandboxFile(join(folder, 'a.db'), { memory });
let sandboxes = 0;

const open: OpenStore = (seeds, admit) => {
  const id = (sandboxes += 1);
  file.writer.commit(() =>
    file.sandboxes.insert({ id, name: `s${id}`, createdAt: 0, lastUsedAt: 0, control: '' }),
  );
  const log = createSandboxLog({
    file,
    sandbox: id,
    seedNames: () => Object.keys(seeds),
    writeWhole() {},
  });
  const store = createMirroredStore({ memory, log, seeds, admit });
  return comparedAtClose(store, () =>
    createMirroredStore({
      memory: createMemoryStores(),
      log,
      seeds,
      differences: file.contents.read(file.collections.read({ sandbox: id })),
    }).save(),
  );
};

afterAll(() => {
  file.close();
  rmSync(folder, { recursive: true });
});

// Each test ends by reading the file anew.
testStores('a store in SQLite', { open, bytesOf: memory.bytesOf });

it('keeps ids apart that are no well-formed text, in the file too', async () => {
  const store = open({});
  for (const id of ['\ud800', '\udc00', 'a\ud800', '\ufffd'])
    for (const collection of ['pets', id])
      await store.put(collection, { id, json: toByteText(`"${collection.length}"`), filters: {} });
  await store.remove('pets', '\udc00');
  expect(await store.count('pets')).toBe(3);
  // Closing compares the store with its file.
  await store.close();
});
