import type { Collections } from '../state/store.ts';
import type { ToInitialState } from './sandbox.ts';
import { parseSandboxOptions } from './sandbox-options.ts';
import type { InitialState } from './sandbox-state.ts';

type MakeSeeds = (settings: { seed: number; items: number }) => Promise<Collections>;

export type SeedCacheOptions = {
  /** How many sets of seeds are cached besides the twin's own. */
  maxSets?: number;
  /** How many items of each kind they may have in all. */
  maxItems?: number;
};

/** Caches the seeds that were used last, as items of the same seed and count are the same. */
export function cacheSeeds(
  makeSeeds: MakeSeeds,
  { maxSets = 16, maxItems = 200_000 }: SeedCacheOptions = {},
): MakeSeeds {
  const cached = new Map<string, { items: number; seeds: Promise<Collections> }>();

  const evict = () => {
    let total = cached.values().reduce((sum, { items }) => sum + items, 0);
    for (const [id, { items }] of cached) {
      if (cached.size <= maxSets && total <= maxItems) return;
      cached.delete(id);
      total -= items;
    }
  };
  return ({ seed, items }) => {
    const id = `${seed}/${items}`;
    const set = cached.get(id) ?? { items, seeds: makeSeeds({ seed, items }) };
    cached.delete(id);
    cached.set(id, set);
    evict();
    set.seeds.catch(() => cached.delete(id));
    return set.seeds;
  };
}

/** Makes the initial states of sandboxes whose options differ from the twin's. */
export function createToInitialState(twin: InitialState, makeSeeds: MakeSeeds): ToInitialState {
  return async (options) => {
    const settings = parseSandboxOptions(options, twin.settings);
    const { seed, items } = settings;
    const isTwins = seed === twin.settings.seed && items === twin.settings.items;
    if (items === undefined || isTwins) return { options, settings, seeds: twin.seeds };
    return { options, settings, seeds: await makeSeeds({ seed, items }) };
  };
}
