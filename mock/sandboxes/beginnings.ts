import type { Collections } from '../state/store.ts';
import type { ToBeginning } from './sandbox.ts';
import { parseSandboxOptions } from './sandbox-options.ts';
import type { Beginning } from './sandbox-state.ts';

type MakeSeeds = (settings: { seed: number; pets: number }) => Promise<Collections>;

export type KeptSeedsOptions = {
  /** How many sets of seeds are kept besides the twin's own. */
  most?: number;
  /** How many items of each kind those may have in all. */
  mostPets?: number;
};

/**
 * Keeps the seeds that were made for the next one that asks for them, those that were asked for
 * last.
 */
export function keepSeeds(
  makeSeeds: MakeSeeds,
  { most = 16, mostPets = 200_000 }: KeptSeedsOptions = {},
): MakeSeeds {
  const kept = new Map<string, { pets: number; seeds: Promise<Collections> }>();

  const forget = () => {
    let pets = kept.values().reduce((sum, one) => sum + one.pets, 0);
    for (const [id, one] of kept) {
      if (kept.size <= most && pets <= mostPets) return;
      kept.delete(id);
      pets -= one.pets;
    }
  };
  return ({ seed, pets }) => {
    const id = `${seed}/${pets}`;
    const one = kept.get(id) ?? { pets, seeds: makeSeeds({ seed, pets }) };
    kept.delete(id);
    kept.set(id, one);
    forget();
    one.seeds.catch(() => kept.delete(id));
    return one.seeds;
  };
}

/** Tells how sandboxes begin whose options differ from the twin's. */
export function createToBeginning(twin: Beginning, makeSeeds: MakeSeeds): ToBeginning {
  return async (options) => {
    const settings = parseSandboxOptions(options, twin.settings);
    const { seed, pets } = settings;
    const isTwins = seed === twin.settings.seed && pets === twin.settings.pets;
    return { options, settings, seeds: isTwins ? twin.seeds : await makeSeeds({ seed, pets }) };
  };
}
