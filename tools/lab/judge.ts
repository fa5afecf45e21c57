import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { forLocalhost } from '../../tests/support/tls.ts';
import type { Deployment } from './deployment.ts';
import { openRewritingProxy } from './rewriting-proxy.ts';
import type { Row } from './row.ts';
import { type Setting, type SettingName, settings } from './settings.ts';

type Finding = Found & { related: Found[] };

type Found = {
  verdict: string;
  check: string;
  message: string;
  expected: string;
  actual: string;
  clause?: { source?: string };
};

/**
 * What the command must do with a row: find it, leave it alone, or say that its address is wrong.
 */
export type RowKind = 'broken' | 'fair' | 'misaddressed';

/** What became of one check. */
export type CheckResult = { verdict: string; held: number; reason?: string };

type Report = {
  verdict: string;
  findings: Finding[];
  clauses: { id: string; results: Record<string, CheckResult> }[];
};

/** What the command said about one deployment. `drift` holds the findings that gate. */
export type Judgement = {
  id: string;
  setting: SettingName;
  family: string;
  about: string;
  clause: string;
  kind: RowKind;
  right: boolean;
  exitCode: number | null;
  verdict: string;
  drift: Finding[];
  /** What the checks found that does not gate. */
  others: Finding[];
  /** Whether a finding names a section that the row names. */
  fits: boolean;
  seconds: number;
  requests: number;
  /** By check; empty where there is no report. */
  checks: Record<string, CheckResult>;
  /** What the command wrote, where there is no report of it. */
  output?: string;
};

const command = fileURLToPath(new URL('../../contracts/main.ts', import.meta.url));
const twin = fileURLToPath(new URL('../../mock/main.ts', import.meta.url));
/** The keys of a deployment, as the command line takes them. */
export const defaultKeys = ['free=k-free-1', 'free=k-free-2', 'pro=k-pro-1'];
const twinKeys = { 'k-free-1': 'free', 'k-free-2': 'free', 'k-pro-1': 'pro' };
const patience = 90_000;
const trusting = { ...process.env, NODE_EXTRA_CA_CERTS: forLocalhost.tlsCert };

/**
 * Starts a row's deployment, runs the command against it, and tells whether it said the right
 * thing.
 */
export async function judge(
  row: Row,
  kind: RowKind,
  setting: SettingName = 'plain',
): Promise<Judgement> {
  const folder = await mkdtemp(join(tmpdir(), 'kill-rate-'));
  const deployment = await openRow(row, settings[setting], folder);
  try {
    const file = join(folder, 'report.json');
    const keys = (row.keys ?? defaultKeys).flatMap((key) => ['--key', key]);
    const started = performance.now();
    const ran = await run([
      command,
      '--target',
      row.given?.(deployment.url) ?? deployment.url,
      '--no-mock',
      ...keys,
      '--json',
      file,
      '--quiet',
    ]);
    const seconds = (performance.now() - started) / 1000;
    const report = await readReport(file);
    const drift = (report?.findings ?? []).filter(
      ({ verdict }) => verdict === 'drift' || verdict === 'unanswered',
    );
    const others = (report?.findings ?? []).filter(
      ({ verdict }) => verdict === 'standard' || verdict === 'disagreement',
    );
    const verdict = report?.verdict ?? 'none';
    const found =
      ran.exitCode === 1 && (verdict === 'drift' || verdict === 'unanswered') && drift.length > 0;
    const isReported = ran.exitCode === 2 && row.says?.test(ran.output.trim()) === true;
    return {
      ...{
        id: row.id,
        setting,
        family: row.family,
        about: row.about,
        clause: row.clause,
        kind,
        exitCode: ran.exitCode,
        verdict,
        drift,
        others,
      },
      right: {
        broken: found && drift.every(({ check }) => row.only?.includes(check) ?? true),
        fair: ran.exitCode === 0 && drift.length === 0,
        misaddressed: isReported,
      }[kind],
      fits: drift
        .flatMap((finding) => [finding, ...finding.related])
        .some(({ clause }) =>
          sections(clause?.source).some((section) => sections(row.clause).includes(section)),
        ),
      seconds,
      requests: deployment.calls(),
      checks: Object.fromEntries(
        (report?.clauses ?? []).map(({ id, results }) => [id, results.target as CheckResult]),
      ),
      ...(!report && { output: ran.output.slice(-600) }),
    };
  } finally {
    await deployment.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Starts a row's deployment in a setting; a folder takes what it needs on disk. */
export async function openRow(row: Row, setting: Setting, folder: string): Promise<Deployment> {
  const { settings: figures, mutate, prefix, rewrite, clockOffset = 0 } = row;
  if (rewrite && setting.front) return setting.front(await openRewrittenTwin(rewrite, folder));
  return setting.open({
    ...(figures && { settings: figures }),
    ...(mutate && { mutate }),
    ...(prefix && { prefix }),
    now: () => Date.now() + clockOffset,
  });
}

async function openRewrittenTwin(
  rewrite: NonNullable<Row['rewrite']>,
  folder: string,
): Promise<Deployment> {
  const file = join(folder, 'keys.json');
  await writeFile(
    file,
    JSON.stringify({ keys: Object.entries(twinKeys).map(([key, plan]) => ({ key, plan })) }),
  );
  const child = spawn(
    process.execPath,
    [twin, '--port', '0', '--disable-banner', '--log-level', 'error', '--keys', file],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const ended = new Promise((resolve) => child.once('close', resolve));
  const address = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (chunk) => resolve(String(chunk).trim()));
    child.once('close', () => reject(new Error('The twin ended before it reported its address.')));
  });
  const proxy = await openRewritingProxy(address, rewrite);
  const close = async () => {
    await proxy.close();
    child.kill('SIGKILL');
    await ended;
  };
  return { ...proxy, close };
}

async function readReport(file: string): Promise<Report | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : JSON.parse(text);
}

function run(args: string[]): Promise<{ exitCode: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: trusting,
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        output += chunk;
      });
    const timer = setTimeout(() => child.kill('SIGKILL'), patience);
    child.once('close', (exitCode) => {
      clearTimeout(timer);
      resolve({ exitCode, output });
    });
  });
}

function sections(source = ''): string[] {
  return [...source.matchAll(/§(\d+)/g)].map(([, section]) => section ?? '');
}
