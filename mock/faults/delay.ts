import type { Random } from './random.ts';

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
