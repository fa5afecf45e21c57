import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { load as parseYaml } from 'js-yaml';
import { toDataText } from '../../contracts/data/collect-items.ts';
import { collectInitial, readRecording } from '../../contracts/fidelity/replay-file.ts';
import { asRead } from '../../contracts/traffic/as-read.ts';
import { compile } from '../../openapi/index.ts';
import { startPeer } from '../corpus/start-peer.ts';
import { type Loose, type Outcome, runLab } from '../sdks/lab.ts';
import { openRecorder } from './recorder.ts';
import type { StartedServer, Subject } from './subject.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The figures of a server: answers that are alike and steps that pass, before and after learning. */
export type Figures = {
  calls: number;
  alike: { before: number; after: number };
  /** The steps that the server passes, and those of them that twins pass. */
  steps: { all: number; before: number; after: number };
  seconds: number;
};

type Tools = {
  load: (name: string) => Promise<Loose>;
  /** The document, the recordings, and where files are written. */
  spec: string;
  folder: string;
};

/** Runs the steps of a subject against a server, and gives how each of them went. */
async function runSteps(
  { run, basePath }: Subject,
  { origin, key }: { origin: string; key: string },
  { load, spec }: Tools,
): Promise<Outcome[]> {
  const document = parseYaml(readFileSync(spec, 'utf8'));
  const lab = { run: (bench: Parameters<Subject['run']>[0]) => run({ ...bench, document }) };
  return runLab(lab as Loose, { origin, base: `${origin}${basePath}`, key, load });
}

/** Records the steps once for each run; gives the files, and the steps that passed in all of them. */
export async function record(
  subject: Subject,
  server: StartedServer,
  { runs, ...tools }: Tools & { runs: number },
): Promise<{ files: string[]; steps: string[] }> {
  const files: string[] = [];
  const outcomes: Outcome[] = [];
  for (let shift = 1; shift <= runs; shift += 1) {
    const file = join(tools.folder, `${subject.name}-${shift}.har`);
    files.push(file);
    const { words } = subject;
    const recorder = await openRecorder({ target: server.origin, file, words, shift });
    outcomes.push(...(await runSteps(subject, { ...server, origin: recorder.origin }, tools)));
    await recorder.close();
  }
  const failed = new Map(
    outcomes.flatMap(({ step, problem }) => (problem ? [[step, problem]] : [])),
  );
  for (const [step, problem] of failed) say(`the server does not pass "${step}": ${problem}`);
  const names = new Set(outcomes.map(({ step }) => step));
  return { files, steps: [...names].filter((step) => !failed.has(step)) };
}

/** Learns from recordings, and measures how alike the twin is before and after it. */
export async function measure(
  subject: Subject,
  { files, steps, origin, ...tools }: Tools & { files: string[]; steps: string[]; origin: string },
): Promise<Figures> {
  const start = performance.now();
  const settings = ['--base-url', origin + subject.basePath, '--spec', tools.spec];
  const report = join(tools.folder, `${subject.name}-fidelity.json`);
  const html = join(tools.folder, `${subject.name}-fidelity.html`);
  const share = ['--holdout', String(1 / files.length), '--json', report, '--html', html];
  runCommand('fidelity', [...files, ...settings, ...share]);
  const overlay = join(tools.folder, `${subject.name}.overlay.yaml`);
  runCommand('learn', [...files, ...settings, '--out', overlay]);
  const seconds = Math.round((performance.now() - start) / 1000);
  const { percent, before, answers } = JSON.parse(readFileSync(report, 'utf8'));
  const passing = async (flags: string[]) => {
    const outcomes = await tryTwin(subject, flags, tools);
    const counted = outcomes.filter(({ step }) => steps.includes(step));
    for (const { step, problem } of counted)
      if (problem && flags.length > 0) say(`the learned twin does not pass "${step}": ${problem}`);
    return counted.filter(({ problem }) => problem === undefined).length;
  };
  const data = join(tools.folder, `${subject.name}-data.json`);
  const learned = [
    ...(existsSync(overlay) ? ['--overlay', overlay] : []),
    ...(await writeInitial(data, { file: files[0] ?? '', baseUrl: settings[1] ?? '', ...tools })),
  ];
  return {
    calls: answers,
    alike: { before, after: percent },
    steps: { all: steps.length, before: await passing([]), after: await passing(learned) },
    seconds,
  };
}

/** Writes what a server began with, by a recording; gives the flags of a twin that begins with that, too. */
async function writeInitial(
  to: string,
  { file, baseUrl, spec }: { file: string; baseUrl: string; spec: string },
): Promise<string[]> {
  const exchanges = await readRecording(file, 'fidelity');
  const recorded = { document: await compile(spec), baseUrl };
  const read = exchanges.map((one) => asRead(one, recorded));
  const items = await collectInitial(read, recorded);
  if (items.size === 0) return [];
  writeFileSync(to, toDataText(items));
  return ['--data', to];
}

/** Runs the steps on a twin of the document. */
async function tryTwin(subject: Subject, flags: string[], tools: Tools): Promise<Outcome[]> {
  const args = (port: number) => [
    ...[join(root, 'mock/start.js'), '--spec', tools.spec, '--port', String(port)],
    ...['--disable-banner', ...flags],
  ];
  const twin = await startPeer({ name: 'twin', basePath: '', args }, 2);
  if (!twin) throw new Error(`The twin of ${subject.name} does not start.`);
  try {
    const key = subject.twinKey ?? 'demo-enterprise';
    return await runSteps(subject, { origin: twin.base, key }, tools);
  } finally {
    twin.stop();
  }
}

/** Runs a command of the package; throws with what it says where it could not run. */
function runCommand(command: string, args: string[]): void {
  const { status, stderr, stdout } = spawnSync(
    process.execPath,
    [join(root, 'contracts/main.ts'), command, ...args],
    { encoding: 'utf8', maxBuffer: 2 ** 28 },
  );
  if (status !== 0) throw new Error(`${command} ended with ${status}: ${stderr.slice(-2000)}`);
  say(stdout.trim().split('\n')[0] ?? '');
}

function say(text: string): void {
  process.stderr.write(`  ${text}\n`);
}
