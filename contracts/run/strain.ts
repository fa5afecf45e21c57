import { retryAfter } from '../limits/quota.ts';
import { type Exchange, isAnswered } from '../transcript/exchange.ts';
import { wait } from './wait.ts';

/** Pauses after failures of a server, in milliseconds: the first one, and the longest. */
const [firstPause, longestPause] = [250, 4000];

/** How long a run waits for a server that fails in all, in milliseconds. */
const maxInAll = 30_000;

/** Makes changes one at a time, and gives a server that fails time to recover before the next. */
export interface Strain {
  change(make: () => Promise<Exchange | undefined>): Promise<Exchange | undefined>;
}

export function createStrain(signal: AbortSignal | undefined): Strain {
  let pause = firstPause;
  let waited = 0;
  let last: Promise<unknown> = Promise.resolve();
  const rest = async (exchange: Exchange | undefined) => {
    const status = exchange ? (exchange.response?.status ?? 504) : 200;
    if (status < 500 || status === 501) pause = firstPause;
    else if (waited < maxInAll) {
      const asked = exchange && isAnswered(exchange) ? (retryAfter(exchange) ?? 0) : 0;
      const now = Math.min(Math.max(pause, asked), longestPause);
      pause = Math.min(pause * 2, longestPause);
      waited += now;
      await wait(now, signal);
    }
    return exchange;
  };
  return {
    change(make) {
      const made = last.then(make).then(rest);
      last = made.catch(() => undefined);
      return made;
    },
  };
}

/** Bounds the time that calls wait in all; calls that wait side by side wait once. */
interface Patience {
  /** Whether a wait from now on, in milliseconds, is within the limit; if so, it counts. */
  allow(pause: number): boolean;
}

export function createPatience(max: number, now: () => number = Date.now): Patience {
  let waited = 0;
  let until = 0;
  return {
    allow(pause) {
      const end = now() + pause;
      const more = Math.max(0, end - Math.max(now(), until));
      if (waited + more > max) return false;
      waited += more;
      until = Math.max(until, end);
      return true;
    },
  };
}
