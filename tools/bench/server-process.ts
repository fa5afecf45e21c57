import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { findFreePort } from '../../tests/support/free-port.ts';

/**
 * A server under measurement: what Node runs for a port, the path that its operations are under,
 * and whether it can be asked.
 */
export type Contender = {
  name: string;
  args: (port: number) => string[];
  basePath: string;
  talks?: boolean;
};

export type ServerProcess = {
  name: string;
  api: string;
  /** From the start of the process to its first 200, in milliseconds. */
  firstAnswer: number;
  /**
   * Resident memory in MB, after a full collection where the server was started with {@link
   * collectsOnSignal}.
   */
  memory(): Promise<number>;
  /**
   * Sends a message to a process that talks, and gives its next one. Throws where it ends before.
   */
  ask(message: number): Promise<unknown>;
  stop(signal?: NodeJS.Signals): Promise<void>;
};

/**
 * Flags of Node that let a server collect its garbage when asked to. Without it, memory tells how
 * much V8 has put off, and a million requests are too few for it to begin.
 */
export const collectsOnSignal = [
  '--expose-gc',
  '--import',
  'data:text/javascript,process.on("SIGUSR2", () => gc({ type: "major", flavor: "last-resort" }))',
];

/** Credentials of every request; the bare servers ignore them. */
export const credentials = { Authorization: 'Bearer bench' };

/** Starts a server on a free port and waits for its first 200. */
export async function startServer({
  name,
  args,
  basePath,
  talks = false,
}: Contender): Promise<ServerProcess> {
  const port = await findFreePort();
  const start = performance.now();
  const child = spawn(process.execPath, args(port), {
    stdio: ['ignore', 'ignore', 'inherit', ...(talks ? ['ipc' as const] : [])],
  });
  const exited = once(child, 'exit');
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const api = `http://127.0.0.1:${port}${basePath}`;
  while (!(await answers(`${api}/pets`))) {
    if (child.exitCode !== null)
      throw new Error(`${name} ended with ${child.exitCode} before its first answer.`);
    if (performance.now() - start > 120_000)
      throw new Error(`${name} gave no 200 at ${api}/pets within two minutes.`);
    await wait(2);
  }
  const firstAnswer = performance.now() - start;
  return {
    name,
    api,
    firstAnswer,
    memory: async () => {
      if (args(port).includes('--expose-gc')) child.kill('SIGUSR2');
      await wait(500);
      return (
        Number(
          spawnSync('ps', ['-o', 'rss=', '-p', String(child.pid)], { encoding: 'utf8' }).stdout,
        ) / 1024
      );
    },
    ask: async (message) => {
      const answer = once(child, 'message').then(([sent]) => sent);
      child.send(message);
      return Promise.race([
        answer,
        exited.then(() => Promise.reject(new Error(`${name} ended before it answered.`))),
      ]);
    },
    stop: async (signal = 'SIGKILL') => {
      process.off('exit', kill);
      child.kill(signal);
      await exited;
    },
  };
}

function answers(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get(url, { headers: credentials, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.on('error', () => resolve(false));
  });
}
