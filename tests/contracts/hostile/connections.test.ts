import { describe, it } from 'vitest';
import { useRepeatedRuns } from '../../support/repeated-runs.ts';
import { connections } from './connections.ts';
import { expectToSurvive } from './expect-to-survive.ts';
import { runVerify } from './run-verify.ts';

const verify = useRepeatedRuns('verify');

describe('a deployment that sends', { timeout: 120_000 }, () => {
  it.each(connections)('$id: $about', async (row) => {
    expectToSurvive(row, await runVerify(row, verify));
  });
});
