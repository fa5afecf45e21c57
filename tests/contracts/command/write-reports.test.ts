import { mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { UsageError } from '../../../contracts/cli/usage-error.ts';
import { runCommand } from '../../../contracts/command/run-command.ts';
import { writeReports } from '../../../contracts/command/write-reports.ts';
import type { RunEvent } from '../../../contracts/report/events.ts';
import { createGuard } from '../../../contracts/verify/guard.ts';
import { openDeployment } from '../../../tools/lab/deployment.ts';
import { sevenMistakes } from '../../../tools/lab/seven-mistakes.ts';
import { drifted } from '../../support/report.ts';

/** The writers that fail, as a bug in the suite would let them. */
const failing = vi.hoisted(() => new Set<string>());

const breakWhereAsked = vi.hoisted(
  () =>
    (name: string, write: (...args: never[]) => unknown) =>
    (...args: never[]): unknown => {
      if (failing.has(name)) throw new Error(`${name} broke`);
      return write(...args);
    },
);

vi.mock('../../../contracts/report/junit.ts', async (original) => {
  const { toJunitReport } = await original<typeof import('../../../contracts/report/junit.ts')>();
  return { toJunitReport: breakWhereAsked('junit', toJunitReport) };
});
vi.mock('../../../contracts/report/markdown.ts', async (original) => {
  const module = await original<typeof import('../../../contracts/report/markdown.ts')>();
  return {
    ...module,
    toMarkdownReport: breakWhereAsked('markdown', module.toMarkdownReport),
  };
});
vi.mock('../../../contracts/report/github.ts', async (original) => {
  const { toGithubReport } = await original<typeof import('../../../contracts/report/github.ts')>();
  return { toGithubReport: breakWhereAsked('github', toGithubReport) };
});
vi.mock('../../../contracts/report/terminal/terminal.ts', async (original) => {
  const { createTerminal } =
    await original<typeof import('../../../contracts/report/terminal/terminal.ts')>();
  return {
    createTerminal: (options: Parameters<typeof createTerminal>[0]) => {
      const terminal = createTerminal(options);
      const broken = breakWhereAsked('terminal', terminal.onEvent);
      return {
        onEvent: (event: RunEvent) =>
          event.type === 'finish' ? broken(event as never) : terminal.onEvent(event),
      };
    },
  };
});

afterEach(() => failing.clear());

/** A folder of the test's own, gone with it. */
function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'reports-'));
  onTestFinished(() => rm(path, { recursive: true }));
  return path;
}

/** What is written to standard output and standard error until the test ends. */
function capture(): { out: string[]; err: string[] } {
  const written: { out: string[]; err: string[] } = { out: [], err: [] };
  for (const [stream, list] of [
    [process.stdout, written.out],
    [process.stderr, written.err],
  ] as const) {
    const spy = vi.spyOn(stream, 'write').mockImplementation((text) => {
      list.push(String(text));
      return true;
    });
    onTestFinished(() => spy.mockRestore());
  }
  return written;
}

it('writes each report that can be made, and names those that cannot', async () => {
  for (const writer of ['junit', 'markdown', 'github']) failing.add(writer);
  const at = folder();
  const files = {
    json: join(at, 'report.json'),
    junit: join(at, 'report.xml'),
    html: '-',
    markdown: join(at, 'report.md'),
  };
  const { out } = capture();
  const guard = createGuard();
  const stepSummary = join(at, 'summary.md');
  await writeReports(drifted, { ...files, github: true, stepSummary, strict: false, guard });
  expect(guard.defects).toEqual([
    'the junit report failed (junit broke)',
    'the markdown report failed (markdown broke)',
    'the GitHub annotations failed (github broke)',
    'the step summary failed (markdown broke)',
  ]);
  expect(JSON.parse(readFileSync(files.json, 'utf8'))).toEqual(drifted);
  expect(out.join('')).toMatch(/^<!doctype html>/i);
});

it('writes what it can where a file cannot be written, and says so at the end', async () => {
  const at = folder();
  const files = { json: join(at, 'no-such-folder', 'report.json'), junit: join(at, 'report.xml') };
  const guard = createGuard();
  const written = writeReports(drifted, {
    ...files,
    ...{ github: false, stepSummary: undefined, strict: false, guard },
  });
  await expect(written).rejects.toThrow(
    new UsageError(`--json ${files.json} could not be written (ENOENT).`),
  );
  expect(readFileSync(files.junit, 'utf8')).toContain('<testsuites');
  expect(guard.defects).toEqual([]);
});

it.each([
  ['drift', 1, { mutate: sevenMistakes }],
  ['clean', 2, {}],
] as const)(
  'ends a run that is %s with code %i where a report fails',
  async (verdict, code, options) => {
    failing.add('junit').add('terminal');
    const { url, close } = await openDeployment(options);
    onTestFinished(close);
    const at = folder();
    const { err } = capture();
    const json = join(at, 'report.json');
    const args = ['--target', url, '--no-mock', '--key', 'pro=k-pro-1', '--only', 'listPets'];
    const ended = await runCommand(
      [...args, '--no-probe-limits', '--json', json, '--junit', join(at, 'report.xml')],
      { env: {}, command: 'verify' },
    );
    expect(JSON.parse(readFileSync(json, 'utf8')).verdict).toBe(verdict);
    expect(err.join('')).toContain(
      'A bug in the suite: the report in the terminal failed (terminal broke); the junit report failed (junit broke).',
    );
    expect(ended).toBe(code);
  },
  30_000,
);
