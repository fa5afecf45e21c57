import type { Log } from '../log.ts';
import { type Admit, OutOfRoomError } from '../state/store.ts';
import { bytesOf } from '../state/tables.ts';
import { isName, nameProblem } from './name.ts';
import type { Held, Sandbox } from './sandbox.ts';
import { SandboxOptionError } from './sandbox-options.ts';
import type { InitialState, ToInitialState } from './sandbox-state.ts';

/** The name of the sandbox of requests that name none. */
export const defaultName = 'default';

/** A sandbox with when it was made and last used, in Unix milliseconds. */
export type SandboxEntry = { sandbox: Sandbox; createdAt: number; lastUsedAt: number };

export type SandboxesOptions = {
  create: (name: string, initialState: InitialState, admit: Admit) => Sandbox;
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
export type TrackedEntry = SandboxEntry & { used: number; underWay: number; hasOptions: boolean };

/** The sandboxes of this process, in the order of their last use. */
export class SandboxEntries {
  /** The default one, which always exists. */
  readonly standing: TrackedEntry;
  readonly #options: SandboxesOptions;
  readonly #admit: Admit;
  readonly #elapsed: () => number;
  readonly #now: () => number;
  /** All but the default one, the least recently used one first. */
  readonly #others = new Map<string, TrackedEntry>();

  constructor(options: SandboxesOptions, admit: Admit) {
    const { elapsed = () => performance.now(), now = Date.now, restored = [] } = options;
    this.#options = options;
    this.#admit = admit;
    this.#elapsed = elapsed;
    this.#now = now;
    const ofDefault = restored.find(({ name }) => name === defaultName);
    this.standing = ofDefault
      ? this.#restore(ofDefault)
      : this.#create(defaultName, options.initialState());
    for (const one of restored.toSorted((left, right) => left.lastUsedAt - right.lastUsedAt))
      if (one !== ofDefault) this.#others.set(one.name, this.#restore(one));
  }

  /** Finds one, which does not count as use. */
  find(name: string): TrackedEntry | undefined {
    this.#evictIdle();
    return name === defaultName ? this.standing : this.#others.get(name);
  }

  /** Finds one, or makes it. */
  use(name: string): TrackedEntry {
    const entry = this.find(name) ?? this.add(name, this.#options.initialState());
    this.touch(entry);
    return entry;
  }

  /** Uses one, which stays until `leave` is called. */
  enter(name: string): { sandbox: Sandbox; leave?: () => void } {
    const entry = this.use(name);
    const { sandbox } = entry;
    if (entry === this.standing) return { sandbox };
    entry.underWay += 1;
    const leave = () => {
      entry.underWay -= 1;
      this.touch(entry);
    };
    return { sandbox, leave };
  }

  add(name: string, initial: InitialState): TrackedEntry {
    if (!isName(name)) throw new SandboxOptionError(nameProblem('sandbox', name));
    this.#makeRoom();
    const entry = this.#create(name, initial);
    this.#others.set(name, entry);
    return entry;
  }

  touch(entry: TrackedEntry): void {
    entry.used = this.#elapsed();
    entry.lastUsedAt = this.#now();
    const { name } = entry.sandbox;
    if (this.#others.get(name) !== entry) return;
    this.#others.delete(name);
    this.#others.set(name, entry);
  }

  /** The default one first, then those that were used last. */
  list(): TrackedEntry[] {
    this.#evictIdle();
    return [this.standing, ...[...this.#others.values()].reverse()];
  }

  all(): TrackedEntry[] {
    return [this.standing, ...this.#others.values()];
  }

  /** What takes memory, but for one that is replaced. */
  held(replaced?: TrackedEntry): Held[] {
    const others = this.all().filter((entry) => entry !== replaced);
    return others.flatMap(({ sandbox }) => sandbox.held());
  }

  /** Stores one that has just been made, which is not there where that fails. */
  async store(entry: TrackedEntry): Promise<void> {
    const { sandbox } = entry;
    try {
      await sandbox.change(() => {});
    } catch (error) {
      if (this.#others.get(sandbox.name) === entry) this.#evict(entry, 'it could not be stored.');
      throw error;
    }
  }

  async remove(entry: TrackedEntry): Promise<void> {
    const { name } = entry.sandbox;
    this.#others.delete(name);
    try {
      await entry.sandbox.close('deleted');
    } catch (error) {
      if (!this.#others.has(name)) this.#others.set(name, entry);
      throw error;
    }
  }

  #create(name: string, initial: InitialState): TrackedEntry {
    const sandbox = this.#options.create(name, initial, this.#admit);
    const [now, used] = [this.#now(), this.#elapsed()];
    return { sandbox, createdAt: now, lastUsedAt: now, used, underWay: 0, hasOptions: false };
  }

  #restore({ name, initialState, createdAt, lastUsedAt }: RestoredSandbox): TrackedEntry {
    return {
      ...this.#create(name, initialState),
      createdAt,
      lastUsedAt,
      used: this.#elapsed() - Math.max(0, this.#now() - lastUsedAt),
      hasOptions: Object.keys(initialState.options).length > 0,
    };
  }

  #evictIdle(): void {
    const { idle } = this.#options;
    if (idle === 0) return;
    const since = this.#elapsed() - idle;
    for (const entry of this.#others.values()) {
      if (entry.used > since) return;
      if (entry.underWay === 0)
        this.#evict(entry, `it was not used for ${idle / 1000} s (--sandbox-idle).`);
    }
  }

  #makeRoom(): void {
    const { max } = this.#options;
    const reason = `there are ${max} others (--max-sandboxes), and it was the least recently used.`;
    for (const hasOptions of [false, true])
      for (const entry of this.#others.values()) {
        if (this.#others.size < max) return;
        if (entry.underWay === 0 && entry.hasOptions === hasOptions) this.#evict(entry, reason);
      }
  }

  #evict({ sandbox }: TrackedEntry, reason: string): void {
    const { log } = this.#options;
    const { name } = sandbox;
    this.#others.delete(name);
    log.info(`Sandbox "${name}" was closed: ${reason}`);
    sandbox
      .close('evicted')
      .catch((error) => log.error(`Sandbox "${name}" could not be closed: ${error}`));
  }
}

/** The memory that items may take. */
interface Room {
  /** Throws {@link OutOfRoomError} if there is no room for more. */
  ensure(more: Iterable<Held>, held: Iterable<Held>): void;
  /**
   * Throws {@link OutOfRoomError} where there is no room for an item of so many bytes that is about
   * to be added to a store that is held.
   */
  admit: Admit;
}

type RoomOptions = {
  /** The total of bytes. */
  max: number;
  /** What is not counted. */
  free: () => Iterable<Held>;
  /** What is held now. */
  held: () => Iterable<Held>;
};

/** Counts the memory of items, at most `max` bytes; what `free` returns is not counted. */
export function createRoom({ max, free, held: heldNow }: RoomOptions): Room {
  const refuse = (taken: number, wanted: number) =>
    new OutOfRoomError(
      `Sandboxes and snapshots may take ${toMegabytes(max)} for their own items, of which ${toMegabytes(taken)} are used, and this needs ${toMegabytes(wanted)}. Delete what is no longer used (POST /__admin/reset, DELETE /__admin/sandboxes/NAME, DELETE /__admin/snapshots/NAME), or give the twin's Node more with --max-old-space-size.`,
    );
  /** What may be added before it is counted again. */
  let spare = 0;
  return {
    ensure(more, held) {
      spare = 0;
      const wanted = bytesOf(more, [...held, ...free()]);
      const taken = bytesOf(held, free());
      if (wanted > 0 && taken + wanted > max) throw refuse(taken, wanted);
    },
    admit(wanted) {
      spare -= wanted;
      if (spare >= 0) return;
      spare = 0;
      const taken = bytesOf(heldNow(), free());
      const left = max - taken - wanted;
      if (left < 0) throw refuse(taken, wanted);
      spare = Math.min(left, max / 16);
    },
  };
}

function toMegabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1e6).toLocaleString('en')} MB`;
}
