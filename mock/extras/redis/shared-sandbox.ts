import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { loadWhole, type OpenedSandbox, type Whole } from '../../sandboxes/sandbox-backend.ts';
import {
  initialStateOf,
  loadState,
  type MemoryParts,
  parseState,
  saveState,
  type ToInitialState,
  toStateText,
} from '../../sandboxes/sandbox-state.ts';
import { computeWaiting, Draft, type Waiting } from '../../state/draft.ts';
import { createStore } from '../../state/memory-store.ts';
import { StoreUnavailableError } from '../../state/store.ts';
import type { Change } from '../../state/table.ts';
import { Tables } from '../../state/tables.ts';
import { createTurns } from '../../state/turns.ts';
import { toKeys } from './keys.ts';
import {
  type Leaving,
  type Reply,
  SandboxServer,
  type SandboxServerOptions,
  type Step,
} from './sandbox-server.ts';
import type { SharedJournal } from './shared-journal.ts';
import { createSharedSnapshots } from './shared-snapshots.ts';

export type SharedSandboxOptions = SandboxServerOptions & {
  toInitialState: ToInitialState;
  /** The names of sandboxes that were used since that was stored. */
  used: Set<string>;
  /** The server's time in Unix milliseconds, as it was a moment ago. */
  onTime: (system: number) => void;
  /** Is told which sandboxes made room, and why. */
  onLeave: (leaving: readonly Leaving[]) => void;
  openJournal: (...args: Parameters<NonNullable<OpenedSandbox['journal']>>) => SharedJournal;
};

/** What a change is computed from; where another process stored that, it is computed again. */
type Basis = 'items' | 'state' | 'nothing';

/** How often to begin again where others change a sandbox faster than this process. */
const maxAttempts = 100;

/** How many changes go as such; a step with more stores all items anew. */
const maxChanges = 500;

/** The tips of the items and the state that this process knows: each store of either makes another. */
const nothingKnown = { items: '', state: '' };

/** Opens a sandbox that several processes share. */
export function openSharedSandbox(
  parts: MemoryParts,
  options: SharedSandboxOptions,
): OpenedSandbox {
  return new SharedSandbox(parts, options).toOpened();
}

/**
 * A sandbox that several processes share. Its memory follows the one at the server by steps, each one
 * compare-and-set (scripts/step.lua): all that waits is computed on what this process knows (changes of
 * items, the calls of keys, what control sets) and stored if nobody stored anything since; else this
 * process follows what it lacks, and computes it again. So limits are exact, though their rules are
 * here alone. A call is one step and a change one more; what comes together shares one.
 */
class SharedSandbox {
  readonly #parts: MemoryParts;
  readonly #options: SharedSandboxOptions;
  readonly #server: SandboxServer;
  readonly #tables: Tables;
  #known = { ...nothingKnown };
  /** The state that is stored. */
  #text = '';
  #waiting: (Waiting & { of: Basis })[] = [];
  readonly #turns = createTurns();
  /** Set within a turn. */
  readonly #holding = new AsyncLocalStorage<true>();
  #journal: SharedJournal | undefined;

  constructor(parts: MemoryParts, options: SharedSandboxOptions) {
    this.#parts = parts;
    this.#options = options;
    this.#server = new SandboxServer(parts.name, options);
    this.#tables = new Tables(parts.initialState().seeds);
  }

