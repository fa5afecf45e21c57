import { describe, it, vi } from 'vitest';
import { connections } from './connections.ts';
import { expectToSurvive } from './expect-to-survive.ts';
import { runAlone, runVerify } from './run-verify.ts';

// More runs side by side would only wait for each other.
vi.setConfig({ maxConcurrency: 2 });

describe.concurrent('a deployment that sends', { timeout: 120_000 }, () => {
  it.each(connections)('$id: $about', async (row) => {
    expectToSurvive(row, await runVerify(row, runAlone));
  });
});
