import type { Collections } from '../state/store.ts';
import type { Sandbox } from './sandbox.ts';
import {
  createRoom,
  defaultName,
  SandboxEntries,
  type SandboxEntry,
  type SandboxesOptions,
  type TrackedEntry,
} from './sandbox-entries.ts';
import type { SandboxOptions } from './sandbox-options.ts';
import type { ToInitialState } from './sandbox-state.ts';

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
  close(): Promise<void>;
}

/**
 * Opens and closes sandboxes. One that was idle for too long is closed. Where there are too many,
 * the least recently used one is closed, those without options of their own first. This is checked
 * at each use, not by a timer. One with a request under way stays.
 */
export function createSandboxes(options: SandboxesOptions): Sandboxes {
  const { initialState, toInitialState, maxBytes, now = Date.now } = options;
  const entries = new SandboxEntries(options, (bytes) => room.admit(bytes));
  const room = createRoom({
    max: maxBytes,
    free: () => [initialState().seeds],
    held: () => entries.held(),
  });
  const find = (name: string): SandboxEntry | undefined => {
    const entry = entries.find(name);
    return entry && toEntry(entry);
  };
  const list = () => entries.list().map(toEntry);
  const { standing } = entries;
  return {
    defaultSandbox: standing.sandbox,
    toInitialState,
    get: (name) => entries.use(name).sandbox,
    enter: (name = defaultName) => entries.enter(name),
    find,
    findStored: async (name) => find(name),
    async put(name, given = {}) {
      const initial = await toInitialState(given);
      const present = entries.find(name);
      room.ensure([initial.seeds], entries.held(present));
      const entry = present ?? entries.add(name, initial);
      if (present) {
        present.underWay += 1;
        await present.sandbox.remake(initial).finally(() => (present.underWay -= 1));
        present.createdAt = now();
      } else await entries.store(entry);
      entry.hasOptions = Object.keys(given).length > 0;
      entries.touch(entry);
      return { entry: toEntry(entry), isNew: !present };
    },
    async delete(name) {
      if (name === defaultName)
        throw new Error('The default sandbox cannot be deleted; reset it instead.');
      const entry = entries.find(name);
      if (entry) await entries.remove(entry);
      return entry !== undefined;
    },
    async deleteAll() {
      const all = entries.all().filter((entry) => entry !== standing);
      await Promise.all(all.map((entry) => entries.remove(entry)));
      return all.length;
    },
    ensureRoom: (...collections) => room.ensure(collections, entries.held()),
    list,
    listStored: async () => list(),
    close: async () => {
      for (const { sandbox } of entries.all()) await sandbox.close('stopped');
    },
  };
}

function toEntry({ sandbox, createdAt, lastUsedAt }: TrackedEntry): SandboxEntry {
  return { sandbox, createdAt, lastUsedAt };
}
