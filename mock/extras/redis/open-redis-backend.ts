import { type Backend, type BackendOptions, StoreError } from '../../sandboxes/backend.ts';
import { describeMismatch, type Fingerprint } from '../../sandboxes/fingerprint.ts';
import type { Sandboxes } from '../../sandboxes/sandboxes.ts';
import { createMemoryStores } from '../../state/memory-store.ts';
import { StoreUnavailableError } from '../../state/store.ts';
import { parseRedisUrl } from './address.ts';
import { type Connection, openConnection } from './connection.ts';
import { type TwinKeys, toTwinKeys } from './keys.ts';
import { openRegistry, type Registry, removeSandbox } from './registry.ts';
import { markJournal, type SharedJournal, shareJournal } from './shared-journal.ts';
import { openSharedSandbox } from './shared-sandbox.ts';

const defaultName = 'default';

/**
 * Shares the state of a twin with all processes that use the same server and prefix; the address is
 * `redis://` or `rediss://`, with credentials. Throws {@link StoreError}.
 */
export async function openRedisBackend(url: string, options: BackendOptions): Promise<Backend> {
  const { reset, maxSandboxes, idle, log } = options;
  const address = parseRedisUrl(url);
  if (typeof address === 'string') throw new StoreError(address);
  const connection = await openConnection(address, { log });
  const memory = createMemoryStores();
  const keys = toTwinKeys(connection.prefix);
  const time = createServerTime();
  const registry = openRegistry({ connection, keys, max: maxSandboxes, idle, log });
  const findProblem = () => findOtherTwin(connection, keys, options.fingerprint());
  const ensureSameTwin = async () => {
    const problem = await findProblem();
    if (problem !== undefined) throw new StoreUnavailableError(problem);
  };
  try {
    const problem = await findProblem();
    if (problem !== undefined) {
      if (!reset) throw new StoreError(problem);
      await removeAll(connection, keys, registry);
      await ensureSameTwin();
      log.info(`The state of another twin at ${connection.shown} was removed (--reset-store).`);
    }
  } catch (error) {
    connection.close();
    throw error instanceof StoreUnavailableError ? new StoreError(error.message) : error;
  }
  return {
    bytesOf: memory.bytesOf,
    now: time.now,
    open: (parts) => {
      const { name } = parts;
      const isDefault = name === defaultName;
      let journal: SharedJournal | undefined;
      return openSharedSandbox(parts, {
        connection,
        memory,
        idle: isDefault ? undefined : idle,
        toInitialState: options.toInitialState,
        async onCreate() {
          await ensureSameTwin();
          if (!isDefault) await registry.add(name);
          return await markJournal(connection, keys, name);
        },
        onDelete: () => registry.beginRemoval(name),
        async onRestart() {
          await journal?.settle();
          return await markJournal(connection, keys, name);
        },
        onTime: time.hear,
        journal: (local) => (journal = shareJournal(local, { name, connection, keys })),
      });
    },
    share: (local) => shareSandboxes(local, registry),
    async health() {
      try {
        await connection.send(keys.probe, 'SET', keys.probe, '', 'PX', '60000');
        return await findProblem();
      } catch (error) {
        if (error instanceof StoreUnavailableError) return error.message;
        throw error;
      }
    },
    async follow(fingerprint) {
      const { fingerprint: key } = keys;
      await connection.send(key, 'SET', key, JSON.stringify(fingerprint));
    },
    close: async () => connection.close(),
  };
}

/**
 * Says what differs where the server holds the state of a twin that is made of something else; of
 * one that holds none it becomes this one's.
 */
async function findOtherTwin(
  connection: Connection,
  { fingerprint: key }: TwinKeys,
  fingerprint: Fingerprint,
): Promise<string | undefined> {
  await connection.send(key, 'SET', key, JSON.stringify(fingerprint), 'NX');
  const held = (await connection.send(key, 'GET', key)) as string | null;
  if (held === null) return undefined;
  return describeMismatch(`The store at ${connection.shown}`, JSON.parse(held), fingerprint);
}

async function removeAll(
  connection: Connection,
  keys: TwinKeys,
  registry: Registry,
): Promise<void> {
  const names = [defaultName, ...(await registry.list()).map(({ name }) => name)];
  for (const name of names) {
    const onRemoved = await registry.beginRemoval(name);
    await removeSandbox(connection, keys, name);
    await onRemoved();
  }
  await connection.send(keys.fingerprint, 'DEL', keys.fingerprint);
}

/** The sandboxes of all processes, around those of this one, which mirror some of them. */
function shareSandboxes(local: Sandboxes, registry: Registry): Sandboxes {
  const open = async (name: string) => {
    const entry = local.find(name) ?? { sandbox: local.get(name) };
    await entry.sandbox.refresh?.();
    return entry.sandbox;
  };
  const findStored: Sandboxes['findStored'] = async (name) => {
    if (name === defaultName) {
      await local.defaultSandbox.refresh?.();
      return local.find(name);
    }
    const found = await registry.find(name);
    if (!found) return undefined;
    const { createdAt, lastUsedAt } = found;
    return { sandbox: await open(name), createdAt, lastUsedAt };
  };
  return {
    ...local,
    get(name) {
      if (name !== defaultName) registry.touch(name);
      return local.get(name);
    },
    enter(name) {
      if (name !== undefined && name !== defaultName) registry.touch(name);
      return local.enter(name);
    },
    findStored,
    async listStored() {
      const [first] = local.list();
      await local.defaultSandbox.refresh?.();
      const entries = [...(first ? [first] : [])];
      for (const { name, createdAt, lastUsedAt } of await registry.list())
        entries.push({ sandbox: await open(name), createdAt, lastUsedAt });
      return entries;
    },
    async gather() {
      const all = await registry.list().catch(() => []);
      // One that cannot be opened says so to whoever uses it.
      const opened = await Promise.all(all.map(({ name }) => open(name).catch(() => [])));
      return [local.defaultSandbox, ...opened.flat()];
    },
    async put(name, given = {}) {
      await local.toInitialState(given);
      if (name === defaultName) {
        const { entry } = await local.put(name, given);
        return { entry, isNew: false };
      }
      const isNew = (await registry.find(name)) === undefined;
      local.get(name);
      const { entry } = await local.put(name, given);
      await registry.begin(name, { hasOptions: Object.keys(given).length > 0 });
      const found = await registry.find(name);
      return { entry: { ...entry, ...found }, isNew };
    },
    async delete(name) {
      if (name === defaultName) return await local.delete(name);
      if (!(await registry.find(name))) return false;
      local.get(name);
      return await local.delete(name);
    },
    async deleteAll() {
      const all = await registry.list();
      for (const { name } of all) {
        local.get(name);
        await local.delete(name);
      }
      return all.length;
    },
  };
}

/** The time of a server, as this process knows it from replies. */
interface ServerTime {
  /** In Unix milliseconds. */
  now(): number;
  /** Takes the time that a reply told, which was a moment ago. */
  hear(system: number): void;
}

/** Beyond so many milliseconds, a clock was set, and no reply was slow. */
const maxWobble = 250;

/** Follows the time of a server; until it is heard of, it is the system's. */
function createServerTime(systemNow: () => number = Date.now): ServerTime {
  let offset: number | undefined;
  return {
    now: () => systemNow() + (offset ?? 0),
    hear(system) {
      const heard = system - systemNow();
      // The fastest reply comes closest; the others were longer on their way.
      if (offset === undefined || heard > offset || offset - heard > maxWobble) offset = heard;
    },
  };
}
