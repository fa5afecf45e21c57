import { aboutCounter, type Check, clauseOf } from '../clauses/check.ts';
import { quotaOf } from '../limits/quota.ts';
import { type Answer, headerValue } from '../transcript/exchange.ts';
import { answersOfOperations, planOf, type Transcript } from '../transcript/transcript.ts';

/** The longest window, in seconds, is a day; clocks may differ by some seconds. */
const maxWindow = 86_400;
const tolerance = 2;

/** X-RateLimit-Reset is a Unix timestamp in seconds that lies ahead, within the longest window. */
export const rateLimitReset: Check = {
  id: 'rate-limit-reset',
  clause: clauseOf('rate-limit-reset'),
  unheld: 'no answer carried X-RateLimit-Reset as a whole number',
  needs: 'rate limits',
  follows: ['rate-limit-reset'],
  judge(transcript, judge) {
    for (const exchange of answersOfOperations(transcript)) {
      const { reset, limit } = quotaOf(exchange);
      if (reset === undefined) continue;
      const date = Date.parse(headerValue(exchange, 'Date') ?? '');
      const now = (Number.isNaN(date) ? exchange.endedAt : date) / 1000;
      const local = exchange.endedAt / 1000;
      const ahead = [now, local].some(
        (instant) =>
          reset >= instant - tolerance &&
          reset <= instant + windowOf(transcript, exchange, limit) + tolerance,
      );
      judge.hold(ahead, exchange, () => ({
        message: `X-RateLimit-Reset is not a Unix time within the next ${windowOf(transcript, exchange, limit) === maxWindow ? 'day' : 'minute'}${guess(reset, now)}`,
        expected: `a Unix timestamp in seconds from ${Math.floor(now)} to ${Math.floor(now) + windowOf(transcript, exchange, limit)}`,
        actual: `X-RateLimit-Reset: ${reset}`,
        ...aboutCounter(exchange),
      }));
    }
  },
};

/**
 * The window that a limit belongs to: a minute where it is the plan's figure for one, else no more
 * than a day. A ban may last longer.
 */
function windowOf(transcript: Transcript, exchange: Answer, limit: number | undefined): number {
  const { figures } = planOf(transcript, exchange);
  const isOfMinute = figures !== undefined && limit === figures.perMinute;
  return isOfMinute && exchange.response.status < 400 ? 60 : maxWindow;
}

function guess(reset: number, now: number): string {
  if (reset <= maxWindow) return ' (it looks like a number of seconds from now)';
  if (reset > now * 500) return ' (it looks like milliseconds)';
  return reset < now ? ' (it is in the past)' : '';
}
