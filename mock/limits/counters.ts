/** Calls by the index of their window, so that an old one is never mistaken for today's. */
export interface Counters {
  /** Those of the windows that are known, the most recently used one last. */
  readonly calls: ReadonlyMap<number, number>;
  of(index: number): number;
  /**
   * Sets the calls of a window, and forgets the least recently used window where there are too
   * many.
   */
  set(index: number, calls: number): void;
}

/**
 * A window is met again where the clock was moved back, by a test or by the system. Tests go back
 * and forth between a few instants, so the windows that were used last are enough; a twin that is
 * called all day would have 1,440 minutes for each key, in memory and in each snapshot.
 */
const maxWindows = 100;

/** Makes counters that begin with these. */
export function createCounters(begin: ReadonlyMap<number, number> = new Map()): Counters {
  const calls = new Map([...begin].slice(-maxWindows));
  let latest: number | undefined;
  return {
    calls,
    of: (index) => calls.get(index) ?? 0,
    set(index, count) {
      // A key that leaves a Map and comes back makes V8 rebuild its table again and again: 1.3 us a
      // call with 100 windows, where 0.1 us are needed.
      if (index !== latest) calls.delete(index);
      latest = index;
      calls.set(index, count);
      if (calls.size > maxWindows) calls.delete(calls.keys().next().value as number);
    },
  };
}
