import { describe, it, vi } from 'vitest';
import { useRepeatedRuns } from '../../support/repeated-runs.ts';
import { codings } from './codings.ts';
import { expectToSurvive } from './expect-to-survive.ts';
import { sampleOf } from './row.ts';
import { runVerify } from './run-verify.ts';
import { shapes } from './shapes.ts';
import { values } from './values.ts';

// Most of a run waits.
vi.setConfig({ maxConcurrency: 2 });
const verify = useRepeatedRuns('verify', { processes: 2 });

describe.concurrent('a deployment that sends', { timeout: 240_000 }, () => {
  it.each(sampleOf({ ...codings, ...values, ...shapes }))('$id: $about', async (row) => {
    expectToSurvive(row, await runVerify(row, verify));
  });
});
