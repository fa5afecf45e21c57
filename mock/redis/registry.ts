import type { Log } from '../log.ts';
import type { Connection } from './connection.ts';
import { type TwinKeys, toSandboxKeys } from './keys.ts';
import { registerScript } from './scripts.ts';
import { clearJournal } from './shared-journal.ts';

/** When a sandbox was made and last used, in Unix milliseconds of the server's clock. */
export type Registered = { name: string; createdAt: number; lastUsedAt: number };

/** The sandboxes of all processes, but for the default one, which is always there. */
export interface Registry {
  /** Adds a sandbox that is made; one that is there stays as it is. */
  add(name: string): Promise<void>;
  /** Adds a sandbox that begins now, whether or not it was there. */
  begin(name: string, options: { hasOptions: boolean }): Promise<void>;
  /** Notes that a sandbox is used; once a second is enough. */
  touch(name: string): void;
  find(name: string): Promise<Registered | undefined>;
  /** All of them, those that were used last first. */
  list(): Promise<Registered[]>;
  remove(name: string): Promise<void>;
}

export type RegistryOptions = {
  connection: Connection;
  keys: TwinKeys;
  max: number;
  /** After how many milliseconds without use one is gone; 0 for never. */
  idle: number;
  log: Pick<Log, 'info'>;
};

/** How long it is taken for granted that the server knows of a use, in milliseconds. */
const touchEvery = 1000;

/** Opens the registry of a twin. */
export function openRegistry({ connection, keys, max, idle, log }: RegistryOptions): Registry {
  const touched = new Map<string, number>();
  const register = async (name: string, ...begun: string[]) => {
    touched.delete(name);
    touched.set(name, performance.now());
    const [oldest = ''] = touched.keys();
    if (touched.size > max) touched.delete(oldest);
    const [, gone] = (await connection.run(
      registerScript,
      [keys.used, keys.about],
      [name, String(idle), String(max), ...begun],
    )) as [number, [name: string, reason: 'idle' | 'max'][]];
    for (const [one, reason] of gone) {
      await removeSandbox(connection, keys, one);
      log.info(
        reason === 'idle'
          ? `Sandbox "${one}" was closed: it was not used for ${idle / 1000} s (--sandbox-idle).`
          : `Sandbox "${one}" was closed: there are ${max} others (--max-sandboxes), and it was the least recently used.`,
      );
    }
  };
  const readAll = async (): Promise<Registered[]> => {
    // What was not used for too long is gone before it is listed.
    await register('', ...[]);
    const [used, about] = (await Promise.all([
      connection.send(keys.used, 'ZREVRANGE', keys.used, '0', '-1', 'WITHSCORES'),
      connection.send(keys.about, 'HGETALL', keys.about),
    ])) as [string[], string[]];
    const created = new Map<string, number>();
    for (let at = 0; at < about.length; at += 2)
      created.set(about[at] as string, Number.parseInt(about[at + 1] as string, 10));
    const all: Registered[] = [];
    for (let at = 0; at < used.length; at += 2) {
      const [name, lastUsedAt] = [used[at] as string, Number(used[at + 1])];
      all.push({ name, createdAt: created.get(name) ?? lastUsedAt, lastUsedAt });
    }
    return all;
  };
  return {
    add: (name) => register(name, '0', '0'),
    begin: (name, { hasOptions }) => register(name, hasOptions ? '1' : '0', '1'),
    touch(name) {
      const last = touched.get(name);
      if (last !== undefined && performance.now() - last < touchEvery) return;
      register(name).catch(() => {});
    },
    find: async (name) => (await readAll()).find((one) => one.name === name),
    list: readAll,
    async remove(name) {
      touched.delete(name);
      await connection.send(keys.used, 'ZREM', keys.used, name);
      await connection.send(keys.about, 'HDEL', keys.about, name);
    },
  };
}

/** Deletes all of a sandbox but its place in the registry. */
export async function removeSandbox(
  connection: Connection,
  keys: TwinKeys,
  name: string,
): Promise<void> {
  const own = toSandboxKeys(connection.prefix, name);
  await connection.send(own.head, 'DEL', ...Object.values(own));
  await clearJournal(connection, keys, name);
}
