import { type Delay, longestDelay, sampleDelay } from './delay.ts';
import { createRandom } from './random.ts';

/** What keeps all answers back, in WireMock's names: milliseconds, and a distribution of them; both add up. */
export type LatencySettings = { fixedDelay: number | null; delayDistribution: Delay | null };

export interface Latency {
  settings(): LatencySettings;
  /** Changes what is given and leaves the rest; null switches off. */
  change(settings: Partial<LatencySettings>): void;
  /** How long the next answer is kept back, in milliseconds. */
  next(): number;
  /** Switches all of it off, and begins its sequence again. */
  reset(): void;
}

/** Keeps the latency of a sandbox: none at first, and the same sequence for the same seed. */
export function createLatency({ seed }: { seed: number }): Latency {
  const none: LatencySettings = { fixedDelay: null, delayDistribution: null };
  let settings = none;
  let random = createRandom(`${seed}: latency`);
  return {
    settings: () => ({ ...settings }),
    change: (given) => void (settings = { ...settings, ...given }),
    next() {
      if (settings === none) return 0;
      const { fixedDelay, delayDistribution } = settings;
      const drawn = delayDistribution ? sampleDelay(delayDistribution, random) : 0;
      return Math.min(longestDelay, (fixedDelay ?? 0) + drawn);
    },
    reset() {
      settings = none;
      random = createRandom(`${seed}: latency`);
    },
  };
}
