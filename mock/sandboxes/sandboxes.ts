import { performance } from 'node:perf_hooks';
import type { Log } from '../log.ts';
import type { Admit, Collections, Stores } from '../state/store.ts';
import { isName, nameRule } from './name.ts';
import { createRoom } from './room.ts';
import type { Sandbox, ToBeginning } from './sandbox.ts';
import { SandboxOptionError, type SandboxOptions } from './sandbox-options.ts';
import type { Beginning } from './sandbox-state.ts';

/** The name of the sandbox of requests that name none. */
const defaultName = 'default';

/** A sandbox with when it was made and last used, in Unix milliseconds. */
export type SandboxEntry = { sandbox: Sandbox; createdAt: number; lastUsedAt: number };

/** The sandboxes of a twin, by name. */
export interface Sandboxes {
  /** The one of requests that name none. */
  readonly usual: Sandbox;
  /** The sandbox of a name, made at its first use. */
  get(name: string): Sandbox;
  /**
   * The same for a request that is let in, which keeps a sandbox that could be closed from it until
   * it calls `leave`.
   */
  enter(name?: string): { sandbox: Sandbox; leave?: () => void };
  /** The sandbox of a name, if there is one; looking is no use of it. */
  find(name: string): SandboxEntry | undefined;
  /**
   * Makes a sandbox anew; what `options` leaves out is as the twin has it. Throws
   * SandboxOptionError or OutOfRoomError, and then changes nothing.
   */
  put(name: string, options?: SandboxOptions): Promise<{ entry: SandboxEntry; isNew: boolean }>;
  /** Whether there was one. Throws on the default one, which is always there. */
  delete(name: string): boolean;
  /** Deletes all but the default one, and gives how many there were. */
  deleteAll(): number;
  /** Throws OutOfRoomError where there is no room for these collections beside what is held. */
  ensureRoom(...collections: Collections[]): void;
  /** All of them: the default one first, then those that were used last. */
  list(): SandboxEntry[];
  close(): Promise<void>;
}

export type SandboxesOptions = {
  create: (name: string, beginning: Beginning, admit: Admit) => Sandbox;
  bytesOf: Stores['bytesOf'];
  /** How the default sandbox begins, and each that is made at its first use. */
  beginning: () => Beginning;
  toBeginning: ToBeginning;
  /** How many there may be besides the default one. */
  most: number;
  /** How much memory items may take that the twin did not begin with, in bytes. */
  mostBytes: number;
  /** After how many milliseconds without use one is closed; 0 for never. */
  idle: number;
  log: Pick<Log, 'info' | 'error'>;
  /** Milliseconds that only grow, for what is idle. */
  elapsed?: () => number;
  /** Unix milliseconds, for what a person reads. */
  now?: () => number;
};

/**
 * `own` where it has options of its own, which it would lose, as it is made at its next use as the
 * twin has it.
 */
type Kept = SandboxEntry & { used: number; underWay: number; own: boolean };

/**
 * Keeps sandboxes. One that was idle for too long is closed. Where there are too many, those go
 * first that have no options of their own, and of these the one whose use is longest ago. This is
 * looked after at each use, not by a timer. One with a request under way stays.
 */
