import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { startTwin } from '../../../contracts/command/twin-process.ts';
import { projectFile } from '../../support/twin.ts';
import { writeJson } from '../../support/write-json.ts';

const entry = projectFile('contracts/command/twin-process.ts');

/** Starts a mock as verify does, and says its process id before it is ready. */
const script = `
import processes from 'node:child_process';
import { writeSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
const { spawn } = processes;
processes.spawn = (...given) => {
  const child = spawn(...given);
  writeSync(1, String(child.pid) + '\\n');
  return child;
};
syncBuiltinESMExports();
const module = await import(process.argv[1]);
await module.startTwin({ seed: 1, document: { plans: {} } });
`;

it.each([
  ['SIGKILL', 0],
  ['SIGTERM', 250],
] as const)(
  'leaves no mock where %s ends its parent %i ms after it began to start',
  async (signal, after) => {
    const parent = spawn(process.execPath, ['--input-type=module', '-e', script, '--', entry], {
      env: { PATH: process.env.PATH ?? '' },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    onTestFinished(() => void parent.kill('SIGKILL'));
    const pid = Number(await once(parent.stdout, 'data'));
    onTestFinished(() => isRunning(pid).then((is) => void (is && process.kill(pid, 'SIGKILL'))));
    if (after > 0) await new Promise((resolve) => setTimeout(resolve, after));
    parent.kill(signal);
    await once(parent, 'exit');
    await expect.poll(() => isRunning(pid), { timeout: 25_000, interval: 100 }).toBe(false);
  },
);

it('says why a mock does not start, instead of waiting for it', async () => {
  const data = await writeJson({ cats: [] });
  await expect(startTwin({ seed: 1, document: { plans: {} }, data })).rejects.toThrow(
    /^The mock did not start: petstore-twin: --data .* "cats" is no collection of the document/s,
  );
});

/** Whether a process runs; one that nobody waited for has ended all the same. */
function isRunning(pid: number): Promise<boolean> {
  return promisify(execFile)('ps', ['-o', 'stat=', '-p', String(pid)]).then(
    ({ stdout }) => !stdout.trim().startsWith('Z'),
    () => false,
  );
}
