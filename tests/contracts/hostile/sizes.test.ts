import { describe, it, vi } from 'vitest';
import { everyNth } from '../../support/sample.ts';
import { expectToSurvive } from './expect-to-survive.ts';
import { runAlone, runVerify } from './run-verify.ts';
import { sizes } from './sizes.ts';

vi.setConfig({ maxConcurrency: 2 });

// Each in a process of its own: what one run leaves in a heap would count for the next.
describe.concurrent('a deployment that sends', { timeout: 120_000 }, () => {
  it.each(everyNth(8, sizes))('$id: $about', async (row) => {
    expectToSurvive(row, await runVerify(row, runAlone));
  });
});
