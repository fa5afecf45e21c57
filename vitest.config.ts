import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig, type Plugin } from 'vitest/config';
import { LongFirst } from './tests/support/long-first.ts';

const all = 'tests/**/*.test.ts';
// The tests of our own tools run with all tests alone, and with `npm run test:tools`.
const left = process.env.TESTS === 'all' ? [] : ['tests/tools/**'];
const isAlone = (text: string) =>
  text.includes('vi.mock(') || text.includes('Alone in its process');
const isolated = globSync(all).filter((file) => isAlone(readFileSync(file, 'utf8')));

/** Keeps no transformed modules of temporary folders, as no later run loads them. */
const cacheOwn: Plugin = {
  name: 'cache-own',
  configureVitest: ({ defineCacheKeyGenerator }) =>
    defineCacheKeyGenerator(({ id }) => (id.startsWith(import.meta.dirname) ? undefined : false)),
};

export default defineConfig({
  plugins: [cacheOwn],
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
      {
        extends: true,
        test: { name: 'isolated', include: isolated, exclude: left, isolate: true },
      },
      // The others share them, as most take longer to load them than to run.
      {
        extends: true,
        test: { name: 'sharing', include: [all], exclude: [...isolated, ...left], isolate: false },
      },
    ],
  },
});
