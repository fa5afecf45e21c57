import { appendFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readFileStates, type WatchOptions, watchFiles } from '../../../mock/files/watch-files.ts';
import { makeFolder } from '../../support/make-folder.ts';

/** Watches files, looking often, and counts the changes. */
async function watch(files: readonly string[], options: Partial<WatchOptions> = {}) {
  const seen = { changes: 0 };
  const onChange = async () => {
    seen.changes += 1;
    return files;
  };
  const watching = watchFiles({
    states: await readFileStates(files),
    interval: 5,
    onChange,
    ...options,
  });
  onTestFinished(() => watching.close());
  return { ...watching, seen };
}

async function writeOne(text = 'one'): Promise<string> {
  const file = join(makeFolder(), 'file.yaml');
  await writeFile(file, text);
  return file;
}

it.each<[string, (file: string) => Promise<void>]>([
  ['written over', (file) => writeFile(file, 'other')],
  ['appended to', (file) => appendFile(file, ' more')],
  [
    'replaced by another of the same size',
    (file) => writeFile(`${file}~`, 'ONE').then(() => rename(`${file}~`, file)),
  ],
  ['deleted and made anew', (file) => rm(file).then(() => writeFile(file, 'one'))],
])('sees a file that is %s, again and again', async (_, save) => {
  const file = await writeOne();
  const { seen } = await watch([file]);
  for (const count of [1, 2, 3]) {
    await save(file);
    await expect.poll(() => seen.changes).toBe(count);
  }
});

it('sees a file in a folder that was itself replaced', async () => {
  const folder = makeFolder();
  await rm(folder, { recursive: true });
  const { seen } = await watch([join(folder, 'file.yaml')]);
  const other = makeFolder();
  await writeFile(join(other, 'file.yaml'), 'one');
  await rename(other, folder);
  await expect.poll(() => seen.changes).toBe(1);
});

it('waits for a file that is empty or missing while it is saved', async () => {
  const file = await writeOne();
  const patient = await watch([file], { gracePeriod: 1e9 });
  const hasty = await watch([file], { gracePeriod: 0 });
  await truncate(file);
  await expect.poll(() => hasty.seen.changes).toBe(1);
  await rm(file);
  await expect.poll(() => hasty.seen.changes).toBe(2);
  expect(patient.seen.changes).toBe(0);
  await writeFile(file, 'other');
  await expect.poll(() => patient.seen.changes).toBe(1);
});

it('treats a file as deleted after a while', async () => {
  const file = await writeOne();
  const { seen } = await watch([file], { gracePeriod: 50 });
  await rm(file);
  await expect.poll(() => seen.changes).toBe(1);
});
