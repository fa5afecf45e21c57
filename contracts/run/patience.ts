/** Bounds the time that calls wait in all; calls that wait side by side wait once. */
export interface Patience {
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
