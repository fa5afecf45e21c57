import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  createRepeatingProcess,
  type RepeatingProcess,
} from '../../tests/support/repeating-process.ts';
import { forLocalhost } from '../../tests/support/tls.ts';
import type { Deployment } from './deployment.ts';
import { openRewritingProxy } from './rewriting-proxy.ts';
import type { Row } from './row.ts';
import { type Setting, type SettingName, settings } from './settings.ts';
import { openWebhookShop } from './webhook-shop.ts';

type Finding = FoundProblem & { related: FoundProblem[] };

type FoundProblem = {
  verdict: string;
  check: string;
  message: string;
  expected: string;
  actual: string;
  clause?: { source?: string };
};

/**
 * The result that the command must have for a row: find the fault, report nothing, or report a
 * wrong address.
 */
export type RowKind = 'broken' | 'fair' | 'misaddressed';

/** The result of one check. */
export type CheckResult = { verdict: string; held: number; reason?: string };

type Report = {
  verdict: string;
  findings: Finding[];
  clauses: { id: string; results: Record<string, CheckResult> }[];
};

/** The command's result for one deployment. `drift` holds the findings that gate. */
export type Judgement = {
  id: string;
  setting: SettingName;
  family: string;
  about: string;
  clause: string;
  kind: RowKind;
  right: boolean;
  /** The exit code, or the signal that ended the process. */
  exitCode: number | string | null;
  verdict: string;
  drift: Finding[];
  /** Findings that do not gate. */
  others: Finding[];
  /** Whether a finding names a section that the row names. */
  fits: boolean;
  seconds: number;
  requests: number;
  /** By check; empty where there is no report. */
  checks: Record<string, CheckResult>;
  /** The output of the command, if there is no report of it. */
  output?: string;
};

const repeatVerify = new URL('../../tests/support/repeat-verify.ts', import.meta.url);
const twin = fileURLToPath(new URL('../../mock/start.js', import.meta.url));
/** The keys of a deployment, as the command line takes them. */
export const defaultKeys = ['free=k-free-1', 'free=k-free-2', 'pro=k-pro-1'];
const twinKeys = { 'k-free-1': 'free', 'k-free-2': 'free', 'k-pro-1': 'pro' };

/** A process that runs `verify` as often as it is asked, and trusts the certificates of the lab. */
export function createVerifyProcess(): RepeatingProcess {
  return createRepeatingProcess(repeatVerify, { NODE_EXTRA_CA_CERTS: forLocalhost.tlsCert });
}

/**
 * Starts a row's deployment, runs the command against it, and tells whether it said the right
 * thing.
 */
export async function judge(
  row: Row,
  kind: RowKind,
  { setting = 'plain', verify }: { setting?: SettingName; verify: RepeatingProcess },
): Promise<Judgement> {
  const folder = await mkdtemp(join(tmpdir(), 'kill-rate-'));
  const deployment = await openRow(row, settings[setting], folder);
  try {
    const file = join(folder, 'report.json');
    const { flags = (row.keys ?? defaultKeys).flatMap((key) => ['--key', key]) } = deployment;
    const started = performance.now();
    const ran = await verify.run([
      '--target',
      row.given?.(deployment.url) ?? deployment.url,
      '--no-mock',
      ...flags,
      '--json',
      file,
      '--quiet',
    ]);
    const seconds = (performance.now() - started) / 1000;
    const report = await readReport(file);
    const drift = (report?.findings ?? []).filter(
      ({ verdict }) => verdict === 'drift' || verdict === 'unanswered',
    );
    const others = (report?.findings ?? []).filter(({ verdict }) => verdict === 'standard');
    const verdict = report?.verdict ?? 'none';
    const found =
      ran.code === 1 && (verdict === 'drift' || verdict === 'unanswered') && drift.length > 0;
    const output = ran.stdout + ran.stderr;
    const isReported = ran.code === 2 && row.says?.test(output.trim()) === true;
    return {
      ...{
        id: row.id,
        setting,
        family: row.family,
        about: row.about,
        clause: row.clause,
        kind,
        exitCode: ran.code,
        verdict,
        drift,
        others,
      },
      right: {
        broken: found && drift.every(({ check }) => row.only?.includes(check) ?? true),
        fair: ran.code === 0 && drift.length === 0,
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
      ...(!report && { output: output.slice(-600) }),
    };
  } finally {
    await deployment.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Starts a row's deployment in a setting; a folder takes what it needs on disk. */
export async function openRow(row: Row, setting: Setting, folder: string): Promise<Deployment> {
  const { settings: figures, mutate, prefix, rewrite, webhook, clockOffset = 0 } = row;
  if (rewrite && setting.front) return setting.front(await openRewrittenTwin(rewrite, folder));
  if (webhook && setting.front) {
    const shop = await openWebhookShop(webhook);
    return { ...shop, ...(await setting.front(shop)) };
  }
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

function sections(source = ''): string[] {
  return source.match(/§\d+|#\/\S+/g) ?? [];
}
