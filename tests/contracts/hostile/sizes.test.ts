import { describe, it, vi } from 'vitest';
import { expectToSurvive } from './expect-to-survive.ts';
import { sampleOf } from './row.ts';
import { runAlone, runVerify } from './run-verify.ts';
import { sizes } from './sizes.ts';

vi.setConfig({ maxConcurrency: 2 });

// Each in a process of its own: what one run leaves in a heap would count for the next.
describe.concurrent('a deployment that sends', { timeout: 120_000 }, () => {
  it.each(sampleOf(sizes))('$id: $about', async (row) => {
    expectToSurvive(row, await runVerify(row, runAlone));
  });
});
