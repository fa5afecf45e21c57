import { scheduler, setImmediate } from 'node:timers/promises';

const [wait, dateNow] = [scheduler.wait.bind(scheduler), Date.now];
const performanceNow = performance.now.bind(performance);
let [runs, skipped] = [0, 0];

/**
 * Makes a function that runs the suite never wait: where it would, the clock of this process jumps
 * instead, for a deployment that reads `Date.now()`, too. Timers take their time.
 */
export function skippingWaits<Given extends unknown[], Result>(
  run: (...given: Given) => Promise<Result>,
): (...given: Given) => Promise<Result> {
  return async (...given) => {
    runs += 1;
    Date.now = () => dateNow() + Math.round(skipped);
    performance.now = () => performanceNow() + skipped;
    scheduler.wait = async (milliseconds = 0, { signal } = {}) => {
      const end = performance.now() + milliseconds;
      // Waits that began side by side end side by side.
      await setImmediate();
      if (!signal?.aborted) skipped += Math.max(0, end - performance.now());
    };
    try {
      return await run(...given);
    } finally {
      runs -= 1;
      if (runs === 0) {
        skipped = 0;
        [Date.now, performance.now, scheduler.wait] = [dateNow, performanceNow, wait];
      }
    }
  };
}
