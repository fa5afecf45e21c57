import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { namesOption, readArguments } from '../read-arguments.ts';
import { fair } from './fair.ts';
import { defaultKeys, openRow } from './judge.ts';
import { cannotBeMirrored } from './not-mirrored.ts';
import { isNamed, labOptions } from './options.ts';
import type { Row } from './row.ts';
import { settings } from './settings.ts';

const usage = `Calibrates each correct deployment of the lab, starts the twin with the pins, and verifies both side by side.

Usage: npm run mirror-rate -- [options]

{options}

Exit codes: 0 if each deployment is mirrored in every silence and no answer differs, or tools/lab/not-mirrored.ts
says why not; 1 otherwise; 2 if nothing is chosen.
`;

const script = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** The differences between a deployment and the twin that is pinned to it. */
type Mirror = {
  id: string;
  /** Silences whose lines differ, with both. */
  silences: string[];
  differences: string[];
  /** The failure that prevented the comparison. */
  failure?: string;
};

const { values } = readArguments(usage, {
  ...labOptions,
  family: namesOption('NAME,...', 'only these families'),
});
const { sample, concurrency } = values;

process.exitCode = await main();

async function main(): Promise<number> {
  const chosen = fair
    .filter(({ id, family }) => isNamed(values.only, id) && isNamed(values.family, family))
    .filter((_, index) => index % sample === 0);
  if (chosen.length === 0) {
    process.stderr.write('No row has that id or family.\n');
    return 2;
  }
  const mirrors: Mirror[] = [];
  const queue = chosen.values();
  const worker = async () => {
    for (const row of queue) {
      const result = await mirror(row);
      mirrors.push(result);
      tell(result);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  if (values.json) await writeFile(values.json, `${JSON.stringify(mirrors, null, 2)}\n`);
  const mirrored = mirrors.filter(isMirrored);
  const unexplained = mirrors.filter(
    (one) => !isMirrored(one) && !Object.hasOwn(cannotBeMirrored, one.id),
  );
  say(`${mirrored.length} of ${mirrors.length} correct deployments are mirrored in every line.`);
  return unexplained.length === 0 ? 0 : 1;
}

function isMirrored({ silences, differences, failure }: Mirror): boolean {
  return failure === undefined && silences.length + differences.length === 0;
}

function tell(result: Mirror): void {
  const { id, silences, differences, failure } = result;
  const why = cannotBeMirrored[id];
  const isSame = isMirrored(result);
  const label = isSame ? 'mirrored' : why ? 'differs' : 'DIFFERS';
  say(`${label.padEnd(8)}  ${id}${why && !isSame ? `: ${why}` : ''}`);
  if (why && !values.verbose) return;
  for (const line of [...(failure ? [failure] : []), ...silences, ...differences])
    say(`          ${line}`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Each run has a deployment of its own, so that what one creates is not there for the other. */
async function mirror(row: Row): Promise<Mirror> {
  const folder = await mkdtemp(join(tmpdir(), 'mirror-'));
  const [pins, report] = [join(folder, 'pins.yaml'), join(folder, 'report.json')];
  const keys = (row.keys ?? defaultKeys).flatMap((key) => ['--key', key]);
  const none = { id: row.id, silences: [], differences: [] };
  try {
    const asked = await withDeployment(row, folder, (url) =>
      run([script('contracts/main.ts'), 'calibrate', '--target', url, ...keys, '--out', pins]),
    );
    if (asked.exitCode !== 0) return { ...none, failure: asked.output.trim() };
    const animals = await withDeployment(row, folder, (url) => writeAnimals(url, row, folder));
    const twin = await openTwin(pins, animals ?? ['--pets', String(row.settings?.animals ?? 45)]);
    try {
      const command = [script('contracts/main.ts'), '--mock-url', twin.url, '--json', report];
      const ran = await withDeployment(row, folder, (url) =>
        run([...command, '--target', url, ...keys, '--quiet']),
      );
      const text = await readFile(report, 'utf8').catch(() => undefined);
      return text === undefined ? { ...none, failure: ran.output.trim() } : compare(row.id, text);
    } finally {
      await twin.close();
    }
  } catch (error) {
    return { ...none, failure: (error as Error).message };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function withDeployment<T>(
  row: Row,
  folder: string,
  use: (url: string) => Promise<T>,
): Promise<T> {
  const deployment = await openRow(row, settings.plain, folder);
  try {
    return await use(deployment.url);
  } finally {
    await deployment.close();
  }
}

type Report = {
  findings: { verdict: string; message: string; expected: string; actual: string }[];
  silences: { id: string; observed: Record<string, string> }[];
};

function compare(id: string, text: string): Mirror {
  const { findings, silences } = JSON.parse(text) as Report;
  return {
    id,
    silences: silences
      .filter(({ observed: { twin, target } }) => !saysTheSame(twin, target))
      .map(
        ({ id: silence, observed: { twin, target } }) =>
          `${silence}: twin ${twin} | target ${target}`,
      ),
    differences: findings
      .filter(({ verdict }) => verdict === 'difference')
      .map(({ message, expected, actual }) => `${message}: ${expected} | ${actual}`),
  };
}

/** Whether the twin does all that was seen of the target; where its quota is short, less is seen. */
function saysTheSame(twin = '', target = ''): boolean {
  const parts = twin.split('; ');
  return target === 'not observed' || target.split('; ').every((part) => parts.includes(part));
}

/**
 * Writes the animals of a deployment to a file where the twin would give none of them such an id, and
 * gives the option for it: the data are no silence.
 */
async function writeAnimals(url: string, row: Row, folder: string): Promise<string[] | undefined> {
  const [key = ''] = row.keys ?? defaultKeys;
  const secret = key.slice(key.indexOf('=') + 1);
  const response = await fetch(`${url}/pets?limit=100`, {
    headers: { Authorization: `Bearer ${secret}` },
  });
  const listed: unknown = response.ok ? await response.json() : [];
  const pets = Array.isArray(listed) ? (listed as { id: number }[]) : [];
  if (!pets.some(({ id }) => id < 1)) return undefined;
  const file = join(folder, 'data.json');
  await writeFile(file, JSON.stringify({ pets }));
  return ['--data', file];
}

/** Starts a twin that has as many animals as the deployment, so that lists show as much. */
async function openTwin(
  pins: string,
  animals: readonly string[],
): Promise<{ url: string; close: () => Promise<void> }> {
  const plain = ['--port', '0', '--disable-banner', '--log-level', 'error'];
  const args = [...plain, ...animals, '--pins', pins];
  const child = spawn(process.execPath, [script('mock/start.js'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let complaint = '';
  child.stderr.on('data', (chunk) => (complaint += chunk));
  const ended = new Promise((resolve) => child.once('close', resolve));
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (chunk) => resolve(String(chunk).trim()));
    child.once('close', () => reject(new Error(`The mock did not start: ${complaint.trim()}`)));
  });
  const close = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  return { url, close };
}

function run(args: string[]): Promise<{ exitCode: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        output += chunk;
      });
    const timer = setTimeout(() => child.kill('SIGKILL'), 120_000);
    child.once('close', (exitCode) => {
      clearTimeout(timer);
      resolve({ exitCode, output });
    });
  });
}
