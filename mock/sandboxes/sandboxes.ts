import type { Log } from '../log.ts';
import type { Admit, Collections, Stores } from '../state/store.ts';
import { isName, nameProblem } from './name.ts';
import { createRoom } from './room.ts';
import type { Sandbox, ToInitialState } from './sandbox.ts';
import { SandboxOptionError, type SandboxOptions } from './sandbox-options.ts';
import type { InitialState } from './sandbox-state.ts';

/** The name of the sandbox of requests that name none. */
const defaultName = 'default';

/** A sandbox with when it was made and last used, in Unix milliseconds. */
export type SandboxEntry = { sandbox: Sandbox; createdAt: number; lastUsedAt: number };

/** The sandboxes of a twin, by name. */
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
  /** The sandbox of a name, if there is one; this does not count as use. */
  find(name: string): SandboxEntry | undefined;
  /**
   * Creates or replaces a sandbox; options that are left out are those of the twin. Throws
   * SandboxOptionError or OutOfRoomError, and then changes nothing.
   */
  put(name: string, options?: SandboxOptions): Promise<{ entry: SandboxEntry; isNew: boolean }>;
  /**
   * Deletes a sandbox and returns whether it existed. Throws for the default one, which always
   * exists.
   */
  delete(name: string): boolean;
  /** Deletes all except the default one, and returns how many there were. */
  deleteAll(): number;
  /** Throws OutOfRoomError where there is no room for these collections beside what is held. */
  ensureRoom(...collections: Collections[]): void;
  /** All of them: the default one first, then those that were used last. */
  list(): SandboxEntry[];
  close(): Promise<void>;
}

export type SandboxesOptions = {
  create: (name: string, initialState: InitialState, admit: Admit) => Sandbox;
  bytesOf: Stores['bytesOf'];
  /** That of the default sandbox, and of each that is made at its first use. */
  initialState: () => InitialState;
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
  const { elapsed = () => performance.now(), now = Date.now } = options;
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
  const defaultEntry = createEntry(defaultName, initialState());
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
  const close = ({ sandbox }: TrackedEntry) =>
    sandbox
      .close()
      .catch((error) => log.error(`Sandbox "${sandbox.name}" could not be closed: ${error}`));
  const evict = (entry: TrackedEntry, reason: string) => {
    others.delete(entry.sandbox.name);
    log.info(`Sandbox "${entry.sandbox.name}" was closed: ${reason}`);
    close(entry);
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
    find(name) {
      const entry = peek(name);
      return entry && toEntry(entry);
    },
    async put(name, given = {}) {
      const initial = await toInitialState(given);
      const present = peek(name);
      room.ensure([initial.seeds], heldWithout(present));
      const entry = present ?? add(name, initial);
      if (present) {
        present.underWay += 1;
        await present.sandbox.remake(initial).finally(() => (present.underWay -= 1));
        present.createdAt = now();
      }
      entry.hasOptions = Object.keys(given).length > 0;
      touch(entry);
      return { entry: toEntry(entry), isNew: !present };
    },
    delete(name) {
      if (name === defaultName)
        throw new Error('The default sandbox cannot be deleted; reset it instead.');
      const entry = peek(name);
      if (!entry) return false;
      others.delete(name);
      close(entry);
      return true;
    },
    deleteAll() {
      const all = [...others.values()];
      others.clear();
      for (const entry of all) close(entry);
      return all.length;
    },
    ensureRoom: (...collections) => room.ensure(collections, heldWithout()),
    list() {
      evictIdle();
      return [defaultEntry, ...[...others.values()].reverse()].map(toEntry);
    },
    close: async () => {
      for (const { sandbox } of [defaultEntry, ...others.values()]) await sandbox.close();
    },
  };
}
