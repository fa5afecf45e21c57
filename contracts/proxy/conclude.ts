import { count } from '../cli/count.ts';
import { publishReport } from '../command/publish-report.ts';
import { say } from '../look/print.ts';
import type { Finished } from './judge-thread.ts';
import type { ProxyOptions } from './options.ts';

/** Writes the reports on what passed, and gives the exit code. */
export async function conclude(
  options: ProxyOptions,
  { report, archive }: Finished,
  env: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  const { quiet, har } = options;
  const code = await publishReport(report, { ...options, say: (text) => say('proxy', text) }, env);
  if (archive?.failure !== undefined) {
    say('proxy', archive.failure);
    return code === 0 ? 2 : code;
  }
  if (archive && !quiet) {
    const { written, leftOut } = archive;
    const without = leftOut > 0 ? `, ${leftOut} left out as the disk was too slow` : '';
    say('proxy', `Recorded ${count(written, 'exchange')} in ${har}${without}.`);
  }
  return code;
}
