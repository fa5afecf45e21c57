import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Describes what a run of the command came to. */
export type MeasuredRun = {
  /** The exit code, or the signal that ended the process. */
  code: number | string | null;
  stdout: string;
  stderr: string;
  /** Its peak memory. */
  mebibytes: number;
};

export type Environment = Record<string, string>;

/** Runs commands one after another, in the order of the calls. */
export type RepeatingProcess = {
  run(args: readonly string[], env?: Environment): Promise<MeasuredRun>;
  /** Waits for the end of the process; a run that left something behind never ends by itself. */
  close(): Promise<{ code: number | null; signal: NodeJS.Signals | null } | undefined>;
};

/** No run is given longer than this, in milliseconds. */
export const patience = 120_000;

/**
 * A process that runs a command as often as it is asked, as loading the command takes longer than
 * most runs. It starts with the first run. A run that ends it costs the next one a new process.
 * `env` is the environment of the process, beside the one that each run reads.
 */
export function createRepeatingProcess(program: URL, env: Environment = {}): RepeatingProcess {
  let child: ChildProcess | undefined;
  let last: Promise<unknown> = Promise.resolve();

  const open = (): ChildProcess =>
    fork(program, {
      execArgv: ['--expose-gc'],
      env: {
        PATH: process.env.PATH ?? '',
        NODE_COMPILE_CACHE: join(tmpdir(), 'compile-cache'),
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });

  const runNow = async (args: readonly string[], env: Environment): Promise<MeasuredRun> => {
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

  return {
    run(args, env = {}) {
      const result = last.then(() => runNow(args, env));
      last = result.catch(() => {});
      return result;
    },
    async close() {
      const current = child;
      if (!current?.connected) return undefined;
      const timer = setTimeout(() => current.kill('SIGKILL'), patience);
      current.disconnect();
      // There is no `close` after a disconnect.
      const [code, signal] = await once(current, 'exit');
      clearTimeout(timer);
      return { code, signal };
    },
  };
}
