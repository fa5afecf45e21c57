import { describe, it } from 'vitest';
import { useRepeatedRuns } from '../../support/repeated-runs.ts';
import { codings } from './codings.ts';
import { expectToSurvive } from './expect-to-survive.ts';
import { runVerify } from './run-verify.ts';
import { shapes } from './shapes.ts';
import { values } from './values.ts';

const verify = useRepeatedRuns('verify');

describe('a deployment that sends', { timeout: 120_000 }, () => {
  it.each([...codings, ...values, ...shapes])('$id: $about', async (row) => {
    expectToSurvive(row, await runVerify(row, verify));
  });
});
