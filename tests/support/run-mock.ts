import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { projectFile } from './twin.ts';

export type Run = { code: number | null; stdout: string; stderr: string };

type Options = {
  env?: Record<string, string>;
  nodeArgs?: readonly string[];
  /** Is told what it writes on standard error, from the beginning. */
  onError?: (text: string) => void;
};

/** Runs the mock as a process that ends by itself. */
export async function runMock(args: readonly string[], options: Options = {}): Promise<Run> {
  const { child, output } = start(args, options);
  const [code] = await once(child, 'close');
  return { code, ...output };
}

/**
 * Runs the mock as a process until the test ends, and gives what it printed by the time that it
 * answers.
 */
export async function serveMock(
  args: readonly string[],
  options: Options = {},
): Promise<{ stdout: string; child: ChildProcess }> {
  const { child, output } = start(['--port', '0', ...args], options);
  while (!/^http\S+\n$|\n\n$/.test(output.stdout)) {
    if (child.exitCode !== null) throw new Error(`The mock ended: ${output.stderr}`);
    await Promise.race([once(child.stdout, 'data'), once(child, 'close')]);
  }
  return { stdout: output.stdout, child };
}

function start(args: readonly string[], { env = {}, nodeArgs = [], onError }: Options) {
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, [...nodeArgs, projectFile('mock/start.js'), ...args], {
    env: { PATH, ...env },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text) => (output.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text) => {
    output.stderr += text;
    onError?.(text);
  });
  return { child, output };
}
