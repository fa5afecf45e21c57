import { type Exchange, isAnswered } from '../transcript/exchange.ts';

/** The failure message of a call whose client sent the whole request and left. */
const clientLeft = 'the client left before an answer';

/** No client is called impatient that waited this long, in milliseconds. */
const minWait = 4000;

/** How much longer it must have waited than the longest of so many other calls took. */
const minRatio = 10;
const minOthers = 5;

/**
 * Separates hanging targets from impatient clients. Returns each exchange in the order of its end,
 * with a timeout if the target hung until the client left.
 */
export function createHangWatch(): (exchange: Exchange) => Exchange {
  const answered = new Map<string, { count: number; longest: number }>();
  return (exchange) => {
    const { response: _, failure, ...sent } = exchange;
    const { id } = sent.case.operation ?? {};
    if (id === undefined) return exchange;
    const took = sent.endedAt - sent.sentAt;
    const { count, longest } = answered.get(id) ?? { count: 0, longest: 0 };
    if (isAnswered(exchange))
      answered.set(id, { count: count + 1, longest: Math.max(longest, took) });
    const isHang = took >= minWait && count >= minOthers && took >= longest * minRatio;
    if (failure?.message !== clientLeft || !isHang) return exchange;
    const message = `no answer within ${Math.floor(took / 1000)} s, after which the client left`;
    return { ...sent, failure: { kind: 'timeout', message } };
  };
}
