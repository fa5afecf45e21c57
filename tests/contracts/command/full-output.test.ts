import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectFile } from '../../support/twin.ts';
import { temporaryFolder } from '../../support/verify-command.ts';

const main = projectFile('contracts/main.ts');

/** Runs a command in a shell that sends its standard output to a full disk. */
function run(...args: string[]): Promise<{ code: unknown; err: string }> {
  const script = '"$0" "$@" > /dev/full';
  return new Promise((resolve) => {
    execFile('sh', ['-c', script, process.execPath, main, ...args], (error, _, err) =>
      resolve({ code: error?.code ?? 0, err }),
    );
  });
}

const call = {
  request: { method: 'GET', url: 'http://127.0.0.1:1/v1/pets', headers: [] },
  response: { status: 500, headers: [], content: { text: '{}' } },
  startedDateTime: '2026-01-15T12:00:00.000Z',
};

describe.runIf(existsSync('/dev/full'))('where standard output is a full disk', () => {
  it('judge writes its reports all the same, and says what could not be written', async () => {
    const folder = temporaryFolder();
    const [calls, report] = [join(folder, 'calls.har'), join(folder, 'report.json')];
    writeFileSync(calls, JSON.stringify({ log: { entries: [call] } }));
    const base = ['--base-url', 'http://127.0.0.1:1/v1'];
    const { code, err } = await run('judge', calls, ...base, '--json', report);
    expect(code).toBe(2);
    expect(err).toContain('petstore-twin: standard output could not be written (ENOSPC).');
    expect(err).not.toContain('bug in the suite');
    expect(JSON.parse(readFileSync(report, 'utf8'))).toHaveProperty('findings');
  });

  it.each([
    ['data', '--help'],
    ['docs', '--help'],
    ['calibrate', '--help'],
    ['verify', '--list-clauses'],
  ])('%s ends with 2 and a sentence', async (...args) => {
    const { code, err } = await run(...args);
    expect(code).toBe(2);
    expect(err).toMatch(/^petstore-twin: standard output could not be written \(ENOSPC\)[^\n]*\n$/);
  });
});
