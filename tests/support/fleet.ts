import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { startBalancer } from './balancer.ts';
import { readCompose } from './compose.ts';
import { findFreePort } from './free-port.ts';
import type { OnEnd } from './name-server.ts';
import { projectFile } from './twin.ts';

/** A twin of a fleet, as a process. */
export type FleetTwin = {
  origin: string;
  /** Ends the process: by default as a crash does, or with SIGTERM as Docker does. */
  kill(signal?: 'SIGKILL' | 'SIGTERM'): Promise<void>;
  /** Starts it again, unless it runs. */
  start(): Promise<void>;
};

/** Three twins with the settings of the compose file, and the balancer before them. */
export type Fleet = {
  /** The origin of the balancer. */
  origin: string;
  /** The base URL of the API there. */
  api: string;
  twins: readonly [FleetTwin, FleetTwin, FleetTwin];
};

const addresses = ['127.0.0.2', '127.0.0.3', '127.0.0.4'] as const;

/**
 * Starts a fleet that ends with the test, unless `onEnd` says when else; `store` is what each twin
 * is given as its store.
 */
export async function startFleet(
  store: string,
  { args = [], onEnd = onTestFinished }: { args?: readonly string[]; onEnd?: OnEnd } = {},
): Promise<Fleet> {
  const twinPort = await findFreePort(addresses[0]);
  const { environment } = (await readCompose()).twin;
  const env = { PATH: process.env.PATH, ...environment, TWIN_STORE: store };
  const startTwin = async (host: string): Promise<FleetTwin> => {
    let child: ChildProcess | undefined;
    const kill: FleetTwin['kill'] = async (signal = 'SIGKILL') => {
      const ending = child;
      child = undefined;
      if (!ending || ending.exitCode !== null || ending.signalCode !== null) return;
      ending.kill(signal);
      await once(ending, 'exit');
    };
    const start = async () => {
      if (child) return;
      const place = ['--host', host, '--port', String(twinPort)];
      const starting = spawn(process.execPath, [projectFile('mock/start.js'), ...place, ...args], {
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      child = starting;
      let errors = '';
      starting.stderr.on('data', (text) => (errors += text));
      const [first] = await Promise.race([
        once(starting.stdout, 'data'),
        once(starting, 'exit').then(() => []),
      ]);
      if (first === undefined) throw new Error(`A twin of the fleet ended: ${errors}`);
      starting.stdout.resume();
    };
    onEnd(() => kill());
    await start();
    return { origin: `http://${host}:${twinPort}`, kill, start };
  };
  const twins = await Promise.all([
    startTwin(addresses[0]),
    startTwin(addresses[1]),
    startTwin(addresses[2]),
  ]);
  const { origin } = await startBalancer(addresses, { twinPort, onEnd });
  return { origin, api: `${origin}/v1`, twins };
}
