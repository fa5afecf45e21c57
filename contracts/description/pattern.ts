import { createRequire } from 'node:module';
import { type Context, createContext, Script } from 'node:vm';
import type { RE2JS } from 're2js';

/**
 * A regular expression of a document, with the flag `u`, that no text keeps busy: where the native
 * engine may go back too often, RE2 tests the text. What RE2 does not know, such as looking ahead,
 * gets 250 ms; once that was too short, all such texts count as matching.
 */
export class Pattern extends RegExp {
  constructor(source: string | RegExp, flags = 'u') {
    super(source, flags);
  }

  override test(text: string): boolean {
    const plan = plans.get(this.source) ?? toPlan(this.source);
    plans.set(this.source, plan);
    if (text.length <= plan.maxNative) return super.test(text);
    if (plan.linear) return plan.linear.test(text);
    if (plan.isSlow) return true;
    try {
      // Only what runs as a script can be stopped.
      scope.test = () => super.test(text);
      context ??= createContext(scope);
      return script.runInContext(context, { timeout: maxMilliseconds });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
      plan.isSlow = true;
      return true;
    }
  }
}

/** The longest text that the native engine tests at once, and what tests longer ones. */
type Plan = { maxNative: number; linear: RE2JS | undefined; isSlow?: boolean };

const plans = new Map<string, Plan>();
const script = new Script('test()');
const maxMilliseconds = 250;
const scope: { test?: () => boolean } = {};
let context: Context | undefined;
const maxWays = 1_000_000;

/** At most how many ways there are to match n characters: times * n ** power. */
type Ways = { times: number; power: number };

const token =
  /(?:(?<open>\((?:\?(?:<?[=!]|:|<\w+>))?)|(?<close>\))|(?<bar>\|)|(?<atom>\[(?:\\.|[^\]\\])*\]|\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\(?:[pPu]\{[^}]*\}|u.{4}|x..|c.|k<\w+>|\d+|.)|.))(?<quantifier>[*+?]|\{\d+,?\d*\})?\??/gsu;

function toPlan(source: string): Plan {
  // Without an anchor, it is tried from each character on.
  let ways: Ways = { times: 1, power: /^\^[^|]*$/.test(source) ? 0 : 1 };
  let written = '';
  const around: Ways[] = [];
  for (const { 0: text, groups: found = {} } of source.matchAll(token)) {
    const { atom = '', quantifier = '' } = found;
    written += toRe2(atom) + text.slice(atom.length);
    if (found.open) around.push(ways);
    else if (found.bar) ways = { ...ways, times: ways.times * 2 };
    else {
      const part = repeated(found.close ? ways : { times: 1, power: 0 }, quantifier);
      const { times, power } = (found.close && around.pop()) || ways;
      ways = { times: times * part.times, power: power + part.power };
    }
    if (found.open) ways = { times: 1, power: 0 };
  }
  const maxNative = Math.floor((maxWays / ways.times) ** (1 / ways.power));
  const linear = maxNative < Infinity ? compile(written) : undefined;
  return { maxNative, linear };
}

function repeated(part: Ways, quantifier: string): Ways {
  if (quantifier === '') return part;
  const isSimple = part.times * 2 ** part.power === 1;
  if (/[*+]|,\}/.test(quantifier)) return { times: isSimple ? 1 : Infinity, power: 1 };
  const [min = 0, max = min || 1] = quantifier.match(/\d+/g)?.map(Number) ?? [];
  return { times: (max - min + 1) * part.times ** max, power: part.power * max };
}

function compile(written: string): RE2JS | undefined {
  try {
    // Few documents need it, and loading it takes a while.
    const { RE2JS }: typeof import('re2js') = createRequire(import.meta.url)('re2js');
    // Modifiers change what has been written.
    return /\(\?[a-z-]+:/.test(written) ? undefined : RE2JS.compile(written);
  } catch {
    return undefined;
  }
}

const spaces =
  '\\t-\\r \\xa0\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}';
const others =
  '\\x00-\\x08\\x0e-\\x1f!-\\x9f\\xa1-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}';

/** An atom as RE2 writes it, to which some mean something else, or nothing. */
function toRe2(atom: string): string {
  if (atom === '.') return '[^\\n\\r\\x{2028}\\x{2029}]';
  if (/^\\s$/i.test(atom)) return toRe2(`[${atom}]`);
  // RE2 takes the bracket for the first character.
  if (/^\[\^?\]$/.test(atom)) return '(?=)';
  const part = /(?<!^)\[|\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\(?:[pPu]\{[^}]*\}|u.{4}|.)/gsu;
  return atom.replace(part, (given) => {
    if (given === '[') return '\\[';
    if (given === '\\s') return spaces;
    if (given === '\\S') return others;
    if (given.startsWith('\\u'))
      return `\\x{${/\{(.*)\}/.exec(given)?.[1] ?? JSON.parse(`"${given}"`).codePointAt().toString(16)}}`;
    return given.replace(/^(\\p\{)(?:Script|sc|General_Category|gc)=/i, '$1');
  });
}
