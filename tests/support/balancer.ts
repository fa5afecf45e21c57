import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, onTestFinished } from 'vitest';
import { findBalancer, howToGetBalancer } from './balancer-command.ts';
import { findFreePort } from './free-port.ts';
import { type OnEnd, startNameServer } from './name-server.ts';
import { projectFile } from './twin.ts';

/** Tests that need HAProxy; they are skipped, and say how to get it, where there is none. */
export function describeWithBalancer(name: string, tests: () => void): void {
  // Only Linux has all of 127.0.0.0/8 without being told to.
  if (findBalancer() && process.platform === 'linux') describe(name, tests);
  else describe.skip(`${name} (${howToGetBalancer})`, tests);
}

export type Balancer = {
  /** Its origin, e.g. `http://127.0.0.1:34567`. */
  origin: string;
  /** The port that it expects each twin at. */
  twinPort: number;
  /** Tells the balancer, through its name server, on which addresses twins run. */
  setTwins(addresses: readonly string[]): void;
};

/**
 * Starts the balancer of the compose file on a free port, until the test ends, unless `onEnd` says
 * when else; it finds twins at these addresses, and a port of its choice unless one is given.
 */
export async function startBalancer(
  addresses: readonly string[],
  { twinPort: given, onEnd = onTestFinished }: { twinPort?: number; onEnd?: OnEnd } = {},
): Promise<Balancer> {
  const names = await startNameServer(addresses, onEnd);
  const port = await findFreePort('127.0.0.1');
  const twinPort = given ?? (await findFreePort('127.0.0.2'));
  const child = spawn('haproxy', ['-db', '-f', projectFile('examples/scale/haproxy.cfg')], {
    env: {
      PATH: process.env.PATH,
      BALANCER_BIND: `127.0.0.1:${port}`,
      MOCK_PORT: String(twinPort),
      RESOLVER: names.address,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onEnd(() => void child.kill('SIGKILL'));
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (output += text));
  // It names each twin that it finds, once for each of its two lists.
  const timesFound = (address: string) =>
    output.matchAll(new RegExp(`to '?${RegExp.escape(address)}'? by`, 'g')).toArray().length;
  const found = () => addresses.every((address) => timesFound(address) > 1);
  while (!found()) {
    if (child.exitCode !== null) throw new Error(`HAProxy ended: ${output}`);
    await Promise.race([once(child.stderr, 'data'), once(child, 'close')]);
  }
  return {
    origin: `http://127.0.0.1:${port}`,
    twinPort,
    setTwins(next) {
      names.addresses = next;
    },
  };
}
