import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Report } from '../../../contracts/report/events.ts';
import { openHostile } from './open-hostile.ts';
import type { HostileRow } from './row.ts';

/** What the command made of a hostile deployment. */
export type Outcome = {
  /** The exit code, or the signal that ended it. */
  end: number | string | null;
  /** All that it printed. */
  output: string;
  report: Report | undefined;
  /** The kinds of report that it wrote. */
  written: string[];
  seconds: number;
  /** The most memory that it held. */
  mebibytes: number;
};

const program = fileURLToPath(new URL('../../../contracts/main.ts', import.meta.url));
const measure = fileURLToPath(new URL('measure.ts', import.meta.url));
const kinds = ['json', 'junit', 'html', 'markdown'];

/** No run is given longer than this, in milliseconds. */
const patience = 60_000;

/**
 * Runs the command against a row's deployment in a process of its own, with every kind of report.
 */
export async function runVerify(row: HostileRow): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'hostile-'));
  const deployment = await openHostile(row);
  try {
    const files = kinds.flatMap((kind) => [`--${kind}`, join(folder, kind)]);
    const keys = ['free=k-free-1', 'free=k-free-2', 'pro=k-pro-1'].flatMap((key) => ['--key', key]);
    const args = [
      program,
      '--target',
      deployment.url,
      '--no-mock',
      ...keys,
      ...files,
      '--github',
      ...(row.options ?? []),
    ];
    const started = performance.now();
    const child = spawn(process.execPath, ['--import', measure, ...args], {
      env: { ...process.env, MEASURED: join(folder, 'measured'), NODE_OPTIONS: '' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (chunk) => (output += chunk));
    const timer = setTimeout(() => child.kill('SIGKILL'), patience);
    const end = await new Promise<Outcome['end']>((resolve) => {
      child.once('close', (code, signal) => resolve(code ?? signal));
    });
    clearTimeout(timer);
    const written = kinds.filter((kind) => existsSync(join(folder, kind)));
    const measured = join(folder, 'measured');
    return {
      end,
      output,
      report: written.includes('json')
        ? JSON.parse(readFileSync(join(folder, 'json'), 'utf8'))
        : undefined,
      written,
      seconds: (performance.now() - started) / 1000,
      mebibytes: existsSync(measured)
        ? Number(readFileSync(measured, 'utf8'))
        : Number.POSITIVE_INFINITY,
    };
  } finally {
    await deployment.close();
    rmSync(folder, { recursive: true });
  }
}
