import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { expect, it, onTestFinished } from 'vitest';
import { toHarEntry } from '../../contracts/har/har-writer.ts';
import { openDeployment } from '../../tools/lab/deployment.ts';
import { makeFolder } from '../support/make-folder.ts';
import { record } from '../support/traffic.ts';
import { projectFile } from '../support/twin.ts';
import { rowOf } from '../support/verify-deployment.ts';

type Step = { id?: string; if?: string; uses?: string; run?: string; env?: Record<string, string> };
type Action = {
  inputs: Record<string, { default: string }>;
  outputs: Record<string, { value: string }>;
  runs: { steps: Step[] };
};

const action = load(readFileSync(projectFile('action.yml'), 'utf8')) as Action;
const run = action.runs.steps.find(({ id }) => id === 'run') as Step;

/** Runs the step of the action that does the work as a runner would, with the checkout's code. */
async function runAction(inputs: Record<string, string>, bin = projectFile('package/bin.ts')) {
  const folder = makeFolder();
  const files = { output: join(folder, 'output'), summary: join(folder, 'summary') };
  for (const file of Object.values(files)) writeFileSync(file, '');
  const resolve = (expression: string): string => {
    const [, name = ''] = /^inputs\.(.+)$/.exec(expression) ?? [];
    if (expression === 'runner.temp') return folder;
    const value = inputs[name] ?? action.inputs[name]?.default;
    if (value === undefined) throw new Error(`action.yml has no ${expression}`);
    return value;
  };
  const resolved = Object.entries(run.env ?? {}).map(([name, text]) => [
    name,
    text.replace(/\$\{\{ (.+?) \}\}/g, (_, expression) => resolve(expression)),
  ]);
  const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', run.run ?? ''], {
    cwd: folder,
    env: {
      ...process.env,
      ...Object.fromEntries(resolved),
      BIN: bin,
      GITHUB_ACTION_PATH: projectFile('.'),
      GITHUB_OUTPUT: files.output,
      GITHUB_STEP_SUMMARY: files.summary,
      RUNNER_TEMP: folder,
    },
  });
  let out = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk) => (out += chunk));
  const [code] = await once(child, 'close');
  const outputs: Record<string, string | undefined> = Object.fromEntries(
    readFileSync(files.output, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => line.split(/=(.*)/s)),
  );
  return { code, out, outputs, summary: readFileSync(files.summary, 'utf8'), folder };
}

async function openTarget(options: Parameters<typeof openDeployment>[0] = {}) {
  const deployment = await openDeployment(options);
  onTestFinished(deployment.close);
  return deployment.url;
}

const keys = 'free=k-free-1\n\nfree=k-free-2\n pro=k-pro-1\n';
const args = '--no-probe-limits\n--wait 0\n--only=page-size';
const ignoresLimit = rowOf('list-limit-ignored');

it('finds nothing in a deployment that keeps the contract', async () => {
  const { code, outputs, summary } = await runAction({ target: await openTarget(), keys, args });
  expect(outputs).toMatchObject({ verdict: 'clean' });
  expect(summary).toContain('Contract: ');
  expect(code).toBe(0);
  for (const name of ['html', 'json', 'xml'])
    expect(existsSync(join(outputs.report ?? '', `report.${name}`))).toBe(true);
});

it('passes keys by the environment, as all users of a machine see arguments', async () => {
  const bin = join(makeFolder(), 'bin.mjs');
  writeFileSync(
    bin,
    'console.log(JSON.stringify([process.argv.slice(2), process.env.TARGET_KEYS]))',
  );
  const { out } = await runAction({ target: 'http://127.0.0.1:1/v1', keys }, bin);
  const [shown, passed] = JSON.parse(out) as [string[], string];
  expect(shown.join(' ')).not.toMatch(/k-free|k-pro/);
  expect(passed.split(/\s+/)).toEqual(['free=k-free-1', 'free=k-free-2', 'pro=k-pro-1']);
});

it('fails for one that drifts, with annotations, a summary and the reports', async () => {
  const target = await openTarget(ignoresLimit);
  const { code, out, outputs, summary } = await runAction({ target, keys, args });
  expect(out).toMatch(/^::error title=drift%3A page-size::/m);
  expect(summary).toContain('page-size');
  expect(outputs.verdict).toBe('drift');
  expect(code).toBe(1);
});

it('judges the calls of commands, which fail the step too', async () => {
  const target = await openTarget(ignoresLimit);
  const call = `curl -s -H 'Authorization: Bearer k-pro-1' "$PROXY_URL/v1/pets?limit=2"`;
  const drift = await runAction({ command: 'proxy', target, keys: 'pro=k-pro-1', run: call });
  expect(drift.outputs.verdict).toBe('drift');
  expect(drift.code).toBe(1);
  const failed = await runAction({
    command: 'proxy',
    target: await openTarget(),
    run: `${call} > pets.json\nenv | grep '^KEYS=' || exit 7`,
  });
  expect(existsSync(join(failed.folder, 'pets.json'))).toBe(true);
  expect(failed.code).toBe(7);
});

it('judges recordings', async () => {
  const target = await openTarget(ignoresLimit);
  const entry = toHarEntry(
    await record(target, { key: 'k-pro-1', path: '/pets?limit=2' }),
    undefined,
  );
  const file = join(makeFolder(), 'calls.har');
  writeFileSync(file, JSON.stringify({ log: { version: '1.2', entries: [entry] } }));
  const { code, outputs } = await runAction({ command: 'judge', files: file, target });
  expect(outputs.verdict).toBe('drift');
  expect(code).toBe(1);
});

it.each([
  [{ command: 'mock' }, 'command "mock" must be verify, proxy or judge.'],
  [{ command: 'proxy', target: 'http://127.0.0.1:1/v1' }, 'needs run'],
])('says what is wrong with %j', async (inputs, message) => {
  const { code, out, outputs } = await runAction(inputs);
  expect(out).toMatch(/^::error title=petstore-twin::.+\n$/);
  expect(out).toContain(message);
  expect(outputs).toEqual({});
  expect(code).toBe(2);
});

it('takes inputs for data, never for code', async () => {
  const evil = '$(touch evil)`touch evil`\'";touch evil;';
  const { code, folder } = await runAction({ target: evil, keys: evil, args: evil, spec: evil });
  expect(existsSync(join(folder, 'evil'))).toBe(false);
  expect(code).toBe(2);
});

it('passes each input on, and gives only outputs that a step sets', () => {
  const used = action.runs.steps.map((step) => JSON.stringify(step)).join();
  for (const name of Object.keys(action.inputs)) expect(used).toContain(`inputs.${name}`);
  for (const { value } of Object.values(action.outputs))
    expect(value).toMatch(/^\$\{\{ steps\.run\.outputs\.(verdict|report) \}\}$/);
});
