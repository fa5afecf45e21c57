import { expect, it } from 'vitest';
import { createBudget } from '../../../contracts/run/keys/budget.ts';
import type { Exchange } from '../../../contracts/transcript/exchange.ts';

function answer(limit: number, remaining: number): Exchange {
  const headers: [string, string][] = [
    ['X-RateLimit-Limit', String(limit)],
    ['X-RateLimit-Remaining', String(remaining)],
  ];
  return { response: { status: 200, headers } } as unknown as Exchange;
}

it.each([
  ['less than its limit', 99, 99],
  ['nothing', 0, 0],
  ['as much as its limit, so that calls are not counted', 100, Number.POSITIVE_INFINITY],
])('takes a key that has %s left at its word', (_, remaining, available) => {
  const budget = createBudget({ name: 'key-1', secret: 'secret' }, {});
  budget.take();
  budget.received(answer(100, remaining));
  expect(budget.available()).toBe(available);
});
