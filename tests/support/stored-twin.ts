import { copyFileSync, existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Config } from '../../mock/settings/settings.ts';
import { makeFolder } from './make-folder.ts';
import { openTestTwin, type TestTwin } from './twin.ts';

/** A twin on a file of its own that is stopped and started again. */
export type StoredTwin = {
  file: string;
  /** The one that runs. */
  twin(): TestTwin;
  /** Stops the one that runs, and starts one that goes on with its file. */
  restart(settings?: Partial<Config>): Promise<TestTwin>;
  /** Leaves the one that runs, and starts one on its file as a crash at this moment leaves it. */
  crash(settings?: Partial<Config>): Promise<TestTwin>;
};

/** Starts a twin on a new file; all of it ends with the test. */
export async function startStoredTwin(settings: Partial<Config> = {}): Promise<StoredTwin> {
  const folder = makeFolder();
  let file = join(folder, 'twin.db');
  let crashes = 0;
  const open = (more: Partial<Config> = {}) =>
    openTestTwin({ ...settings, store: `sqlite:${file}`, ...more });
  let twin = await open();
  const left: TestTwin[] = [];
  onTestFinished(async () => {
    for (const one of [...left, twin]) await one.close();
    await rm(folder, { recursive: true, force: true });
  });
  return {
    get file() {
      return file;
    },
    twin: () => twin,
    async restart(more) {
      await twin.close();
      return (twin = await open(more));
    },
    async crash(more) {
      left.push(twin);
      const copy = join(folder, `crash-${(crashes += 1)}.db`);
      for (const suffix of ['', '-wal'])
        if (existsSync(file + suffix)) copyFileSync(file + suffix, copy + suffix);
      file = copy;
      return (twin = await open(more));
    },
  };
}
