import { type Check, called, clauseOf } from '../clauses/check.ts';
import { quotaHeaders } from '../limits/quota.ts';
import { headerValues } from '../transcript/exchange.ts';
import { answersOfOperations } from '../transcript/transcript.ts';

/** Every response of an operation carries the three rate-limit headers, errors included. */
export const rateLimitHeaders: Check = {
  id: 'rate-limit-headers',
  clause: clauseOf('rate-limit-headers'),
  unheld: 'no call was answered',
  needs: 'rate limits',
  part: 'headers',
  judge(transcript, judge) {
    for (const exchange of answersOfOperations(transcript)) {
      const missing = quotaHeaders.filter((name) => headerValues(exchange, name).length === 0);
      judge.hold(missing.length === 0, exchange, () => ({
        message: `${called(exchange)} answers without ${missing.join(', ')}`,
        expected: quotaHeaders.join(', '),
        actual: `no ${missing.join(', ')} on a ${exchange.response.status}`,
      }));
    }
  },
};
