import type { Log } from '../log.ts';
import { createRoom, type Room } from '../state/budget.ts';
import type { Admit } from '../state/store.ts';
import type { MemoryHolder } from '../state/tables.ts';
import { isName, nameProblem } from './name.ts';
import type { Sandbox } from './sandbox.ts';
import { SandboxOptionError, type SandboxOptions } from './sandbox-options.ts';
import type { InitialState, ToInitialState } from './sandbox-state.ts';

/** The name of the sandbox of requests that name none. */
export const defaultName = 'default';

/** A sandbox with when it was made and last used, in Unix milliseconds. */
export type SandboxEntry = { sandbox: Sandbox; createdAt: number; lastUsedAt: number };

export type SandboxesOptions = {
  create: (name: string, initialState: InitialState, admit: Admit) => Sandbox;
  /** That of the default sandbox, and of each that is made at its first use. */
  initialState: () => InitialState;
  /** Sandboxes of an earlier process, held from the beginning. */
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
 * Holds the sandboxes of a mock by name. Synchronous methods see the sandboxes as this process last
 * used them. Asynchronous methods cover the sandboxes of all processes that share the store.
 */
export interface Sandboxes {
  /** The one of requests that name none. */
  readonly defaultSandbox: Sandbox;
  /** Makes initial states from what the twin serves now. */
  readonly toInitialState: ToInitialState;
  /** The sandbox of a name, made at its first use. */
  get(name: string): Sandbox;
  /** Returns the sandbox for an admitted request; until `leave`, the sandbox is not evicted. */
  enter(name?: string): { sandbox: Sandbox; leave?: () => void };
  /** The sandbox of a name in this process, if there is one; this does not count as use. */
  find(name: string): SandboxEntry | undefined;
  /** Finds a sandbox of this or another process. */
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
  /** Throws OutOfRoomError without room for these and the present sandboxes. */
  ensureRoom(...more: MemoryHolder[]): void;
  /** Lists the sandboxes in this process: the default one first, then the most recently used. */
  list(): SandboxEntry[];
  /** Lists the sandboxes of all processes. */
  listStored(): Promise<SandboxEntry[]>;
  close(): Promise<void>;
}

/** A sandbox with its last use. `hasOptions` marks options that a reopened sandbox would lose. */
type TrackedEntry = SandboxEntry & { used: number; inFlight: number; hasOptions: boolean };

/**
 * Opens and closes the sandboxes of this process. Idle ones are closed, and beyond the maximum the
 * least recently used, those without options first. Each use checks this; there is no timer. A
 * sandbox with a request in flight stays.
 */
export class LocalSandboxes implements Sandboxes {
  readonly toInitialState: ToInitialState;
  readonly #options: SandboxesOptions;
  readonly #elapsed: () => number;
  readonly #now: () => number;
  readonly #room: Room;
  /** The default one, which always exists. */
  readonly #default: TrackedEntry;
  /** All but the default one, the least recently used one first. */
  readonly #others = new Map<string, TrackedEntry>();

  constructor(options: SandboxesOptions) {
    const { elapsed = () => performance.now(), now = Date.now, restored = [] } = options;
    const { initialState, toInitialState, maxBytes: max } = options;
    this.toInitialState = toInitialState;
    this.#options = options;
    this.#elapsed = elapsed;
    this.#now = now;
    const free = () => [initialState().seeds];
    this.#room = createRoom({ max, free, held: () => this.#held() });
    const ofDefault = restored.find(({ name }) => name === defaultName);
    this.#default = ofDefault
      ? this.#restore(ofDefault)
      : this.#create(defaultName, initialState());
    for (const one of restored.toSorted((left, right) => left.lastUsedAt - right.lastUsedAt))
      if (one !== ofDefault) this.#others.set(one.name, this.#restore(one));
  }

  get defaultSandbox(): Sandbox {
    return this.#default.sandbox;
  }

  get(name: string): Sandbox {
    return this.#use(name).sandbox;
  }

  enter(name = defaultName): { sandbox: Sandbox; leave?: () => void } {
    const entry = this.#use(name);
    const { sandbox } = entry;
    if (entry === this.#default) return { sandbox };
    entry.inFlight += 1;
    const leave = () => {
      entry.inFlight -= 1;
      this.#touch(entry);
    };
    return { sandbox, leave };
  }

  find(name: string): SandboxEntry | undefined {
    return this.#find(name);
  }

  async findStored(name: string): Promise<SandboxEntry | undefined> {
    return this.#find(name);
  }

  async put(
    name: string,
    given: SandboxOptions = {},
  ): Promise<{ entry: SandboxEntry; isNew: boolean }> {
    const initial = await this.toInitialState(given);
    const present = this.#find(name);
    this.#room.ensure([initial.seeds], this.#held(present));
    const entry = present ?? this.#add(name, initial);
    if (present) {
      present.inFlight += 1;
      await present.sandbox.remake(initial).finally(() => (present.inFlight -= 1));
      present.createdAt = this.#now();
    } else await this.#store(entry);
    entry.hasOptions = Object.keys(given).length > 0;
    this.#touch(entry);
    return { entry, isNew: !present };
  }

  async delete(name: string): Promise<boolean> {
    if (name === defaultName)
      throw new Error('The default sandbox cannot be deleted; reset it instead.');
    const entry = this.#find(name);
    if (!entry) return false;
    this.#others.delete(name);
    try {
      await entry.sandbox.close('deleted');
    } catch (error) {
      if (!this.#others.has(name)) this.#others.set(name, entry);
      throw error;
    }
    return true;
  }

  async deleteAll(): Promise<number> {
    const names = [...this.#others.keys()];
    await Promise.all(names.map((name) => this.delete(name)));
    return names.length;
  }

  ensureRoom(...more: MemoryHolder[]): void {
    this.#room.ensure(more, this.#held());
  }

  list(): SandboxEntry[] {
    this.#evictIdle();
    return [this.#default, ...[...this.#others.values()].reverse()];
  }

  async listStored(): Promise<SandboxEntry[]> {
    return this.list();
  }

  async close(): Promise<void> {
    for (const { sandbox } of [this.#default, ...this.#others.values()])
      await sandbox.close('stopped');
  }

  /** Finds one, which does not count as use. */
  #find(name: string): TrackedEntry | undefined {
    this.#evictIdle();
    return name === defaultName ? this.#default : this.#others.get(name);
  }

  /** Finds one, or makes it. */
  #use(name: string): TrackedEntry {
    const entry = this.#find(name) ?? this.#add(name, this.#options.initialState());
    this.#touch(entry);
    return entry;
  }

  #add(name: string, initial: InitialState): TrackedEntry {
    if (!isName(name)) throw new SandboxOptionError(nameProblem('sandbox', name));
    this.#makeRoom();
    const entry = this.#create(name, initial);
    this.#others.set(name, entry);
    return entry;
  }

  #touch(entry: TrackedEntry): void {
    entry.used = this.#elapsed();
    entry.lastUsedAt = this.#now();
    const { name } = entry.sandbox;
    if (this.#others.get(name) !== entry) return;
    this.#others.delete(name);
    this.#others.set(name, entry);
  }

  /** Returns all that takes memory, except a sandbox that is being replaced. */
  #held(replaced?: TrackedEntry): MemoryHolder[] {
    const all = [this.#default, ...this.#others.values()];
    return all.filter((entry) => entry !== replaced).flatMap(({ sandbox }) => sandbox.held());
  }

  /** Stores one that has just been made, which is not there where that fails. */
  async #store(entry: TrackedEntry): Promise<void> {
    const { sandbox } = entry;
    try {
      await sandbox.change(() => {});
    } catch (error) {
      if (this.#others.get(sandbox.name) === entry) this.#evict(entry, 'it could not be stored.');
      throw error;
    }
  }

  #create(name: string, initial: InitialState): TrackedEntry {
    const sandbox = this.#options.create(name, initial, this.#room.admit);
    const [now, used] = [this.#now(), this.#elapsed()];
    return { sandbox, createdAt: now, lastUsedAt: now, used, inFlight: 0, hasOptions: false };
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
      if (entry.inFlight === 0)
        this.#evict(entry, `it was not used for ${idle / 1000} s (--sandbox-idle).`);
    }
  }

  #makeRoom(): void {
    const { max } = this.#options;
    const reason = `there are ${max} others (--max-sandboxes), and it was the least recently used.`;
    for (const hasOptions of [false, true])
      for (const entry of this.#others.values()) {
        if (this.#others.size < max) return;
        if (entry.inFlight === 0 && entry.hasOptions === hasOptions) this.#evict(entry, reason);
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
