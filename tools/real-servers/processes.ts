import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from './real-server.ts';

const running = new Set<ChildProcess>();
let interrupted = false;

/** Starts a process in a group of its own; what it prints goes to the file `log`. */
export function start({ command, args, env }: Command, log: string, cwd?: string): ChildProcess {
  const output = openSync(log, 'a');
  const child = spawn(command, args, {
    stdio: ['ignore', output, output],
    detached: true,
    env: { ...process.env, ...env },
    ...(cwd && { cwd }),
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  child.once('error', () => running.delete(child));
  return child;
}

/** Waits for the end of a process and gives its exit code, which is -1 after a signal. */
export async function ended(child: ChildProcess): Promise<number> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.exitCode ?? -1;
}

/** Runs a process to its end; throws with the last lines of `log` where it fails. */
export async function run(command: Command, log: string, cwd?: string): Promise<void> {
  const tool = command.command;
  const code = await ended(start(command, log, cwd)).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT'
      ? new Error(`${tool} is not installed. Install it first.`)
      : error;
  });
  if (code !== 0)
    throw new Error(`${tool} ended with ${code}:\n${readFileSync(log, 'utf8').slice(-1500)}`);
}

/** Ends a process with its group: kindly, and after 20 seconds by force. */
export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    signalGroup(child, 'SIGTERM');
    await Promise.race([ended(child), sleep(20_000, undefined, { ref: false })]);
  }
  signalGroup(child, 'SIGKILL');
}

/** After Ctrl-C or SIGTERM, ends all that was started, and then this process. */
export function stopOnSignals(cleanUp: () => void): void {
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)
    process.on(signal, async () => {
      if (interrupted) process.exit(code);
      interrupted = true;
      await Promise.all([...running].map(stop));
      cleanUp();
      process.exit(code);
    });
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