export function createSandboxes(options: SandboxesOptions): Sandboxes {
  const { create, bytesOf, beginning, toBeginning, most, mostBytes, idle, log } = options;
  const { elapsed = () => performance.now(), now = Date.now } = options;
  const toKept = (name: string, begun: Beginning): Kept => {
    return {
      sandbox: create(name, begun, (bytes) => room.admit(bytes)),
      createdAt: now(),
      lastUsedAt: now(),
      used: elapsed(),
      underWay: 0,
      own: false,
    };
  };
  const usual = toKept(defaultName, beginning());
  /** All but the default one, those first whose use is longest ago. */
  const others = new Map<string, Kept>();
  /** The name that was put at their end last. */
  let lastName: string | undefined;

  const heldBut = (instead?: Kept) =>
    [usual, ...others.values()]
      .filter((kept) => kept !== instead)
      .flatMap(({ sandbox }) => sandbox.held());
  const room = createRoom({
    max: mostBytes,
    bytesOf,
    free: () => [beginning().seeds],
    held: () => heldBut(),
  });
  const close = ({ sandbox }: Kept) =>
    sandbox
      .close()
      .catch((error) => log.error(`Sandbox "${sandbox.name}" could not be closed: ${error}`));
  const evict = (kept: Kept, reason: string) => {
    others.delete(kept.sandbox.name);
    log.info(`Sandbox "${kept.sandbox.name}" was closed: ${reason}`);
    close(kept);
  };
  const evictIdle = () => {
    if (idle === 0) return;
    const since = elapsed() - idle;
    for (const kept of others.values()) {
      if (kept.used > since) return;
      if (kept.underWay === 0)
        evict(kept, `it was not used for ${idle / 1000} s (--sandbox-idle).`);
    }
  };
  const makeRoom = () => {
    for (const own of [false, true])
      for (const kept of others.values()) {
        if (others.size < most) return;
        if (kept.underWay > 0 || kept.own !== own) continue;
        evict(kept, `there are ${most} others (--max-sandboxes), and its use was longest ago.`);
      }
  };
  const append = (name: string, kept: Kept) => {
    others.set(name, kept);
    lastName = name;
  };
  const touch = (kept: Kept) => {
    kept.used = elapsed();
    kept.lastUsedAt = now();
    const { name } = kept.sandbox;
    if (name === lastName || others.get(name) !== kept) return;
    others.delete(name);
    append(name, kept);
  };
  const add = (name: string, begun: Beginning): Kept => {
    if (!isName(name))
      throw new SandboxOptionError(
        `A sandbox is named by ${nameRule}, not by "${name.slice(0, 80)}".`,
      );
    makeRoom();
    const kept = toKept(name, begun);
    append(name, kept);
    return kept;
  };
  const use = (name: string): Kept => {
    evictIdle();
    const kept = name === defaultName ? usual : (others.get(name) ?? add(name, beginning()));
    touch(kept);
    return kept;
  };
  const toEntry = ({ sandbox, createdAt, lastUsedAt }: Kept): SandboxEntry => ({
    sandbox,
    createdAt,
    lastUsedAt,
  });
  const look = (name: string): Kept | undefined => {
    evictIdle();
    return name === defaultName ? usual : others.get(name);
  };

  return {
    usual: usual.sandbox,
    get: (name) => use(name).sandbox,
    enter(name = defaultName) {
      const kept = use(name);
      const { sandbox } = kept;
      if (kept === usual) return { sandbox };
      kept.underWay += 1;
      return {
        sandbox,
        leave() {
          kept.underWay -= 1;
          touch(kept);
        },
      };
    },
    find(name) {
      const kept = look(name);
      return kept && toEntry(kept);
    },
    async put(name, given = {}) {
      const begun = await toBeginning(given);
      const present = look(name);
      room.ensure([begun.seeds], heldBut(present));
      const kept = present ?? add(name, begun);
      if (present) {
        present.underWay += 1;
        await present.sandbox.remake(begun).finally(() => (present.underWay -= 1));
        present.createdAt = now();
      }
      kept.own = Object.keys(given).length > 0;
      touch(kept);
      return { entry: toEntry(kept), isNew: !present };
    },
    delete(name) {
      if (name === defaultName)
        throw new Error('The default sandbox cannot be deleted; reset it instead.');
      const kept = look(name);
      if (!kept) return false;
      others.delete(name);
      close(kept);
      return true;
    },
    deleteAll() {
      const all = [...others.values()];
      others.clear();
      for (const kept of all) close(kept);
      return all.length;
    },
    ensureRoom: (...collections) => room.ensure(collections, heldBut()),
    list() {
      evictIdle();
      return [usual, ...[...others.values()].reverse()].map(toEntry);
    },
    close: async () => {
      for (const { sandbox } of [usual, ...others.values()]) await sandbox.close();
    },
  };
}
