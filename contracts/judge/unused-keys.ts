import type { ApiDocument } from '../description/document.ts';
import type { KeyUse } from '../traffic/key-book.ts';

/** How many tokens of a recording are named. */
const maxNamed = 5;

/**
 * Says which keys of the command line no call used, as nothing is judged by their plans; undefined
 * where all were used. Names the tokens that a recording of ours has in the place of keys.
 */
export function describeUnusedKeys(
  { unused, others }: KeyUse,
  { plans }: Pick<ApiDocument, 'plans'>,
): string | undefined {
  if (unused.length === 0) return undefined;
  const what = `No call used ${unused.join(', ')} of the keys that --key names`;
  const names = ['key', ...Object.keys(plans)].map((name) => RegExp.escape(name));
  // Anything else may be a real key, which is shown nowhere.
  const token = new RegExp(`^(?:target-|twin-)?(?:${names.join('|')})-\\d{1,5}$`);
  const tokens = others.filter((key) => token.test(key)).slice(0, maxNamed);
  const [first] = tokens;
  return first === undefined
    ? `${what}, so nothing is judged by their plans.`
    : `${what}. The recording names keys by tokens (${tokens.join(', ')}): give --key PLAN=${first}, for example.`;
}
