import type { Mutate } from '../deployment.ts';
import type { Answer } from '../shop.ts';

const remaining = 'X-RateLimit-Remaining';

/**
 * Shows what remains when an answer is written instead of when its call was counted: `pause` gives
 * the milliseconds between, in which other workers count theirs. What the row itself makes of the
 * header is left alone.
 */
export function readingCountersLate(mutate: Mutate | undefined, pause: () => number): Mutate {
  return (truth, shop) => {
    const own = { ...truth, ...mutate?.({ ...truth }, shop) };
    const counted = new Map<number, { key: string; since: number; used: number; shown: string }>();
    return {
      ...own,
      meter: (call, account) => {
        const quota = own.meter(call, account);
        const window = account && shop.usage.get(account.key);
        if (window)
          counted.set(call.number, { key: account.key, ...window, shown: String(quota.remaining) });
        return quota;
      },
      send: async (call, answer, response) => {
        await new Promise((resolve) => setTimeout(resolve, pause()));
        const before = counted.get(call.number);
        const window = before && shop.usage.get(before.key);
        if (before && window?.since === before.since && answer.headers[remaining] === before.shown)
          showRemaining(answer, Number(before.shown) - (window.used - before.used));
        return own.send(call, answer, response);
      },
    };
  };
}

/** Changes the answer itself, as a row may send it in a way of its own. */
function showRemaining({ headers }: Answer, number: number): void {
  headers[remaining] = String(Math.max(0, number));
}
