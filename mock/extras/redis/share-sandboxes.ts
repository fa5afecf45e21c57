import { defaultName, type Sandboxes } from '../../sandboxes/sandboxes.ts';
import type { Connection } from './connection.ts';
import { toKeys } from './keys.ts';

/** When a sandbox was made and last used, in Unix milliseconds of the server's clock. */
type RegisteredSandbox = { name: string; createdAt: number; lastUsedAt: number };

/** The sandboxes of all processes, around those of this one, which mirror some of them. */
export function shareSandboxes(
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
