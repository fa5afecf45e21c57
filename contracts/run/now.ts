/** Unix milliseconds with microseconds, so that calls can be put in order. */
export function now(): number {
  return performance.timeOrigin + performance.now();
}
