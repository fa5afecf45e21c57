import { type Exchange, isAnswered } from '../transcript/exchange.ts';
import { retryAfter } from '../transcript/limits/quota.ts';
import { wait } from './wait.ts';

/** Pauses after failures of a server, in milliseconds: the first one, and the longest. */
const [firstPause, longestPause] = [250, 4000];

/** How long a run waits for a server that fails in all, in milliseconds. */
const maxInAll = 30_000;

/** Gives a server that fails time to recover before it is asked to change more. */
export interface Strain {
  /** Resolves at once after a success, and after a failure once a pause is over. */
  rest(exchange: Exchange): Promise<void>;
}

export function createStrain(signal: AbortSignal | undefined): Strain {
  let pause = firstPause;
  let waited = 0;
  return {
    async rest(exchange) {
      const status = exchange.response?.status ?? 504;
      if (status < 500 || status === 501) pause = firstPause;
      else if (waited < maxInAll) {
        const asked = isAnswered(exchange) ? (retryAfter(exchange) ?? 0) : 0;
        const now = Math.min(Math.max(pause, asked), longestPause);
        pause = Math.min(pause * 2, longestPause);
        waited += now;
        await wait(now, signal);
      }
    },
  };
}
