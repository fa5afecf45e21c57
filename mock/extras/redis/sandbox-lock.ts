import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { StoreUnavailableError } from '../../state/store.ts';
import type { Connection } from './connection.ts';
import { renewScript } from './scripts.ts';

/** Lets one process at a time change a sandbox. */
export interface SandboxLock {
  /**
   * Acts while no other process does. The token shows a script that this is still so. Rejects with
   * {@link StoreUnavailableError} where others do not come to an end.
   */
  hold<T>(act: (token: string) => Promise<T>): Promise<T>;
}

export type LockOptions = {
  /** After how many milliseconds the lock of a process that ended is free. */
  ttl?: number;
  /** How long to wait for other processes, in milliseconds. */
  patience?: number;
};

/** Makes the lock of a sandbox, at a key. */
export function createSandboxLock(
  connection: Connection,
  key: string,
  { ttl = 5000, patience = 10_000 }: LockOptions = {},
): SandboxLock {
  let last: Promise<unknown> = Promise.resolve();
  const acquire = async (token: string) => {
    const end = performance.now() + patience;
    for (let wait = 2; ; wait = Math.min(2 * wait, 50)) {
      if (await connection.send(key, 'SET', key, token, 'NX', 'PX', String(ttl))) return;
      if (performance.now() > end)
        throw new StoreUnavailableError(
          `Another process has been changing this sandbox for ${patience / 1000} s.`,
        );
      await pause(wait * (0.5 + Math.random()));
    }
  };
  const renew = (token: string, time: number) =>
    connection.run(renewScript, [key], [token, String(time)]).catch(() => {});
  const holdAlone = async <T>(act: (token: string) => Promise<T>): Promise<T> => {
    const token = randomUUID();
    let renewing: NodeJS.Timeout | undefined;
    try {
      await acquire(token);
      renewing = setInterval(() => void renew(token, ttl), ttl / 3);
      return await act(token);
    } finally {
      clearInterval(renewing);
      // Of a command without an answer nobody knows whether it was run.
      await renew(token, 0);
    }
  };
  return {
    hold(act) {
      // Those of this process wait here, not at the server.
      const turn = last.then(() => holdAlone(act));
      last = turn.catch(() => {});
      return turn;
    },
  };
}
