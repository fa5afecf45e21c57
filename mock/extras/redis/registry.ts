import type { Log } from '../../log.ts';
import type { Connection } from './connection.ts';
import { type TwinKeys, toSandboxKeys } from './keys.ts';
import { registerScript, removeScript, unregisterScript } from './scripts.ts';
import { clearJournal, markJournal } from './shared-journal.ts';

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
  /**
   * Is called before a sandbox is removed; what it gives, once it was: then it is forgotten with its
   * journal, unless it was used or made again meanwhile.
   */
  beginRemoval(name: string): Promise<() => Promise<void>>;
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
  const choose = async (name: string, ...begun: string[]) =>
    (await connection.run(
      registerScript,
      [keys.used, keys.about],
      [name, String(idle), String(max), ...begun],
    )) as Leaving[];
  const readMark = async ({ 0: name }: Leaving) => {
    const { head, lock, ...others } = toSandboxKeys(connection.prefix, name);
    return String(await connection.run(removeScript, [head, lock, ...Object.values(others)], []));
  };
  /** Forgets a sandbox that was removed; whether nobody made it again meanwhile. */
  const unregister = async (name: string) => {
    const used = (await connection.send(keys.used, 'ZSCORE', keys.used, name)) as string | null;
    const { head } = toSandboxKeys(connection.prefix, name);
    if (used === null || (await connection.send(head, 'EXISTS', head)) === 1) return false;
    // Whoever makes it now registers it first, and then this is about an earlier use.
    return (await connection.run(unregisterScript, [keys.used, keys.about], [name, used])) === 1;
  };
  const evict = async ([name, , reason]: Leaving, mark: string) => {
    const { head, lock, ...others } = toSandboxKeys(connection.prefix, name);
    const forget = await markJournal(connection, keys, name);
    const isRemoved =
      (await connection.run(removeScript, [head, lock, ...Object.values(others)], [mark])) === 1;
    if (!isRemoved) {
      await choose(name);
      return;
    }
    await forget();
    if (!(await unregister(name))) return;
    log.info(
      reason === 'idle'
        ? `Sandbox "${name}" was closed: it was not used for ${idle / 1000} s (--sandbox-idle).`
        : `Sandbox "${name}" was closed: there are ${max} others (--max-sandboxes), and it was the least recently used.`,
    );
  };
  const register = async (name: string, ...begun: string[]) => {
    touched.delete(name);
    touched.set(name, performance.now());
    const [oldest = ''] = touched.keys();
    if (touched.size > max) touched.delete(oldest);
    let leaving = await choose(name, ...begun);
    for (let attempt = 0; leaving.length > 0 && attempt < maxAttempts; attempt++) {
      // The registry and a sandbox may be on different nodes, so no script sees both. One is removed if
      // it is to leave after its mark was read, and still has that mark: then nobody used it since.
      const marks = await Promise.all(leaving.map(readMark));
      const before = new Map(leaving.map(([one, used], at) => [`${one} ${used}`, marks[at]]));
      leaving = await choose(name);
      for (const one of leaving) {
        const mark = before.get(`${one[0]} ${one[1]}`);
        if (mark !== undefined) await evict(one, mark);
      }
      leaving = await choose(name);
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
    async beginRemoval(name) {
      touched.delete(name);
      const forget = await markJournal(connection, keys, name);
      return async () => {
        await forget();
        await unregister(name);
      };
    },
  };
}

/** A sandbox that is to make room, when it was used last, and why. */
type Leaving = [name: string, used: string, reason: 'idle' | 'max'];

/** How often to choose again which sandboxes make room where they are used meanwhile. */
const maxAttempts = 10;

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
