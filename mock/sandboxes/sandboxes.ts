import type { Log } from '../log.ts';
import type { Admit, Collections, Stores } from '../state/store.ts';
import { createRoom } from './room.ts';
import type { Sandbox, ToInitialState } from './sandbox.ts';
import { isName, nameProblem, SandboxOptionError, type SandboxOptions } from './sandbox-options.ts';
import type { InitialState } from './sandbox-state.ts';

/** The name of the sandbox of requests that name none. */
const defaultName = 'default';

/** A sandbox with when it was made and last used, in Unix milliseconds. */
export type SandboxEntry = { sandbox: Sandbox; createdAt: number; lastUsedAt: number };

/**
 * The sandboxes of a twin, by name. Where it shares them with other processes, those of this one are
 * as they were at their last use here, and the methods that give promises are about those of all.
 */
export interface Sandboxes {
  /** The one of requests that name none. */
  readonly defaultSandbox: Sandbox;
  /** Makes initial states from what the twin serves now. */
  readonly toInitialState: ToInitialState;
  /** The sandbox of a name, made at its first use. */
  get(name: string): Sandbox;
  /**
   * The same for a request that is let in, which keeps a sandbox that could be closed from it until
   * it calls `leave`.
   */
  enter(name?: string): { sandbox: Sandbox; leave?: () => void };
  /** The sandbox of a name in this process, if there is one; this does not count as use. */
  find(name: string): SandboxEntry | undefined;
  /** The same, be it of another process. */
  findStored(name: string): Promise<SandboxEntry | undefined>;
  /**
   * Creates or replaces a sandbox; options that are left out are those of the twin. Throws
   * SandboxOptionError or OutOfRoomError, and then changes nothing.
   */
  put(name: string, options?: SandboxOptions): Promise<{ entry: SandboxEntry; isNew: boolean }>;
  /**
   * Deletes a sandbox and gives whether it existed. Rejects for the default one, which always
   * exists.
   */
  delete(name: string): Promise<boolean>;
  /** Deletes all except the default one, and gives how many there were. */
  deleteAll(): Promise<number>;
  /** Throws OutOfRoomError where there is no room for these collections beside what is held. */
  ensureRoom(...collections: Collections[]): void;
  /** Those in this process: the default one first, then those that were used last. */
  list(): SandboxEntry[];
  /** The same of all processes. */
  listStored(): Promise<SandboxEntry[]>;
  /**
   * Holds those of all processes in this one too, as far as that is possible now, and gives them:
   * the default one first.
   */
  gather(): Promise<Sandbox[]>;
  close(): Promise<void>;
}

export type SandboxesOptions = {
  create: (name: string, initialState: InitialState, admit: Admit) => Sandbox;
  bytesOf: Stores['bytesOf'];
  /** That of the default sandbox, and of each that is made at its first use. */
  initialState: () => InitialState;
  /** Those of an earlier process, which are held from the beginning. */
  restored?: readonly RestoredSandbox[];
  toInitialState: ToInitialState;
  /** The maximum number besides the default one. */
  max: number;
  /** The maximum memory of items beyond the seeds of the twin, in bytes. */
  maxBytes: number;
  /** After how many milliseconds without use one is closed; 0 for never. */
  idle: number;
  log: Pick<Log, 'info' | 'error'>;
  /** A monotonic clock in milliseconds, for idle times. */
  elapsed?: () => number;
  /** Unix milliseconds, for times that people read. */
  now?: () => number;
};

/** A sandbox of an earlier process, with when it was made and last used, in Unix milliseconds. */
export type RestoredSandbox = {
  name: string;
  initialState: InitialState;
  createdAt: number;
  lastUsedAt: number;
};

/**
 * `hasOptions` where it has options of its own. Closing it would lose them, as a sandbox that is
 * made at its next use has those of the twin.
 */
type TrackedEntry = SandboxEntry & { used: number; underWay: number; hasOptions: boolean };

/**
 * Opens and closes sandboxes. One that was idle for too long is closed. Where there are too many,
 * the least recently used one is closed, those without options of their own first. This is checked
 * at each use, not by a timer. One with a request under way stays.
 */
