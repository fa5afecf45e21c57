import { toExcerpt } from '../../common/look/visible.ts';
import { maxSeed } from '../faults/random.ts';
import { quote } from '../json/quote.ts';
import { type LimitMode, limitModes } from '../limits/limiter.ts';
import {
  type BanPolicy,
  type LimitPolicy,
  type PlanTable,
  PolicyError,
  parsePlans,
  toPlanTable,
} from '../limits/plans.ts';

/**
 * The settings of a sandbox: the seed of its items, how many of each kind it starts with, and how
 * calls are limited.
 */
export type SandboxSettings = {
  /** Seeds the generated items, which are the same for the same seed. */
  seed: number;
  /**
   * The number of generated items of each collection at the start, with named ones first. Undefined
   * if the mock begins with given data.
   */
  items?: number | undefined;
  policy: LimitPolicy;
  /** `enforce` refuses calls over a limit, `observe` only counts them, `off` does neither. */
  rateLimits: LimitMode;
};

/** Settings of a sandbox as they are given and shown; omitted ones are those of the twin. */
export type SandboxOptions = Partial<Pick<SandboxSettings, 'seed' | 'rateLimits'>> & {
  /**
   * The number of generated items of each collection at the start, named ones first. If set, the
   * sandbox has generated items in place of the mock's given data.
   */
  items?: number;
  /** Stands for `items`, by the name that the Pet Store Service has for its items. */
  pets?: number;
  /** Figures of plans that differ from those of the twin, by the names of the plans. */
  plans?: PlanTable;
  /**
   * When a key that keeps calling after refusals is banned, and for how long; `false` for never.
   */
  ban?: BanPolicy | false;
};

/** An option of a sandbox is wrong; the message says which, and what was expected. */
export class SandboxOptionError extends Error {}

/**
 * So many items of each kind are made within a request; a twin that starts with more may have
 * sandboxes with as many.
 */
const maxItems = 100_000;

/** Reads options over the settings of the twin. Throws {@link SandboxOptionError}. */
export function parseSandboxOptions(
  options: SandboxOptions,
  twin: SandboxSettings,
): SandboxSettings {
  const {
    seed = twin.seed,
    pets,
    items: count = pets ?? twin.items,
    rateLimits = twin.rateLimits,
    plans = {},
    ban,
  } = options;
  ensureRange('seed', seed, maxSeed);
  if (options.items !== undefined && pets !== undefined)
    throw new SandboxOptionError('"items" and "pets" are the same option. Leave one of them out.');
  const name = pets === undefined ? 'items' : 'pets';
  if (count !== undefined) ensureRange(name, count, Math.max(maxItems, twin.items ?? 0));
  if (!limitModes.includes(rateLimits))
    throw new SandboxOptionError(
      `"rateLimits" must be one of ${limitModes.join(', ')}, but is ${JSON.stringify(rateLimits)}.`,
    );
  const known = Object.keys(twin.policy.plans);
  const unknown = Object.keys(plans).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new SandboxOptionError(
      `${quote(`plans/${unknown}`)} is not a plan of this mock. Plans are ${known.join(', ')}.`,
    );
  try {
    return {
      seed,
      items: count,
      rateLimits,
      policy: parsePlans({ plans, ...(ban !== undefined && { ban }) }, {}, twin.policy),
    };
  } catch (error) {
    throw error instanceof PolicyError ? new SandboxOptionError(error.message) : error;
  }
}

/** All settings of a sandbox as options; no `items` if it has initial data of its own. */
export type AllSandboxOptions = Required<Omit<SandboxOptions, 'items' | 'pets'>> &
  Pick<SandboxOptions, 'items'>;

/** Settings as options that make them again. */
export function toSandboxOptions({
  seed,
  items,
  rateLimits,
  policy,
}: SandboxSettings): AllSandboxOptions {
  return {
    seed,
    ...(items !== undefined && { items }),
    rateLimits,
    plans: toPlanTable(policy.plans),
    ban: policy.ban,
  };
}

function ensureRange(name: string, value: number, max: number): void {
  if (!Number.isInteger(value) || value < 0 || value > max)
    throw new SandboxOptionError(
      `"${name}" must be a whole number from 0 to ${max}, but is ${toExcerpt(String(value), 80)}.`,
    );
}
