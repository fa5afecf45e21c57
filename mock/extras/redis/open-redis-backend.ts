import { type Backend, type BackendOptions, StoreError } from '../../sandboxes/backend.ts';
import { describeMismatch } from '../../sandboxes/fingerprint.ts';
import { openMirroredSandbox } from '../../sandboxes/mirrored-sandbox.ts';
import { defaultName, type Sandboxes } from '../../sandboxes/sandboxes.ts';
import { StoreUnavailableError } from '../../state/store.ts';
import { parseRedisUrl } from './address.ts';
import { type Connection, openConnection } from './connection.ts';
import { toKeys } from './keys.ts';
import { type EvictedSandbox, SandboxServer } from './sandbox-server.ts';
import { removeScript } from './scripts.ts';

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

/** When a sandbox was made and last used, in Unix milliseconds of the server's clock. */
type RegisteredSandbox = { name: string; createdAt: number; lastUsedAt: number };

/** The sandboxes of all processes, around those of this one, which mirror some of them. */
function shareSandboxes(
  local: Sandboxes,
  { connection, idle, used }: { connection: Connection; idle: number; used: Set<string> },
): Sandboxes {
  const keys = toKeys(connection.prefix);
  /** All but the default one, those that were used last first. */
  const readAll = async (): Promise<RegisteredSandbox[]> => {
    const [names, about, [seconds, microseconds]] = (await Promise.all([
      connection.send('ZRANGE', keys.used, '0', '-1', 'REV', 'WITHSCORES'),
      connection.send('HGETALL', keys.about),
      connection.send('TIME'),
    ])) as [string[], string[], string[]];
    const created = new Map<string, number>();
    for (let at = 0; at < about.length; at += 2)
      created.set(about[at] as string, Number.parseInt(about[at + 1] as string, 10));
    const now = Number(seconds) * 1000 + Number(microseconds) / 1000;
    const all: RegisteredSandbox[] = [];
    for (let at = 0; at < names.length; at += 2) {
      const [name, lastUsedAt] = [names[at] as string, Math.floor(Number(names[at + 1]) / 1000)];
      const isIdle = idle > 0 && now - lastUsedAt > idle;
      if (!isIdle) all.push({ name, createdAt: created.get(name) ?? lastUsedAt, lastUsedAt });
    }
    return all;
  };
  const find = async (name: string) => (await readAll()).find((one) => one.name === name);
  const open = async (name: string) => {
    const entry = local.find(name) ?? { sandbox: local.get(name) };
    await entry.sandbox.refresh?.();
    return entry.sandbox;
  };
  return {
    defaultSandbox: local.defaultSandbox,
    toInitialState: local.toInitialState,
    find: (name) => local.find(name),
    list: () => local.list(),
    ensureRoom: (...collections) => local.ensureRoom(...collections),
    close: () => local.close(),
    get(name) {
      used.add(name);
      return local.get(name);
    },
    enter(name = defaultName) {
      used.add(name);
      return local.enter(name);
    },
    async findStored(name) {
      if (name === defaultName) {
        await local.defaultSandbox.refresh?.();
        return local.find(name);
      }
      const found = await find(name);
      return found && { ...found, sandbox: await open(name) };
    },
    async listStored() {
      const all = await readAll();
      await local.defaultSandbox.refresh?.();
      const entries = local.list().slice(0, 1);
      for (const { name, createdAt, lastUsedAt } of all)
        entries.push({ sandbox: await open(name), createdAt, lastUsedAt });
      return entries;
    },
    async put(name, given = {}) {
      await local.toInitialState(given);
      const isNew = name !== defaultName && (await find(name)) === undefined;
      local.get(name);
      const { entry } = await local.put(name, given);
      return { entry: { ...entry, ...(await find(name)) }, isNew };
    },
    async delete(name) {
      if (name !== defaultName && !(await find(name))) return false;
      local.get(name);
      return await local.delete(name);
    },
    async deleteAll() {
      const all = await readAll();
      for (const { name } of all) {
        local.get(name);
        await local.delete(name);
      }
      return all.length;
    },
  };
}
