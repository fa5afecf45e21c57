import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import type { Report } from '../../../contracts/report/events.ts';
import { everyNth } from '../../support/sample.ts';
import { projectFile } from '../../support/twin.ts';
import { freeKey, proKey, startDeployment } from '../../support/verify-command.ts';

/** Starts the command, and gives its process and what it prints. */
function startVerify(args: readonly string[]): { child: ChildProcess; out: string; err: string } {
  const child = spawn(process.execPath, [projectFile('contracts/main.ts'), ...args], {
    env: { PATH: process.env.PATH ?? '' },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const run = { child, out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (chunk) => (run.out += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk) => (run.err += chunk));
  return run;
}

it.each(
  everyNth(2, [
    ['SIGINT', 130, 'Press Ctrl-C'],
    ['SIGTERM', 143, 'Send SIGTERM'],
  ] as const),
)(
  'reports on %s what it saw until then, and names what it created',
  async (signal, code, again) => {
    const created: unknown[] = [];
    const reached = Promise.withResolvers<void>();
    const { url } = await startDeployment({
      mutate: () => ({
        answer: ({ operation }, answer) => {
          if (operation === 'createPet' && answer.status === 201) {
            created.push((answer.body as { id: unknown }).id);
            reached.resolve();
          }
          return answer;
        },
      }),
    });
    const run = startVerify([
      ...['--target', url, '--key', `pro=${proKey}`, '--key', `free=${freeKey}`],
      ...['--json', '-', '--concurrency', '1'],
    ]);
    await reached.promise;
    run.child.kill(signal);
    expect(await once(run.child, 'close')).toEqual([code, null]);
    expect(run.err).toContain(
      `Interrupted; writing the report. ${again} again to exit immediately.\n`,
    );
    const report: Report = JSON.parse(run.out);
    expect(report.verdict).toBe('incomplete');
    expect(report.incomplete[0]).toBe('the run was interrupted');
    expect(report.incomplete.join('\n')).toMatch(
      /^target: \d+ cases were not made, as the run was interrupted$/m,
    );
    const left = report.residue.filter(({ target }) => target === 'target').map(({ id }) => id);
    expect(left).toEqual(created.map(String));
    // The twin that verify started has stopped.
    expect(report.residue).toHaveLength(created.length);
  },
);

it('reports on a signal before anything was answered, and ends at once on a second one', async () => {
  const asked = Promise.withResolvers<void>();
  const server = createServer(() => asked.resolve());
  onTestFinished(() => void server.close().closeAllConnections());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const args = ['--target', url, '--key', proKey, '--no-mock'];

  const patient = startVerify([...args, '--timeout', '1000', '--wait', '0']);
  await asked.promise;
  patient.child.kill('SIGINT');
  expect(await once(patient.child, 'close')).toEqual([130, null]);
  expect(patient.out).toMatch(/^UNANSWERED .+(\n {12}.+)*\n {2}the run was interrupted$/m);

  const hasty = startVerify([...args, '--timeout', '600000']);
  const ended = once(hasty.child, 'close');
  await once(hasty.child.stderr as NodeJS.ReadableStream, 'data');
  const again = setInterval(() => hasty.child.kill('SIGINT'), 200);
  expect(await ended).toEqual([130, null]);
  clearInterval(again);
  expect(hasty.out).toBe('');
});
