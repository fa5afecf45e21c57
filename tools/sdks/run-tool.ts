import { spawnSync } from 'node:child_process';

/** Runs a program to its end, and returns what it prints; throws with that where it fails. */
export function runTool(
  cwd: string,
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): string {
  const { status, stdout, error } = spawnSync(command, args, {
    cwd,
    stdio: ['ignore', 'pipe', 2],
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    env: { ...process.env, ...env },
  });
  if (status === 0) return stdout;
  const reason = error ? error.message : `it ended with ${status}: ${stdout}`;
  throw new Error(`The SDKs cannot be fetched with ${command}: ${reason}`);
}
