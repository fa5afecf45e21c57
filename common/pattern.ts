import { createRequire } from 'node:module';
import type { RE2JS } from 're2js';
import { once } from './once-per.ts';

/** Escapes and classes of other dialects, which without the flag `u` mean something else. */
const foreign = /\\(?![bBcdDfnrsStvwWx]|u[\dA-Fa-f]{4})[A-Za-z]|\[\[:|\[[^\]]*&&|\{,\d/;

/** The class itself, in the place of which a library finds patterns. */
const Native = RegExp;

/** The flag `u`, but where no more than needless escapes such as `\-` stand against it. */
function flagsOf(source: string): string {
  try {
    return new Native(source, 'u').flags;
  } catch (error) {
    if (foreign.test(source)) throw error;
    return '';
  }
}

/**
 * A regular expression of a document, with the flag `u` if it can be, that no text keeps busy: where
 * the native engine may go back too often, RE2 tests the text. What RE2 does not know, such as
 * looking ahead, counts as matching such a text.
 */
export class Pattern extends RegExp {
  constructor(source: string, flags = 'u') {
    super(source, flags === 'u' ? flagsOf(source) : flags);
  }

  override test(text: string): boolean {
    const plan = plans.get(this.source) ?? toPlan(this.source);
    plans.set(this.source, plan);
    if (text.length <= plan.maxNative) return super.test(text);
    const linear = plan.linear();
    if (linear) return linear.test(text);
    return text.length > alwaysNative || super.test(text);
  }
}

/** The longest text that the native engine tests, and what tests longer ones. */
type Plan = { maxNative: number; linear: () => RE2JS | undefined };

const plans = new Map<string, Plan>();
const maxWays = 1_000_000;
/** The longest text that no expression is busy with for long. */
const alwaysNative = 10;

function toPlan(source: string): Plan {
  return { maxNative: toMaxNative(source), linear: once(() => compile(source)) };
}

/**
 * The length up to which a text has less than a million ways to match: each part that repeats gives
 * as many as the text is long, each alternative twice as many, and a group that repeats any number.
 */
function toMaxNative(source: string): number {
  const bare = source.replace(/\\.|\[(?:\\.|[^\]\\])*\]/gsu, 'x').replace(/(?<!\))\{\d+\}/g, '');
  if (/\)[*+{]/.test(bare)) return 0;
  const repeats = bare.match(/[*+{]|(?<![(*+?}])\?/g)?.length ?? 0;
  const alternatives = bare.split('|').length - 1;
  // Without an anchor, it is tried from each character on.
  const power = repeats + (/^\^[^|]*$/.test(source) ? 0 : 1);
  return Math.floor((maxWays / 2 ** alternatives) ** (1 / power));
}

function compile(source: string): RE2JS | undefined {
  try {
    // Few documents need it, and loading it takes a while.
    const { RE2JS }: typeof import('re2js') = createRequire(import.meta.url)('re2js');
    return RE2JS.compile(RE2JS.translateRegExp(source));
  } catch {
    return undefined;
  }
}
