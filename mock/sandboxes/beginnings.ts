import type { Collections } from '../state/store.ts';
import { parseSandboxOptions, type SandboxOptions } from './sandbox-options.ts';
import type { Beginning } from './sandbox-state.ts';

export type BeginningsOptions = {
  /** How the twin itself begins. */
  twin: Beginning;
  makeSeeds: (settings: { seed: number; pets: number }) => Promise<Collections>;
  /** How many sets of seeds are kept besides the twin's own. */
  most?: number;
  /** How many items of each kind those may have in all. */
  mostPets?: number;
};

/**
 * Tells how sandboxes begin whose options differ from the twin's. Seeds that were made are kept for the next one that asks
 * for them, those that were asked for last.
 */
export function createBeginnings(options: BeginningsOptions): (options: SandboxOptions) => Promise<Beginning> {
  const { twin, makeSeeds, most = 16, mostPets = 200_000 } = options;
  const kept = new Map<string, { pets: number; seeds: Promise<Collections> }>();

  const forget = () => {
    let pets = kept.values().reduce((sum, one) => sum + one.pets, 0);
    for (const [id, one] of kept) {
      if (kept.size <= most && pets <= mostPets) return;
      kept.delete(id);
      pets -= one.pets;
    }
  };
  const seedsOf = (seed: number, pets: number): Promise<Collections> => {
    const id = `${seed}/${pets}`;
    const one = kept.get(id) ?? { pets, seeds: makeSeeds({ seed, pets }) };
    kept.delete(id);
    kept.set(id, one);
    forget();
    one.seeds.catch(() => kept.delete(id));
    return one.seeds;
  };
  return async (given) => {
    const settings = parseSandboxOptions(given, twin.settings);
    const { seed, pets } = settings;
    const isTwins = seed === twin.settings.seed && pets === twin.settings.pets;
    return { settings, seeds: isTwins ? twin.seeds : await seedsOf(seed, pets) };
  };
}
