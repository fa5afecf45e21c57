import type { Check } from '../clauses/check.ts';
import { clauseOf } from '../clauses/check.ts';
import { type WithQuota, withQuota } from '../limits/quota.ts';
import { answersOfOperations } from '../transcript/transcript.ts';

const day = 86_400;

/** X-RateLimit-Limit stays the same within a window of a key. */
export const rateLimitConstant: Check = {
  id: 'rate-limit-constant',
  clause: clauseOf('rate-limit-constant'),
  unheld: 'no two answers to a valid key showed the same window',
  needs: 'rate limits',
  follows: ['rate-limit-plan'],
  judge(transcript, judge) {
    /**
     * The limits seen in a window, of which one without a known end may show two: the minute's and
     * the day's.
     */
    const limits = new Map<string, Set<number>>();
    for (const exchange of withQuota(answersOfOperations(transcript))) {
      const { limit, reset } = exchange.quota;
      // At midnight the minute and the day end together, and their limits differ.
      if (!isOfKey(exchange) || (reset !== undefined && reset % day === 0)) continue;
      const window = `${exchange.request.keyName} ${reset}`;
      const seen = limits.get(window) ?? new Set();
      limits.set(window, seen);
      const may = reset === undefined ? 2 : 1;
      const isFirst = seen.size < may && !seen.has(limit);
      seen.add(limit);
      // The first limit of a window has nothing to be compared with.
      if (isFirst) continue;
      judge.hold([...seen].slice(0, may).includes(limit), exchange, () => ({
        message: 'X-RateLimit-Limit changes within a window',
        expected: `X-RateLimit-Limit: ${[...seen][0]}, as in the window's first answer`,
        actual: `X-RateLimit-Limit: ${limit}`,
      }));
    }
  },
};

function isOfKey({ case: { credential }, response }: WithQuota): boolean {
  return credential === 'valid' && response.status !== 401;
}
