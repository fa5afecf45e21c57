import { randomUUID } from 'node:crypto';
import type { LocalJournal } from '../journal/journal.ts';
import { BoundedMap, Budget, maxItemBytes } from '../state/budget.ts';
import type { Collections, OpenStore } from '../state/store.ts';
import { bytesOf } from '../state/tables.ts';
import { createTurns } from '../state/turns.ts';
import { type Backend, type StoredSandbox, StoreError } from './backend.ts';
import { Sandbox, type SandboxParts } from './sandbox.ts';
import { loadWhole } from './sandbox-backend.ts';
import { parseSandboxOptions, SandboxOptionError } from './sandbox-options.ts';
import type { InitialState, ToInitialState } from './sandbox-state.ts';
import {
  LocalSandboxes,
  type RestoredSandbox,
  type Sandboxes,
  type SandboxesOptions,
} from './sandboxes.ts';
import { createSnapshots } from './snapshots.ts';

export type OpenSandboxesOptions = Omit<
  SandboxesOptions,
  'create' | 'restored' | 'initialState' | 'toInitialState'
> & {
  backend: Backend;
  openJournal: () => LocalJournal;
  onTasks?: SandboxParts['onTasks'];
  budget?: SandboxParts['budget'];
  /** Returns the initial state of sandboxes, from the document and data served at that time. */
  begin: () => { initialState: InitialState; toInitialState: ToInitialState };
};

/** Opens the sandboxes of a store, with those that it holds already. Throws StoreError. */
export async function openSandboxes({
  backend,
  openJournal,
  onTasks,
  budget,
  begin,
  ...options
}: OpenSandboxesOptions): Promise<Sandboxes> {
  const { open, now, stored = [] } = backend;
  const toInitialState: ToInitialState = (given) => begin().toInitialState(given);
  const holder = randomUUID();
  const restored = stored.map((one) => toRestored(one, toInitialState));
  const local = new LocalSandboxes({
    ...options,
    create: (name, initialState, admit) =>
      new Sandbox(name, {
        ...{ initialState, toInitialState, open, openJournal, admit, budget, now, holder },
        ...(onTasks && { onTasks }),
      }),
    restored: await Promise.all(restored),
    initialState: () => begin().initialState,
    toInitialState,
  });
  return backend.share?.(local) ?? local;
}

async function toRestored(
  { options, ...stored }: StoredSandbox,
  toInitialState: ToInitialState,
): Promise<RestoredSandbox> {
  try {
    return { ...stored, initialState: await toInitialState(options) };
  } catch (error) {
    if (!(error instanceof SandboxOptionError)) throw error;
    throw new StoreError(
      `Sandbox "${stored.name}" in the store does not fit this mock: ${error.message} Start with the same --plans, or discard the state with --reset-store.`,
    );
  }
}

/** Holds all state in the memory of this process alone. */
export function createMemoryBackend(openStore: OpenStore): Backend {
  return {
    open(parts) {
      const { initialState, admit, limiter, faults, latency } = parts;
      const store = openStore(initialState().seeds, admit);
      return {
        store,
        limiter,
        faults,
        latency,
        snapshots: createSnapshots(),
        change: run,
        inTurn: createTurns(),
        async replace(whole) {
          await store.load(whole.collections);
          loadWhole(parts, whole);
        },
        close: store.close,
      };
    },
    close: async () => {},
  };
}

function run<T>(act: () => T): T {
  return act();
}

/**
 * Creates the initial items of each collection of a document: its named items first, then generated
 * ones. Small numbers of items are created on first use. Larger ones are created before, one
 * collection in each turn of the event loop.
 */
export type MakeSeeds = (settings: {
  seed: number;
  items: number;
  /** Has all items made at once, or throws {@link OutOfRoomError} beyond so many bytes. */
  maxBytes?: number;
}) => Promise<Collections>;

/** The maximum number of cached sets of seeds besides the mock's own. */
const maxSets = 16;

/** Caches the seeds that were used last, as items of the same seed and count are the same. */
export function cacheSeeds(makeSeeds: MakeSeeds, maxBytes = maxItemBytes() / 8): MakeSeeds {
  const cached = new BoundedMap<Promise<Collections>>(new Budget(maxBytes), { max: maxSets });
  return (settings) => {
    const id = `${settings.seed}/${settings.items}`;
    const seeds = cached.get(id) ?? makeSeeds(settings);
    cached.delete(id);
    cached.set(id, seeds, 0);
    seeds.then(
      (made) => cached.get(id) === seeds && cached.set(id, seeds, bytesOf([made])),
      () => cached.delete(id),
    );
    return seeds;
  };
}

/** Creates the initial states of sandboxes whose options differ from the twin's. */
export function createToInitialState(twin: InitialState, makeSeeds: MakeSeeds): ToInitialState {
  return async (options) => {
    const settings = parseSandboxOptions(options, twin.settings);
    const { seed, items } = settings;
    const isTwins = seed === twin.settings.seed && items === twin.settings.items;
    if (items === undefined || isTwins) return { options, settings, seeds: twin.seeds };
    return { options, settings, seeds: await makeSeeds({ seed, items, maxBytes: maxItemBytes() }) };
  };
}
