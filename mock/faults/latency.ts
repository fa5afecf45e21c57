import { type Random, Sequence } from './random.ts';

/** How long answers take, in milliseconds, in the shapes of WireMock's `delayDistribution`. */
export type Delay =
  | { type: 'fixed'; milliseconds: number }
  | { type: 'uniform'; lower: number; upper: number }
  | { type: 'lognormal'; median: number; sigma: number };

/** The longest delay of an answer, in milliseconds. */
export const maxDelay = 60_000;

const fieldsOf = {
  fixed: ['milliseconds'],
  uniform: ['lower', 'upper'],
  lognormal: ['median', 'sigma'],
} as const;

/** Reads a delay whose fields are numbers within their bounds, or says what is wrong with it. */
export function parseDelay(fields: Readonly<Record<string, unknown>>): Delay | string {
  const type = fields.type as Delay['type'];
  const needed: readonly string[] = fieldsOf[type];
  const unknown = Object.keys(fields).find((field) => field !== 'type' && !needed.includes(field));
  if (unknown !== undefined || needed.some((field) => fields[field] === undefined))
    return `A ${type} delay has ${needed.map((field) => `"${field}"`).join(' and ')}, and nothing else.`;
  if (Number(fields.lower) > Number(fields.upper)) return '"upper" must be at least "lower".';
  return fields as Delay;
}

/** Draws a delay in whole milliseconds, at most {@link maxDelay}. */
export function sampleDelay(delay: Delay, random: Random): number {
  return Math.min(maxDelay, Math.round(draw(delay, random)));
}

function draw(delay: Delay, random: Random): number {
  switch (delay.type) {
    case 'fixed':
      return delay.milliseconds;
    case 'uniform':
      return delay.lower + (delay.upper - delay.lower) * random();
    case 'lognormal':
      return delay.median * Math.exp(delay.sigma * drawNormal(random));
  }
}

/** A number of the standard normal distribution (Box and Muller). */
function drawNormal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

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
