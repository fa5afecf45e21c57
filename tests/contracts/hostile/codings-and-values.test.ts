import { describe, it } from 'vitest';
import { useVerifyProcess } from '../../support/verify-process.ts';
import { codings } from './codings.ts';
import { expectToSurvive } from './expect-to-survive.ts';
import { runVerify } from './run-verify.ts';
import { values } from './values.ts';

const verify = useVerifyProcess();

describe('a deployment that sends', { timeout: 120_000 }, () => {
  it.each([...codings, ...values])('$id: $about', async (row) => {
    expectToSurvive(row, await runVerify(row, verify));
  });
});
