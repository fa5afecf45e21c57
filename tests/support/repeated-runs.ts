import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, expect } from 'vitest';

/** What a run of the command came to. */
export type MeasuredRun = {
  /** The exit code, or the signal that ended the process. */
  code: number | string | null;
  stdout: string;
  stderr: string;
  /** Its peak memory. */
  mebibytes: number;
};

type Environment = Record<string, string>;

/** No run is given longer than this, in milliseconds. */
const patience = 120_000;

const programs = {
  verify: new URL('repeat-verify.ts', import.meta.url),
  mock: new URL('repeat-mock.ts', import.meta.url),
  dredd: new URL('repeat-dredd.ts', import.meta.url),
  domains: new URL('repeat-domains.ts', import.meta.url),
};

/**
 * Gives a function that runs a command in a process of its own, the same one for all runs of a test
 * file, one after another: loading the command takes longer than most runs. Tests that run at once
 * share as many processes as `processes` says. The mock is for what ends by itself. A run that ends
 * its process costs the next one a new process.
 */
export function useRepeatedRuns(
  program: keyof typeof programs,
  { processes = 1 }: { processes?: number } = {},
): RunRepeatedly {
  const runners = Array.from({ length: processes }, () => ({
    run: useOneProcess(program),
    waiting: 0,
  }));
  return async (args, env = {}) => {
    const [runner] = runners.toSorted((left, right) => left.waiting - right.waiting);
    if (!runner) throw new Error('There must be a process to run in.');
    runner.waiting++;
    return runner.run(args, env).finally(() => runner.waiting--);
  };
}

type RunRepeatedly = (args: readonly string[], env?: Environment) => Promise<MeasuredRun>;

function useOneProcess(program: keyof typeof programs): RunRepeatedly {
  let child: ChildProcess | undefined;
  let last: Promise<unknown> = Promise.resolve();

  const open = (): ChildProcess =>
    fork(programs[program], {
      execArgv: ['--expose-gc'],
      env: { PATH: process.env.PATH ?? '' },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });

  const run = async (args: readonly string[], env: Environment): Promise<MeasuredRun> => {
    if (!child?.connected) child = open();
    const current = child;
    const printed = { stdout: '', stderr: '' };
    const collect = (name: 'stdout' | 'stderr') => (chunk: unknown) => (printed[name] += chunk);
    const [collectOut, collectErr] = [collect('stdout'), collect('stderr')];
    current.stdout?.on('data', collectOut);
    current.stderr?.on('data', collectErr);
    const timer = setTimeout(() => current.kill('SIGKILL'), patience);
    const done = new AbortController();
    const ended = once(current, 'close', { signal: done.signal }).then(
      ([code, signal]): MeasuredRun => ({
        code: code ?? signal,
        ...printed,
        mebibytes: Number.POSITIVE_INFINITY,
      }),
    );
    ended.catch(() => {});
    const answered = once(current, 'message', { signal: done.signal }).then(([run]) => run);
    answered.catch(() => {});
    current.send({ args, env });
    const result = await Promise.race([answered, ended]);
    done.abort();
    clearTimeout(timer);
    current.stdout?.off('data', collectOut).resume();
    current.stderr?.off('data', collectErr).resume();
    return result;
  };

  // Nothing that a run leaves behind may keep the process alive.
  afterAll(async () => {
    if (!child?.connected) return;
    const timer = setTimeout(() => child?.kill('SIGKILL'), patience);
    child.disconnect();
    // There is no `close` after a disconnect.
    const [code, signal] = await once(child, 'exit');
    clearTimeout(timer);
    expect({ code, signal }).toEqual({ code: 0, signal: null });
  }, 2 * patience);

  return (args, env = {}) => {
    const result = last.then(() => run(args, env));
    last = result.catch(() => {});
    return result;
  };
}
