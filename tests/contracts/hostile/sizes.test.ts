import { describe, it } from 'vitest';
import { useVerifyProcess } from '../../support/verify-process.ts';

import { expectToSurvive } from './expect-to-survive.ts';
import { runVerify } from './run-verify.ts';
import { sizes } from './sizes.ts';

const verify = useVerifyProcess();

describe('a deployment that sends', { timeout: 120_000 }, () => {
  it.each(sizes)('$id: $about', async (row) => {
    expectToSurvive(row, await runVerify(row, verify));
  });
});