export function createSandboxes(options: SandboxesOptions): Sandboxes {
  const { create, bytesOf, initialState, toInitialState, max, maxBytes, idle, log } = options;
  const { elapsed = () => performance.now(), now = Date.now, restored = [] } = options;
  const createEntry = (name: string, initial: InitialState): TrackedEntry => {
    return {
      sandbox: create(name, initial, (bytes) => room.admit(bytes)),
      createdAt: now(),
      lastUsedAt: now(),
      used: elapsed(),
      underWay: 0,
      hasOptions: false,
    };
  };
  const restore = ({ name, initialState, createdAt, lastUsedAt }: RestoredSandbox) => ({
    ...createEntry(name, initialState),
    createdAt,
    lastUsedAt,
    used: elapsed() - Math.max(0, now() - lastUsedAt),
    hasOptions: Object.keys(initialState.options).length > 0,
  });
  const restoredDefault = restored.find(({ name }) => name === defaultName);
  const defaultEntry = restoredDefault
    ? restore(restoredDefault)
    : createEntry(defaultName, initialState());
  /** All but the default one, the least recently used one first. */
  const others = new Map<string, TrackedEntry>();
  /** The name that was put at their end last. */
  let lastName: string | undefined;

  const heldWithout = (replaced?: TrackedEntry) =>
    [defaultEntry, ...others.values()]
      .filter((entry) => entry !== replaced)
      .flatMap(({ sandbox }) => sandbox.held());
  const room = createRoom({
    max: maxBytes,
    bytesOf,
    free: () => [initialState().seeds],
    held: () => heldWithout(),
  });
  const evict = ({ sandbox }: TrackedEntry, reason: string) => {
    const { name } = sandbox;
    others.delete(name);
    log.info(`Sandbox "${name}" was closed: ${reason}`);
    sandbox
      .close('evicted')
      .catch((error) => log.error(`Sandbox "${name}" could not be closed: ${error}`));
  };
  const remove = async (entry: TrackedEntry) => {
    const { name } = entry.sandbox;
    others.delete(name);
    try {
      await entry.sandbox.close('deleted');
    } catch (error) {
      if (!others.has(name)) append(name, entry);
      throw error;
    }
  };
  const evictIdle = () => {
    if (idle === 0) return;
    const since = elapsed() - idle;
    for (const entry of others.values()) {
      if (entry.used > since) return;
      if (entry.underWay === 0)
        evict(entry, `it was not used for ${idle / 1000} s (--sandbox-idle).`);
    }
  };
  const makeRoom = () => {
    for (const hasOptions of [false, true])
      for (const entry of others.values()) {
        if (others.size < max) return;
        if (entry.underWay > 0 || entry.hasOptions !== hasOptions) continue;
        evict(
          entry,
          `there are ${max} others (--max-sandboxes), and it was the least recently used.`,
        );
      }
  };
  const append = (name: string, entry: TrackedEntry) => {
    others.set(name, entry);
    lastName = name;
  };
  const touch = (entry: TrackedEntry) => {
    entry.used = elapsed();
    entry.lastUsedAt = now();
    const { name } = entry.sandbox;
    if (name === lastName || others.get(name) !== entry) return;
    others.delete(name);
    append(name, entry);
  };
  const add = (name: string, initial: InitialState): TrackedEntry => {
    if (!isName(name)) throw new SandboxOptionError(nameProblem('sandbox', name));
    makeRoom();
    const entry = createEntry(name, initial);
    append(name, entry);
    return entry;
  };
  const use = (name: string): TrackedEntry => {
    evictIdle();
    const entry =
      name === defaultName ? defaultEntry : (others.get(name) ?? add(name, initialState()));
    touch(entry);
    return entry;
  };
  const toEntry = ({ sandbox, createdAt, lastUsedAt }: TrackedEntry): SandboxEntry => ({
    sandbox,
    createdAt,
    lastUsedAt,
  });
  const peek = (name: string): TrackedEntry | undefined => {
    evictIdle();
    return name === defaultName ? defaultEntry : others.get(name);
  };
  /** Stores one that has just been made, which is not there where that fails. */
  const storeNew = async (entry: TrackedEntry) => {
    const { sandbox } = entry;
    try {
      await sandbox.change(() => {});
    } catch (error) {
      if (others.get(sandbox.name) === entry) evict(entry, 'it could not be stored.');
      throw error;
    }
  };
  const find = (name: string): SandboxEntry | undefined => {
    const entry = peek(name);
    return entry && toEntry(entry);
  };
  const list = () => {
    evictIdle();
    return [defaultEntry, ...[...others.values()].reverse()].map(toEntry);
  };
  const byLastUse = (left: RestoredSandbox, right: RestoredSandbox) =>
    left.lastUsedAt - right.lastUsedAt;
  for (const one of restored.toSorted(byLastUse))
    if (one !== restoredDefault) append(one.name, restore(one));

  return {
    defaultSandbox: defaultEntry.sandbox,
    toInitialState,
    get: (name) => use(name).sandbox,
    enter(name = defaultName) {
      const entry = use(name);
      const { sandbox } = entry;
      if (entry === defaultEntry) return { sandbox };
      entry.underWay += 1;
      return {
        sandbox,
        leave() {
          entry.underWay -= 1;
          touch(entry);
        },
      };
    },
    find,
    findStored: async (name) => find(name),
    async put(name, given = {}) {
      const initial = await toInitialState(given);
      const present = peek(name);
      room.ensure([initial.seeds], heldWithout(present));
      const entry = present ?? add(name, initial);
      if (present) {
        present.underWay += 1;
        await present.sandbox.remake(initial).finally(() => (present.underWay -= 1));
        present.createdAt = now();
      } else await storeNew(entry);
      entry.hasOptions = Object.keys(given).length > 0;
      touch(entry);
      return { entry: toEntry(entry), isNew: !present };
    },
    async delete(name) {
      if (name === defaultName)
        throw new Error('The default sandbox cannot be deleted; reset it instead.');
      const entry = peek(name);
      if (entry) await remove(entry);
      return entry !== undefined;
    },
    async deleteAll() {
      const all = [...others.values()];
      await Promise.all(all.map(remove));
      return all.length;
    },
    ensureRoom: (...collections) => room.ensure(collections, heldWithout()),
    list,
    listStored: async () => list(),
    gather: async () => list().map(({ sandbox }) => sandbox),
    close: async () => {
      for (const { sandbox } of [defaultEntry, ...others.values()]) await sandbox.close('stopped');
    },
  };
}
