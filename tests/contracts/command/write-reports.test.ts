import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { UsageError } from '../../../common/cli/usage-error.ts';
import { runCommand } from '../../../contracts/command/run-command.ts';
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

it('writes an annotation where a run ends with 2, whatever the reason', async () => {
  const cases = [
    ['--nonsense', "Unknown option '--nonsense'. See --help."],
    ['--baseline=none.json', '--baseline none.json cannot be read: there is no such file.'],
  ];
  for (const [option = '', why = ''] of cases) {
    const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const code = await runCommand(['--github', option], { env: {}, command: 'verify' });
    const [[annotation] = []] = written.mock.calls;
    written.mockRestore();
    said.mockRestore();
    expect([code, annotation]).toEqual([2, `::error title=petstore-twin verify::${why}\n`]);
  }
});
