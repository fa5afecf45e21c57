import { once } from 'node:events';
import type { Lookup, Resolver } from '../dns/resolver.ts';

export type LimitOptions = {
  /** Aborted when there is no time left for the domain. */
  signal: AbortSignal;
  /** Called for each question. */
  count: () => void;
};

/** Counts the questions of a domain, and waits for no answer once its time is over. */
export function limitTime(resolver: Resolver, { signal, count }: LimitOptions): Resolver {
  const reason = 'the check of the domain took too long';
  const over = once(signal, 'abort').then((): Lookup => ({ outcome: 'failed', reason }));
  return {
    ...resolver,
    look(...question) {
      if (signal.aborted) return Promise.resolve({ outcome: 'failed', reason });
      count();
      return Promise.race([resolver.look(...question), over]);
    },
  };
}
