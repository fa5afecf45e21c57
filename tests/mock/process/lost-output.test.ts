import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync } from 'node:fs';
import { createServer } from 'node:net';
import { Writable } from 'node:stream';
import { expect, it, onTestFinished } from 'vitest';
import { createLineWriter } from '../../../mock/log.ts';
import { bearer, projectFile } from '../../support/twin.ts';

type Output = 'pipe' | 'ignore' | number;

/**
 * Runs the mock with these outputs on a port that was free a moment ago, as it cannot print which
 * one it took.
 */
async function serveWith(
  stdout: Output,
  stderr: Output,
  onStart: (child: ChildProcess) => void = () => {},
) {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as { port: number };
  probe.close();
  await once(probe, 'close');
  const args = [projectFile('mock/start.js'), '--port', String(port), '--log-level', 'debug'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', stdout, stderr], env: {} });
  onTestFinished(() => void child.kill('SIGKILL'));
  onStart(child);
  const health = (): Promise<boolean> =>
    fetch(`http://127.0.0.1:${port}/__admin/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  await expect.poll(() => child.exitCode !== null || health(), { timeout: 20_000 }).toBe(true);
  const list = (): Promise<number> =>
    fetch(`http://127.0.0.1:${port}/v1/pets`, { headers: bearer('demo-free') }).then(
      ({ status }) => status,
    );
  return { child, list };
}

it.runIf(existsSync('/dev/full')).each(['banner', 'log'])(
  'goes on serving where the disk is full for the %s',
  async (lost) => {
    const full = openSync('/dev/full', 'w');
    const { child, list } = await (lost === 'banner'
      ? serveWith(full, 'ignore')
      : serveWith('ignore', full));
    expect([await list(), await list(), child.exitCode]).toEqual([200, 200, null]);
  },
);

it('goes on serving where the reader of its log has left', async () => {
  const { child, list } = await serveWith('ignore', 'pipe');
  child.stderr?.destroy();
  for (let call = 0; call < 5; call++) expect(await list()).toBe(200);
  expect(child.exitCode).toBe(null);
});

it('goes on serving where the reader of its banner left before it came', async () => {
  const { child, list } = await serveWith('pipe', 'ignore', (started) => started.stdout?.destroy());
  expect([await list(), child.exitCode]).toEqual([200, null]);
});

it('drops lines of the log that nobody reads, and says how many once they are read', () => {
  const taken: string[] = [];
  let takeOne: () => void = () => {};
  const stream = new Writable({
    decodeStrings: false,
    write(line, _encoding, done) {
      taken.push(line);
      takeOne = done;
    },
  });
  const write = createLineWriter(stream);
  const line = `${'x'.repeat(1023)}\n`;
  for (let count = 0; count < 10_000; count++) write(line);
  expect(stream.writableLength).toBeLessThan(1.01 * 1024 * 1024);
  while (stream.writableLength > 0) takeOne();
  const retained = taken.length;
  write('the next one\n');
  while (stream.writableLength > 0) takeOne();
  expect(taken.slice(retained)).toEqual([
    `${10_000 - retained} lines of the log were dropped, as it was not read fast enough.\n`,
    'the next one\n',
  ]);
});
