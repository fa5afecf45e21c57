import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { projectFile } from '../../support/twin.ts';

/** A run of the command, and what it printed so far. */
export type ProxyRun = {
  child: ChildProcess;
  out: string;
  err: string;
  /** Returns where the proxy listens, once it does. */
  origin(): Promise<string>;
  /** Resolves with the text once it was printed to standard error. */
  until(pattern: RegExp): Promise<RegExpExecArray>;
  /** Ends it by a signal, and resolves with its exit code. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
  /** The exit code, once it has ended by itself. */
  code(): Promise<number | null>;
};

/** Runs the command on a free port, as a user does. It ends with the test. */
export function runProxyCommand(
  args: readonly string[],
  env: Record<string, string> = {},
): ProxyRun {
  const child = spawn(
    process.execPath,
    [projectFile('contracts/main.ts'), 'proxy', '--port', '0', ...args],
    { env: { PATH: process.env.PATH ?? '', ...env } },
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  const closed = once(child, 'close').then(([code]) => code as number | null);
  const run: ProxyRun = {
    child,
    out: '',
    err: '',
    async until(pattern) {
      for (;;) {
        const found = pattern.exec(run.err);
        if (found) return found;
        const more = once(child.stderr, 'data').then(() => true);
        if (!(await Promise.race([more, closed.then(() => false)])) && !pattern.test(run.err))
          throw new Error(`The proxy ended before ${pattern}: ${run.err}`);
      }
    },
    origin: async () => (await run.until(/^ {2}(https?:\/\/[^/\s]+)\/\S*\n\n/m))[1] ?? '',
    end: async (signal = 'SIGINT') => {
      child.kill(signal);
      return closed;
    },
    code: () => closed,
  };
  child.stdout.setEncoding('utf8').on('data', (chunk) => (run.out += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk) => (run.err += chunk));
  return run;
}
