import { type Exchange, isAnswered } from '../transcript/exchange.ts';
import { isKeyParameter } from './credentials.ts';

/**
 * Whether a call may ask the target to wait, as a long poll does: by `Prefer: wait` (RFC 7240 §4.3), or a
 * parameter of which the interface says nothing.
 */
function mayWait({ case: { operation }, request: { path, headers } }: Exchange): boolean {
  const described = operation?.parameters.map(({ name }) => name) ?? [];
  const asked = [...new URL(`http://target${path}`).searchParams.keys()];
  const prefers = Object.keys(headers).some((name) => name.toLowerCase() === 'prefer');
  return prefers || asked.some((name) => !described.includes(name) && !isKeyParameter(name));
}

/** What a call failed with whose client left although it had sent all of its request. */
export const clientLeft = 'the client left before an answer';

/** Tells calls that were never answered from those that their clients gave up too soon. */
export interface HangWatch {
  /** The exchange, with a timeout in the place of a client that left if the target hung. */
  see(exchange: Exchange): Exchange;
}

/** No client is called impatient that waited this long, in milliseconds. */
const minWait = 4000;

/** How much longer it must have waited than the longest of so many other calls took. */
const minRatio = 10;
const minOthers = 5;

/** Sees calls in the order in which they ended. */
export function createHangWatch(): HangWatch {
  const answered = new Map<string, { count: number; longest: number }>();
  return {
    see(exchange) {
      const { number, case: testCase, request, failure, sentAt, endedAt } = exchange;
      const { id } = testCase.operation ?? {};
      if (id === undefined) return exchange;
      const took = endedAt - sentAt;
      const { count, longest } = answered.get(id) ?? { count: 0, longest: 0 };
      if (isAnswered(exchange))
        answered.set(id, { count: count + 1, longest: Math.max(longest, took) });
      const hasLeft =
        failure?.kind === 'aborted' && failure.message === clientLeft && !mayWait(exchange);
      const isHang = took >= minWait && count >= minOthers && took >= longest * minRatio;
      if (!hasLeft || !isHang) return exchange;
      const message = `no answer within ${Math.floor(took / 1000)} s, after which the client left`;
      return {
        ...{ number, case: testCase, request, sentAt, endedAt },
        failure: { kind: 'timeout', message },
      };
    },
  };
}
