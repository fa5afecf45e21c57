import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { UsageError } from '../../../contracts/cli/usage-error.ts';
import { writeReports } from '../../../contracts/command/write-reports.ts';
import { drifted } from '../../support/report.ts';

it('writes what it can where a report cannot be written, and says so at the end', async () => {
  const at = mkdtempSync(join(tmpdir(), 'reports-'));
  const files = { json: join(at, 'no-such-folder', 'report.json'), junit: join(at, 'report.xml') };
  const written = writeReports(drifted, {
    ...files,
    ...{ github: false, stepSummary: undefined, strict: false },
  });
  await expect(written).rejects.toThrow(
    new UsageError(`--json ${files.json} could not be written (ENOENT).`),
  );
  expect(readFileSync(files.junit, 'utf8')).toContain('<testsuites');
});
