import { type Backend, type BackendOptions, StoreError } from '../../sandboxes/backend.ts';
import { describeMismatch } from '../../sandboxes/fingerprint.ts';
import { openMirroredSandbox } from '../../sandboxes/mirrored-sandbox.ts';
import { StoreUnavailableError } from '../../state/store.ts';
import { parseRedisUrl } from './address.ts';
import { type Connection, openConnection } from './connection.ts';
import { toKeys } from './keys.ts';
import { type EvictedSandbox, SandboxServer } from './sandbox-server.ts';
import { removeScript } from './scripts.ts';
import { shareSandboxes } from './share-sandboxes.ts';

/**
 * Shares the state of a twin with all processes that use the same server and prefix; the address is
 * `redis://` or `rediss://`, with credentials. Throws {@link StoreError}.
 */
export async function openRedisBackend(url: string, options: BackendOptions): Promise<Backend> {
  const { reset, maxSandboxes: max, idle, log, toInitialState } = options;
  const address = parseRedisUrl(url);
  if (typeof address === 'string') throw new StoreError(address);
  const connection = await openConnection(address, { log });
  const keys = toKeys(connection.prefix);
  /** By how much the clock of the server is ahead of this one, in milliseconds. */
  let ahead = 0;
  const used = new Set<string>();
  /** Says what differs where the server holds the state of another twin; else it is this one's. */
  const findProblem = async () => {
    const fingerprint = options.fingerprint();
    await connection.send('SET', keys.fingerprint, JSON.stringify(fingerprint), 'NX');
    const held = (await connection.send('GET', keys.fingerprint)) as string | null;
    if (held === null) return undefined;
    return describeMismatch(`The store at ${connection.shown}`, JSON.parse(held), fingerprint);
  };
  try {
    const problem = await findProblem();
    if (problem !== undefined) {
      if (!reset) throw new StoreError(problem);
      await removeAll(connection);
      await findProblem();
      log.info(`The state of another mock at ${connection.shown} was removed (--reset-store).`);
    }
  } catch (error) {
    connection.close();
    throw error instanceof StoreUnavailableError ? new StoreError(error.message) : error;
  }
  const onLeave = (leaving: readonly EvictedSandbox[]) => {
    for (const [name, reason] of leaving)
      log.info(
        reason === 'idle'
          ? `Sandbox "${name}" was closed: it was not used for ${idle / 1000} s (--sandbox-idle).`
          : `Sandbox "${name}" was closed: there are ${max} others (--max-sandboxes), and it was the least recently used.`,
      );
  };
  const onTime = (system: number) => {
    ahead = system - Date.now();
  };
  return {
    now: () => Date.now() + ahead,
    open: (parts) =>
      openMirroredSandbox(parts, {
        held: new SandboxServer(parts.name, { connection, max, idle, used, onTime, onLeave }),
        toInitialState,
      }),
    share: (local) => shareSandboxes(local, { connection, idle, used }),
    async health() {
      try {
        await connection.send('SET', keys.probe, '', 'PX', '60000');
        return await findProblem();
      } catch (error) {
        if (error instanceof StoreUnavailableError) return error.message;
        throw error;
      }
    },
    async follow(fingerprint) {
      await connection.send('SET', keys.fingerprint, JSON.stringify(fingerprint));
    },
    close: async () => connection.close(),
  };
}

async function removeAll(connection: Connection): Promise<void> {
  const keys = toKeys(connection.prefix);
  const names = (await connection.send('ZRANGE', keys.used, '0', '-1')) as string[];
  for (const name of ['default', ...names])
    await connection.run(removeScript, [connection.prefix, name]);
  await connection.send('DEL', keys.fingerprint);
}
