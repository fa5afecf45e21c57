import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongFirst } from './tests/support/long-first.ts';

const all = 'tests/**/*.test.ts';
const isAlone = (text: string) =>
  text.includes('vi.mock(') || text.includes('Alone in its process');
const isolated = globSync(all).filter((file) => isAlone(readFileSync(file, 'utf8')));

export default defineConfig({
  test: {
    globalSetup: 'tests/support/temporary-folder.ts',
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A second, the default, is too short on a busy machine.
    expect: { poll: { timeout: 15_000 } },
    // Tests that wait leave a core to another one.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongFirst },
    projects: [
      // Modules are mocked as they are loaded, or hold what a process has of one: these load their own.
      { extends: true, test: { name: 'isolated', include: isolated, isolate: true } },
      // The others share them, as most take longer to load them than to run.
      {
        extends: true,
        test: { name: 'sharing', include: [all], exclude: isolated, isolate: false },
      },
    ],
  },
});
