import { type WithQuota, withQuota } from '../transcript/quota.ts';
import { answersOfOperations } from '../transcript/transcript.ts';
import type { Check } from './check.ts';

const day = 86_400;

/** X-RateLimit-Limit stays the same within a window of a key. */
export const rateLimitConstant: Check = {
  id: 'rate-limit-constant',
  clause: { basis: 'stated', source: '§8', text: 'X-RateLimit-Limit of a key does not change within a window.' },
  unheld: 'no answer showed a window',
  needs: 'rate limits',
  follows: ['rate-limit-plan'],
  judge(transcript, judge) {
    const windows = new Map<string, WithQuota>();
    for (const exchange of withQuota(answersOfOperations(transcript))) {
      const { credential } = exchange.case;
      const { limit, reset } = exchange.quota;
      // At midnight the minute and the day end together, and their limits differ.
      if (credential !== 'valid' || exchange.response.status === 401 || reset % day === 0) continue;
      const window = `${exchange.request.keyName} ${reset}`;
      const first = windows.get(window) ?? exchange;
      windows.set(window, first);
      judge.hold(limit === first.quota.limit, exchange, () => ({
        message: 'X-RateLimit-Limit changes within a window',
        expected: `X-RateLimit-Limit: ${first.quota.limit}, as in the window's first answer`,
        actual: `X-RateLimit-Limit: ${limit}`,
      }));
    }
  },
};
