import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import packageJson from '../../../package.json' with { type: 'json' };
import { useRepeatedRuns } from '../../support/repeated-runs.ts';
import { runMock, serveMock } from '../../support/run-mock.ts';
import { projectFile } from '../../support/twin.ts';
import { writeJson, writeText } from '../../support/write-json.ts';

const runAgain = useRepeatedRuns('mock');

/** Runs the mock with settings that it refuses, and gives the line that says why. */
async function refusalOf(args: readonly string[], env: Record<string, string> = {}) {
  const { code, stdout, stderr } = await runAgain(args, env);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/^petstore-twin: [^\n]+\n$/);
  expect(stderr).not.toMatch(/\.ts:\d|\bat .*\(/);
  expect(stderr).not.toContain('\u001b');
  return stderr.slice('petstore-twin: '.length, -1);
}

it('shows its help', async () => {
  const { code, stdout, stderr } = await runAgain(['--help']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^petstore-twin: .*\n\nUsage: npm start -- \[options\]\n/);
});

it('shows its version', async () => {
  const stdout = `${packageJson.version}\n`;
  expect(await runMock(['--version'])).toEqual({ code: 0, stdout, stderr: '' });
});

it('says at the start where it is, with which keys, plans and data', async () => {
  const { stdout } = await serveMock(['--seed', '7', '--pets', '1500'], {
    env: { TERM: 'xterm-256color' },
  });
  expect(stdout, 'a pipe has no colours').not.toContain('\u001b');
  const origin = /http:\/\/127\.0\.0\.1:\d+/.exec(stdout)?.[0];
  expect(stdout).toContain('petstore-twin serves Pet Store Service 1.0.0\n');
  expect(stdout).toContain(`\n  ${origin}/v1\n`);
  expect(stdout).toMatch(/\n {2}Keys {3}demo-free +free: 60 a minute, 1,000 a day\n/);
  expect(stdout).toMatch(/\n +demo-pro +pro: 300 a minute, 10,000 a day\n/);
  expect(stdout).toMatch(/\n +demo-business +business: 1,000 a minute, 100,000 a day\n/);
  expect(stdout).toMatch(/\n +demo-enterprise +enterprise: 10,000 a minute, 1,000,000 a day\n/);
  expect(stdout).toMatch(
    /\n {2}Limits enforce\n {2}Data {3}seed 7, 1,500 pets; fixed responses: listOrders \(example from the document\)\n/,
  );
  expect(stdout).toContain(`${origin}/__admin`);
  for (const id of ['listPets', 'createPet', 'getPet', 'listOrders'])
    expect(stdout).toMatch(new RegExp(`\\n +${id} +curl `));
});

it('prints the address alone without a banner', async () => {
  const { stdout } = await serveMock(['--disable-banner']);
  expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*\/v1\n$/);
  expect((await fetch(`${stdout.trim()}/pets`)).status).toBe(401);
});

it('takes its settings from the environment and a file', async () => {
  const config = await writeJson({ seed: 9, pets: 30 });
  const { stdout } = await serveMock(['--config', config], { env: { TWIN_PETS: '40' } });
  expect(stdout).toContain('seed 9, 40 pets');
});

it('uses colours on a terminal, unless NO_COLOR asks for none', async () => {
  const terminal = `import { WriteStream } from 'node:tty';
    Object.assign(process.stdout, { isTTY: true, getColorDepth: WriteStream.prototype.getColorDepth });`;
  const nodeArgs = ['--import', `data:text/javascript,${encodeURIComponent(terminal)}`];
  const env = { TERM: 'xterm-256color' };
  const coloured = await serveMock([], { nodeArgs, env });
  const plain = await serveMock([], { nodeArgs, env: { ...env, NO_COLOR: '1' } });
  expect(coloured.stdout).toContain('\u001b[');
  expect(plain.stdout).not.toContain('\u001b');
});

it('ends with 0 when it is asked to', async () => {
  const { child } = await serveMock([]);
  child.kill('SIGTERM');
  expect(await once(child, 'close')).toEqual([0, null]);
});

it('says that a port is taken', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  expect(await refusalOf(['--port', String(port)])).toBe(
    `Port ${port} on 127.0.0.1 is taken. Choose another with --port, or --port 0 for any free one.`,
  );
});

const folder = projectFile('tests');

it.each<[string[], string]>([
  [['--host', '192.0.2.1'], '--host 192.0.2.1 is not an address of this machine.'],
  [['--spec', '/nowhere.yaml'], 'There is no document at /nowhere.yaml. Name an OpenAPI file, or'],
  [['--spec', folder], `${folder} is a folder. Name an OpenAPI file, or the URL of one.`],
  [['--keys', folder], `--keys ${folder} cannot be read: it is a folder, and a file is expected.`],
  [['--keys', '/nowhere.json'], '--keys /nowhere.json cannot be read: there is no such file.'],
  [['--plans', '/nowhere.json'], '--plans /nowhere.json cannot be read: there is no such file.'],
])('ends with 2 and one line for %j', async (args, expected) => {
  expect(await refusalOf(args)).toContain(expected);
});

it.each([
  ['spec', 'openapi: 3.1.0\npaths: [', / cannot be read as a document: /],
  ['keys', '{"keys": [\nx]}', /^--keys FILE is not valid JSON: Unexpected token 'x'\.$/],
  [
    'keys',
    '{"keys": [{"key": "a", "plan": "gold"}]}',
    '--keys FILE: keys[0].plan must be one of free, pro, business, enterprise, but is "gold".',
  ],
  ['plans', '{"plans": ', /^--plans FILE is not valid JSON: /],
  ['plans', '{"plans": {"a\\nb": 1}}', '--plans FILE: plans.a\\nb must be an object.'],
])('ends with 2 and one line for --%s with %j', async (flag, text, expected) => {
  const file = await writeText(text);
  expect((await refusalOf([`--${flag}`, file])).replaceAll(file, 'FILE')).toMatch(expected);
});

it('stops when the npm that runs it is stopped', async () => {
  const { PATH = '' } = process.env;
  const script = `"${process.execPath}" "${projectFile('mock/start.js')}" --port 0 --disable-banner; true`;
  const shell = spawn('sh', ['-c', script], {
    env: { PATH, npm_lifecycle_event: 'start' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [address] = await once(shell.stdout, 'data');
  const health = () =>
    fetch(new URL('/__admin/health', String(address).trim())).then(
      ({ ok }) => ok,
      () => false,
    );
  expect(await health()).toBe(true);
  shell.kill('SIGTERM');
  await expect.poll(health, { timeout: 10_000 }).toBe(false);
});
