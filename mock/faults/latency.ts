import { type Delay, maxDelay, sampleDelay } from './delay.ts';
import { Sequence } from './random.ts';

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
  save(): LatencyState;
  load(state: LatencyState): void;
}

/** The settings, and the position of the sequence once it was begun. */
export type LatencyState = { settings: LatencySettings; position?: number };

const none: LatencySettings = { fixedDelay: null, delayDistribution: null };

/** The latency of a sandbox: none at first, and the same sequence for the same seed. */
export function createLatency({ seed }: { seed: () => number }): Latency {
  let settings = none;
  let draws: Sequence | undefined;
  return {
    any: () => settings.fixedDelay !== null || settings.delayDistribution !== null,
    settings: () => ({ ...settings }),
    change: (given) => void (settings = { ...settings, ...given }),
    next() {
      const { fixedDelay, delayDistribution } = settings;
      const sequence = (draws ??= new Sequence(`${seed()}: latency`));
      const drawn = delayDistribution ? sampleDelay(delayDistribution, () => sequence.next()) : 0;
      return Math.min(maxDelay, (fixedDelay ?? 0) + drawn);
    },
    reset() {
      settings = none;
      draws = undefined;
    },
    save: () => ({ settings: { ...settings }, ...(draws && { position: draws.position }) }),
    load(state) {
      settings = { ...state.settings };
      draws = state.position === undefined ? undefined : new Sequence(state.position);
    },
  };
}
