import { type Check, called, clauseOf } from '../clauses/check.ts';
import { quotaHeaders, quotaOf } from '../limits/quota.ts';
import { headerValues } from '../transcript/exchange.ts';
import { answersOfOperations } from '../transcript/transcript.ts';

/** The rate-limit headers are whole numbers, and no more is left than the limit. */
export const rateLimitForm: Check = {
  id: 'rate-limit-form',
  clause: clauseOf('rate-limit-form'),
  unheld: 'no answer carried a rate-limit header',
  needs: 'rate limits',
  judge(transcript, judge) {
    for (const exchange of answersOfOperations(transcript)) {
      const { status } = exchange.response;
      for (const name of quotaHeaders) {
        const values = headerValues(exchange, name);
        if (values.length === 0) continue;
        judge.hold(
          values.length === 1 && /^\d{1,15}$/.test((values[0] as string).trim()),
          exchange,
          () => ({
            message: `${name} is not a single whole number`,
            expected: 'a whole number of at least 0',
            actual: `${name}: ${values.join(', ')} (on a ${status})`,
          }),
        );
      }
      const { limit, remaining } = quotaOf(exchange);
      if (limit === undefined || remaining === undefined) continue;
      judge.hold(remaining <= limit, exchange, () => ({
        message: `${called(exchange)} shows more requests left than the limit allows`,
        expected: `at most ${limit}`,
        actual: `X-RateLimit-Remaining: ${remaining} (on a ${status})`,
      }));
    }
  },
};
