import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { describe, onTestFinished } from 'vitest';
import { findFreePort } from './free-port.ts';
import { makeFolder } from './make-folder.ts';
import { findRedis, howToGetRedis } from './redis-command.ts';

const found = findRedis();
const cli = found?.replace(/server$/, 'cli') ?? '';

/** Tests that need a server; they are skipped, and say how to get one, where there is none. */
export function describeWithRedis(name: string, tests: () => void): void {
  if (found) describe(name, tests);
  else describe.skip(`${name} (${howToGetRedis})`, tests);
}

export type RedisServer = {
  port: number;
  pid: number;
  /** `redis://127.0.0.1:PORT/0`. */
  url: string;
  /** Runs a command, and gives what redis-cli prints. */
  command(...args: string[]): string;
  /** Ends the process as a crash does. */
  kill(): Promise<void>;
  /** Starts it again on the same port, with what it stored on disk, if anything. */
  restart(): Promise<void>;
  close(): Promise<void>;
};

/** A server on a free port of loopback that stores nothing on disk unless told to, until the test ends. */
export async function startRedis(options: readonly string[] = []): Promise<RedisServer> {
  const server = await openRedis(options);
  onTestFinished(() => server.close());
  return server;
}

/** The same, which the caller closes, for a whole file of tests. */
export async function openRedis(options: readonly string[] = []): Promise<RedisServer> {
  const directory = makeFolder();
  let port = await findFreePort();
  let child: ChildProcess | undefined;
  const start = async () => {
    child = await launch(port, directory, options);
  };
  // Another process may have taken the port meanwhile.
  for (let attempt = 0; ; attempt++)
    try {
      await start();
      break;
    } catch (error) {
      if (attempt === 4) throw error;
      port = await findFreePort();
    }
  const kill = async () => {
    const ending = child;
    child = undefined;
    if (!ending || ending.exitCode !== null || ending.signalCode !== null) return;
    const ended = new Promise((resolve) => ending.once('exit', resolve));
    ending.kill('SIGKILL');
    await ended;
  };
  return {
    get port() {
      return port;
    },
    get pid() {
      return child?.pid ?? 0;
    },
    get url() {
      return `redis://127.0.0.1:${port}/0`;
    },
    command(...args) {
      const { stdout, stderr } = spawnSync(cli, ['-p', String(port), ...args], {
        encoding: 'utf8',
      });
      return (stdout + stderr).trimEnd();
    },
    kill,
    restart: start,
    async close() {
      await kill();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function launch(
  port: number,
  directory: string,
  options: readonly string[],
): Promise<ChildProcess> {
  if (!found) throw new Error(howToGetRedis);
  const inMemory = options.includes('--appendonly') ? [] : ['--save', '', '--appendonly', 'no'];
  const child = spawn(found, [
    ...['--port', String(port), '--bind', '127.0.0.1', '--dir', directory],
    ...inMemory,
    ...options,
  ]);
  let output = '';
  await new Promise<void>((resolve, reject) => {
    const read = (text: Buffer) => {
      output += text;
      if (output.includes('Ready to accept connections')) resolve();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`redis-server ended: ${output}`)));
  });
  return child;
}
