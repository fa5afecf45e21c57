import { spawn } from 'node:child_process';
import { expect, onTestFinished } from 'vitest';
import type { Report } from '../../contracts/report/events.ts';
import {
  type Deployment,
  type DeploymentOptions,
  openDeployment,
} from '../../tools/lab/deployment.ts';
import { useRepeatedRuns } from './repeated-runs.ts';
import { projectFile } from './twin.ts';

export type Run = { code: number | string | null; out: string; err: string };

export const keys = {
  'sk-live-4f9a1c-free': 'free',
  'sk-live-77be20-free': 'free',
  'sk-live-0d3c55-pro': 'pro',
};
export const [freeKey, otherFreeKey, proKey] = Object.keys(keys) as [string, string, string];
export const quick = ['--no-mock', '--no-probe-limits', '--read-only'];

/** Options that judge a deployment without changing it. */
export const readingOf = (url: string) => ['--target', url, '--key', proKey, ...quick];

/** Gives a function that runs the command, in one process for all runs of a test file. */
export function useVerify(): (...given: Parameters<typeof verifyAlone>) => Promise<Run> {
  const run = useRepeatedRuns('verify');
  return async (args, env) => {
    const { code, stdout: out, stderr: err } = await run(args, env);
    return { code, out, err };
  };
}

/** Runs the command as a user does, in a process for this run alone. */
export function verifyAlone(args: readonly string[], env?: Record<string, string>): Promise<Run> {
  return runAlone('contracts/main.ts', args, env);
}

/** Runs a program of the repository in a process of its own. */
export function runAlone(
  main: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<Run> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [projectFile(main), ...args], {
      env: { PATH: process.env.PATH ?? '', ...env },
    });
    const run: Run = { code: null, out: '', err: '' };
    child.stdout.setEncoding('utf8').on('data', (chunk) => (run.out += chunk));
    child.stderr.setEncoding('utf8').on('data', (chunk) => (run.err += chunk));
    child.on('close', (code) => resolve({ ...run, code }));
  });
}

/** A deployment that ends with the test, with the keys above. */
export async function startDeployment(options: DeploymentOptions = {}): Promise<Deployment> {
  const deployment = await openDeployment({ ...options, settings: { keys, ...options.settings } });
  onTestFinished(() => deployment.close());
  return deployment;
}

/** One in which listPets answers 500 to a limit of 1, and repeats the credential in each error. */
export function startBroken(options: DeploymentOptions = {}): Promise<Deployment> {
  return startDeployment({
    ...options,
    mutate: () => ({
      answer: ({ operation, query, headers }, answer) => {
        const echo = { code: 'echo', message: `you sent ${headers.authorization} \u001b[31m` };
        if (operation === 'listPets' && query.get('limit') === '1')
          return { ...answer, status: 500, body: { ...echo, status: 500n } };
        return answer.status >= 400 ? { ...answer, body: { ...echo, status: '400' } } : answer;
      },
    }),
  });
}

/** The report of a run of the command. */
export async function reportOf(
  run: (args: readonly string[]) => Promise<Pick<Run, 'out' | 'err'>>,
  args: readonly string[],
): Promise<Report> {
  const { out, err } = await run([...args, '--json', '-']);
  expect(err).toMatch(/^Verifying .+\nMade .+\n$/);
  return JSON.parse(out);
}
