import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Report } from '../../../contracts/report/events.ts';
import { makeFolder } from '../../support/make-folder.ts';
import type { MeasuredRun } from '../../support/repeating-process.ts';
import { projectFile } from '../../support/twin.ts';
import { openHostile } from './open-hostile.ts';
import type { HostileRow } from './row.ts';

/** Describes what the command made of a hostile deployment. */
export type Outcome = MeasuredRun & {
  report: Report | undefined;
  /** The kinds of report that it wrote. */
  written: string[];
};

type RunCommand = (args: readonly string[]) => Promise<MeasuredRun>;

const kinds = ['json', 'junit', 'html', 'markdown'];

/** No run is given longer than this, in milliseconds. */
const patience = 60_000;

/** Leaves limits untried, which would take a third longer and change nothing here. */
const atOnce = ['--no-probe-limits', '--wait', '0'];

/** Runs the command against a row's deployment, with every kind of report. */
export async function runVerify(row: HostileRow, runCommand: RunCommand): Promise<Outcome> {
  const folder = makeFolder();
  const deployment = await openHostile(row);
  try {
    const files = kinds.flatMap((kind) => [`--${kind}`, join(folder, kind)]);
    const keys = ['free=k-free-1', 'free=k-free-2', 'pro=k-pro-1'].flatMap((key) => ['--key', key]);
    const target = ['--target', deployment.url, '--no-mock', ...keys];
    const run = await runCommand([...target, ...files, '--github', ...(row.options ?? atOnce)]);
    const written = kinds.filter((kind) => existsSync(join(folder, kind)));
    const report = written.includes('json')
      ? JSON.parse(readFileSync(join(folder, 'json'), 'utf8'))
      : undefined;
    return { ...run, report, written };
  } finally {
    await deployment.close();
    rmSync(folder, { recursive: true });
  }
}

/** Runs the command as a user does, in a process for this run alone. */
export async function runAlone(args: readonly string[]): Promise<MeasuredRun> {
  const folder = makeFolder();
  const measured = join(folder, 'mebibytes');
  const measure = fileURLToPath(new URL('measure.ts', import.meta.url));
  const child = spawn(
    process.execPath,
    ['--import', measure, projectFile('contracts/main.ts'), ...args],
    {
      env: { ...process.env, MEASURED: measured, NODE_OPTIONS: '' },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (chunk) => (stdout += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk) => (stderr += chunk));
  const timer = setTimeout(() => child.kill('SIGKILL'), patience);
  const code = await new Promise<MeasuredRun['code']>((resolve) => {
    child.once('close', (code, signal) => resolve(code ?? signal));
  });
  clearTimeout(timer);
  const mebibytes = existsSync(measured)
    ? Number(readFileSync(measured, 'utf8'))
    : Number.POSITIVE_INFINITY;
  rmSync(folder, { recursive: true });
  return { code, stdout, stderr, mebibytes };
}
