import { type Delay, maxDelay, sampleDelay } from './delay.ts';
import { createRandom, type Random } from './random.ts';

/**
 * What delays every response, in WireMock's names: milliseconds, and a distribution of them; both
 * add up.
 */
export type LatencySettings = { fixedDelay: number | null; delayDistribution: Delay | null };

export interface Latency {
  /** Whether any is switched on. */
  any(): boolean;
  settings(): LatencySettings;
  /** Changes the given fields and leaves the others; null switches one off. */
  change(settings: Partial<LatencySettings>): void;
  /** The delay of the next answer, in milliseconds. */
  next(): number;
  /** Switches all delays off, and restarts the sequence. */
  reset(): void;
}

const none: LatencySettings = { fixedDelay: null, delayDistribution: null };

/** The latency of a sandbox: none at first, and the same sequence for the same seed. */
export function createLatency({ seed }: { seed: () => number }): Latency {
  let settings = none;
  let random: Random | undefined;
  return {
    any: () => settings.fixedDelay !== null || settings.delayDistribution !== null,
    settings: () => ({ ...settings }),
    change: (given) => void (settings = { ...settings, ...given }),
    next() {
      const { fixedDelay, delayDistribution } = settings;
      random ??= createRandom(`${seed()}: latency`);
      const drawn = delayDistribution ? sampleDelay(delayDistribution, random) : 0;
      return Math.min(maxDelay, (fixedDelay ?? 0) + drawn);
    },
    reset() {
      settings = none;
      random = undefined;
    },
  };
}
