import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { findFreePort } from '../../tests/support/free-port.ts';
import type { Contender } from '../bench/server-process.ts';

/** Another mock that serves a document. */
export type Peer = { base: string; stop(): void };

/**
 * Starts another mock on a free port; undefined where it ends before it listens. Throws where it
 * takes longer than `minutes`.
 */
export async function startPeer(
  { args, basePath, name }: Contender,
  minutes = 1,
): Promise<Peer | undefined> {
  const port = await findFreePort();
  // It may start processes of its own, which end with its group.
  const child = spawn(process.execPath, args(port), { stdio: 'ignore', detached: true });
  const stop = () => endGroup(child.pid);
  process.once('exit', stop);
  const start = performance.now();
  while (!(await listens(port))) {
    if (child.exitCode !== null) return undefined;
    if (performance.now() - start > minutes * 60_000) {
      stop();
      throw new Error(`${name} does not listen within ${minutes} min.`);
    }
    await wait(20);
  }
  return {
    base: `http://127.0.0.1:${port}${basePath}`,
    stop: () => {
      process.off('exit', stop);
      stop();
    },
  };
}

function endGroup(id: number | undefined): void {
  try {
    if (id !== undefined) process.kill(-id, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

async function listens(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
