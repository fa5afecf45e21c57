/** The time of a server, as this process knows it from replies. */
export interface ServerTime {
  /** In Unix milliseconds. */
  now(): number;
  /** Takes the time that a reply told, which was a moment ago. */
  hear(system: number): void;
}

/** Beyond so many milliseconds, a clock was set, and no reply was slow. */
const maxWobble = 250;

/** Follows the time of a server; until it is heard of, it is the system's. */
export function createServerTime(systemNow: () => number = Date.now): ServerTime {
  let offset: number | undefined;
  return {
    now: () => systemNow() + (offset ?? 0),
    hear(system) {
      const heard = system - systemNow();
      // The fastest reply comes closest; the others were longer on their way.
      if (offset === undefined || heard > offset || offset - heard > maxWobble) offset = heard;
    },
  };
}