  toOpened(): OpenedSandbox {
    const { limiter, faults, latency, name } = this.#parts;
    const { connection } = this.#options;
    const count = <T>(compute: () => T) => this.#submit('state', compute);
    const store = createStore(this.#tables, {
      run: (compute) => this.#submit('items', compute),
      load: (collections) =>
        this.#inTurn(async () => {
          await this.#storeUntilDone({ collections, how: 'any' });
          this.#tables.load(collections);
        }),
      close: async () => {},
    });
    return {
      store,
      limiter: { ...limiter, take: (key) => count(() => limiter.take(key)) },
      faults: {
        ...faults,
        decide: (call) =>
          faults.lookingAt(call).length === 0 ? undefined : count(() => faults.decide(call)),
      },
      latency,
      snapshots: createSharedSnapshots(connection, toKeys(connection.prefix).snapshotsOf(name)),
      refresh: () => this.#submit('nothing', () => {}),
      change: (act) => this.#inTurn(() => this.#change(act)),
      replace: (whole) => this.#inTurn(() => this.#replace(whole)),
      journal: (local) => (this.#journal = this.#options.openJournal(local)),
      close: async (reason) => {
        if (reason === 'deleted') await this.#server.remove();
      },
    };
  }

  /** One thing at a time; what belongs to the present turn is done at once. */
  #inTurn<T>(act: () => Promise<T>): Promise<T> {
    if (this.#holding.getStore()) return act();
    return this.#turns(() => this.#holding.run(true, act));
  }

  /** Computes with the next step, of which all that comes until then is a part. */
  #submit<T>(of: Basis, compute: (draft: Draft) => T): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ of, compute, resolve, reject });
      if (this.#waiting.length === 1 || this.#holding.getStore())
        this.#inTurn(() => this.#runAll()).catch(reject);
    });
  }

  async #runAll(): Promise<void> {
    let batch = this.#waiting;
    this.#waiting = [];
    if (batch.length === 0) return;
    try {
      await this.#attempt(async () => {
        // Of nothing nothing can be computed.
        if (this.#known.state === '') return void (await this.#store({}));
        const draft = new Draft(this.#tables, this.#parts.admit);
        const settling = batch.map((waiting) => ({
          waiting,
          settle: computeWaiting(waiting, draft),
        }));
        const news = await this.#store({ text: this.#toText(), changes: draft.changes });
        if (!news) return undefined;
        batch = batch.filter(({ of }) => news.includes(of));
        for (const { waiting, settle } of settling) if (!batch.includes(waiting)) settle();
        return batch.length === 0 || undefined;
      });
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  /** Acts on what is stored now, and stores what it changed of the state. */
  #change<T>(act: () => T | Promise<T>): Promise<T> {
    return this.#attempt(async () => {
      if (!(await this.#store({}))) return undefined;
      const result = await act();
      return (await this.#store({ text: this.#toText() })) ? [result] : undefined;
    }).then(([result]) => result as T);
  }

  async #replace(whole: Whole): Promise<void> {
    const { collections, state, isStart } = whole;
    if (isStart) await this.#journal?.settle();
    await this.#storeUntilDone({
      text: toStateText(state),
      collections,
      how: 'any',
      isStart,
      hasOptions: Object.keys(state.options).length > 0,
    });
    this.#tables.load(collections);
    loadWhole(this.#parts, whole);
  }

  #storeUntilDone(step: Step): Promise<void> {
    return this.#attempt(async () => ((await this.#store(step)) ? true : undefined)).then(() => {});
  }

  /** Tries until it gives something. What was changed in memory and is not stored is taken back. */
  async #attempt<T>(act: () => Promise<T | undefined>): Promise<T> {
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      try {
        const result = await act();
        if (result !== undefined) return result;
      } catch (error) {
        this.#takeBack();
        throw error;
      }
      this.#takeBack();
    }
    throw new StoreUnavailableError(
      `Other processes change the sandbox at ${this.#options.connection.shown} faster than this one can.`,
    );
  }

  #takeBack(): void {
    if (this.#text !== '') loadState(this.#parts, parseState(this.#text));
  }

  #toText(): string {
    return toStateText(saveState(this.#parts));
  }

  /**
   * Stores something if what it was computed from is there, and follows others. Gives what others
   * stored meanwhile where it did, else undefined.
   */
  async #store(step: Step): Promise<Basis[] | undefined> {
    const { changes = [] } = step;
    const text = step.text === this.#text ? undefined : step.text;
    let { collections } = step;
    if (changes.length > maxChanges) {
      const after = new Tables(this.#tables.save());
      after.apply(changes);
      collections = after.save();
    }
    const tip = randomBytes(9).toString('base64url');
    const isUse = this.#options.used.delete(this.#parts.name) || step.isStart === true;
    const whole = { ...step, text, collections, isUse };
    const lastSerialOf = (name: string) => this.#tables.find(name)?.lastSerial ?? 0;
    const reply = await this.#server.step(whole, { ...this.#known, tip, lastSerialOf });
    this.#options.onTime(reply[1]);
    if (reply[0] === 'absent') await this.#create();
    else await this.#follow(reply);
    if (reply[0] !== 'done') return undefined;
    const news: Basis[] = reply[5] === null ? [] : ['state'];
    if (reply[4]?.length !== 0) news.push('items');
    if (text !== undefined) {
      this.#text = text;
      this.#known.state = tip;
    }
    if (changes.length > 0 || collections) {
      this.#known.items = tip;
      this.#tables.apply(changes);
    }
    if (reply[6].length > 0) this.#options.onLeave(reply[6]);
    return news;
  }

  /** Follows what others stored. */
  async #follow([, , items, state, changes, text]: Reply): Promise<void> {
    if (items === '') return;
    if (!changes) return await this.#load();
    for (const entry of changes)
      this.#tables.apply(JSON.parse(entry.slice(entry.indexOf(' ') + 1)) as Change[]);
    if (text !== null) await this.#useText(text);
    this.#known = { items, state };
  }

  async #load(): Promise<void> {
    const loaded = await this.#server.load();
    if (!loaded) return;
    const { items, state, text, collections } = loaded;
    await this.#useText(text);
    this.#tables.load(collections);
    this.#known = { items, state };
  }

  async #useText(text: string): Promise<void> {
    const state = parseState(text);
    const { options } = this.#parts.initialState();
    if (JSON.stringify(state.options) !== JSON.stringify(options))
      this.#parts.begin(await this.#options.toInitialState(state.options));
    loadState(this.#parts, state);
    this.#text = text;
  }

  /** Makes the sandbox at the server, like the twin: this one may have mirrored another before. */
  async #create(): Promise<void> {
    const initialState = await this.#options.toInitialState({});
    const { seeds } = initialState;
    const state = initialStateOf({});
    this.#known = { ...nothingKnown };
    this.#text = '';
    const isMade = await this.#store({
      how: 'new',
      text: toStateText(state),
      collections: seeds,
      hasOptions: false,
    });
    if (!isMade) return;
    loadWhole(this.#parts, { initialState, state });
    this.#tables.load(seeds);
  }
}
