import { type Check, called, clauseOf } from '../clauses/check.ts';
import { quotaOf } from '../limits/quota.ts';
import { headerValue, headerValues, isAnswered } from '../transcript/exchange.ts';

const httpDate =
  /^(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT|[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4})$/;

/** A 429 carries Retry-After: whole seconds, or an HTTP date (RFC 9110 §10.2.3). */
export const retryAfter: Check = {
  id: 'retry-after',
  clause: clauseOf('retry-after'),
  unheld: 'no call was refused with 429',
  cases: ['exhaust'],
  needsCases: ['count', 'exhaust'],
  needs: 'rate limits',
  follows: ['rate-limit-reset'],
  judge({ exchanges }, judge) {
    for (const exchange of exchanges.filter(isAnswered)) {
      if (exchange.response.status !== 429 || !exchange.case.operation) continue;
      const value = headerValue(exchange, 'Retry-After')?.trim();
      const valid =
        headerValues(exchange, 'Retry-After').length === 1 &&
        value !== undefined &&
        (/^\d+$/.test(value) || isDate(value));
      judge.hold(valid, exchange, () => ({
        message:
          value === undefined
            ? `${called(exchange)} answers 429 without Retry-After`
            : 'Retry-After is neither whole seconds nor an HTTP date',
        expected: 'Retry-After: whole seconds of at least 0, or an HTTP date',
        actual: value === undefined ? 'no Retry-After' : `Retry-After: ${value}`,
      }));
      judge.hold(
        !valid || !/^\d+$/.test(value as string) || Number(value) < 1_000_000_000,
        exchange,
        () => ({
          message: 'Retry-After looks like a point in time instead of a number of seconds',
          expected: 'Retry-After: seconds to wait',
          actual: `Retry-After: ${value}`,
        }),
      );
      const { reset } = quotaOf(exchange);
      const window = reset === undefined ? 0 : reset - exchange.endedAt / 1000;
      if (!valid || window < 2 || !/^\d+$/.test(value as string)) continue;
      const ratio = Number(value) / window;
      judge.hold(Number(value) < 10_000 || ratio < 700 || ratio > 1300, exchange, () => ({
        message: 'Retry-After looks like milliseconds',
        expected: `about ${Math.ceil(window)} s, when the limit resets`,
        actual: `Retry-After: ${value}`,
      }));
    }
  },
};

function isDate(value: string): boolean {
  return (
    httpDate.test(value) &&
    !Number.isNaN(Date.parse(value.endsWith('GMT') ? value : `${value} GMT`))
  );
}
