/** Calls by the index of their window, so that an old one is never mistaken for today's. */
export interface Counters {
  /** Those of the windows that are known, the one that was used last at the end. */
  readonly calls: ReadonlyMap<number, number>;
  of(index: number): number;
  /**
   * Sets the calls of a window, and forgets the window that was not used for longest where there
   * are too many.
   */
  set(index: number, calls: number): void;
}

/** A day of minutes: what a clock that was moved back may meet again. */
const maxWindows = 1440;

/** Makes counters that begin with these. */
export function createCounters(begin: ReadonlyMap<number, number> = new Map()): Counters {
  const calls = new Map(begin);
  let latest: number | undefined;
  return {
    calls,
    of: (index) => calls.get(index) ?? 0,
    set(index, count) {
      // A key that leaves a Map and comes again with each call makes V8 replace the Map's table,
      // and collect the old ones late.
      if (index !== latest) calls.delete(index);
      latest = index;
      calls.set(index, count);
      if (calls.size > maxWindows) calls.delete(calls.keys().next().value as number);
    },
  };
}
