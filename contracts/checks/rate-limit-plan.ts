import type { PlanFigures } from '../../openapi/index.ts';
import { type Check, clauseOf } from '../clauses/check.ts';
import { quotaOf } from '../limits/quota.ts';
import { answersOfOperations, planOf, toRefusal } from '../transcript/transcript.ts';

/** X-RateLimit-Limit is one of the figures of the key's plan, where the plan is known. */
export const rateLimitPlan: Check = {
  id: 'rate-limit-plan',
  clause: clauseOf('rate-limit-plan'),
  unheld: 'no answer showed the limit of a key whose plan is known',
  needs: 'rate limits',
  judge(transcript, judge) {
    const { plans } = transcript.document;
    for (const key of transcript.refusedKeys) judge.inconclusive(toRefusal(key));
    const largest = Math.max(...Object.values(plans).map(toLargest));
    for (const exchange of answersOfOperations(transcript)) {
      const { plan, figures } = planOf(transcript, exchange);
      const counted = exchange.case.credential === 'valid' && exchange.response.status !== 401;
      const { limit } = quotaOf(exchange);
      if (!counted || !figures || limit === undefined) continue;
      if (limit > largest) {
        judge.inconclusive(
          `a limit of ${limit.toLocaleString('en')} is above every plan, so other limits than the plans' are in force`,
        );
        continue;
      }
      judge.hold(limit === figures.perMinute || limit === figures.perDay, exchange, () => ({
        message: `a key of plan ${plan} gets a limit that its plan does not have`,
        expected: `X-RateLimit-Limit: ${figures.perMinute} or ${figures.perDay}`,
        actual: `X-RateLimit-Limit: ${limit}`,
      }));
    }
  },
};

function toLargest(figures: PlanFigures): number {
  return figures === 'custom' ? 0 : Math.max(figures.perMinute, figures.perDay);
}
