// What action.yml runs. It has no dependencies, as nothing is installed beside it.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { findFreePort } from '../../tests/support/free-port.ts';

const { env } = process;
const inputs = ['COMMAND', 'SPEC', 'TARGET', 'KEYS', 'FILES', 'RUN', 'ARGS', 'BIN', 'REPORT'];
const given = Object.fromEntries(inputs.map((name) => [name, env[name]?.trim() ?? '']));
const { COMMAND = '', SPEC, TARGET, KEYS, FILES, RUN, ARGS, BIN = '', REPORT = '' } = given;
// The program and the commands of `run` get the variables of the job alone.
for (const name of inputs) delete env[name];

const linesOf = (text = '') =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

/** `--wait 61` on a line is an option and its value; anything else is one argument. */
const optionsOf = (line: string) => /^(--[\w-]+)\s+(.*)$/.exec(line)?.slice(1) ?? [line];

const option = (name: string, ...values: (string | undefined)[]) =>
  values.flatMap((value) => (value ? [`--${name}`, value] : []));

const args = [
  COMMAND,
  ...(COMMAND === 'judge' ? linesOf(FILES) : []),
  ...option(COMMAND === 'judge' ? 'base-url' : 'target', TARGET),
  ...option('spec', SPEC),
  '--github',
  ...option('html', join(REPORT, 'report.html')),
  ...option('json', join(REPORT, 'report.json')),
  ...option('junit', join(REPORT, 'report.xml')),
  ...linesOf(ARGS).flatMap(optionsOf),
];

const start = (...more: string[]) =>
  spawn(process.execPath, [BIN, ...args, ...more], {
    stdio: 'inherit',
    // Anybody on the machine sees the arguments of a process.
    env: { ...env, TARGET_KEYS: KEYS },
  });

const codeOf = async (child: ChildProcess): Promise<number> => {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
  return child.exitCode ?? 1;
};

/** The commands with the proxy in between; fails as they do, or as the proxy's verdict says. */
async function runBehindProxy(): Promise<number> {
  const port = await findFreePort();
  const origin = `http://127.0.0.1:${port}`;
  const proxy = start('--port', `${port}`);
  const isUp = () =>
    fetch(`${origin}/__proxy/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (proxy.exitCode === null && !(await isUp())) await setTimeout(100);
  if (proxy.exitCode !== null) return proxy.exitCode;
  const commands = spawn('bash', ['-e', '-o', 'pipefail', '-c', RUN ?? ''], {
    stdio: 'inherit',
    env: { ...env, PROXY_URL: origin },
  });
  const code = await codeOf(commands);
  proxy.kill('SIGTERM');
  const verdict = await codeOf(proxy);
  return code === 0 ? verdict : code;
}

/** Returns the problem with the inputs in one line, or undefined if there is none. */
function whyRefused(): string | undefined {
  if (!['verify', 'proxy', 'judge'].includes(COMMAND))
    return `command "${COMMAND}" must be verify, proxy or judge.`;
  if (COMMAND !== 'proxy') return undefined;
  if (!RUN) return 'command: proxy needs run, the commands whose calls it judges.';
  // There a signal ends a process before it can write its report.
  return process.platform === 'win32' ? 'command: proxy needs Linux or macOS.' : undefined;
}

const refusal = whyRefused();
if (refusal === undefined) {
  mkdirSync(REPORT, { recursive: true });
  process.exitCode = await (COMMAND === 'proxy' ? runBehindProxy() : codeOf(start()));
  const json = join(REPORT, 'report.json');
  if (existsSync(json) && env.GITHUB_OUTPUT)
    appendFileSync(
      env.GITHUB_OUTPUT,
      `verdict=${JSON.parse(readFileSync(json, 'utf8')).verdict}\nreport=${REPORT}\n`,
    );
} else {
  console.log(`::error title=petstore-twin::${refusal}`);
  process.exitCode = 2;
}
