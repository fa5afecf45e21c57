/** Unix milliseconds to the microsecond, so that what came first can be told. */
export function now(): number {
  return performance.timeOrigin + performance.now();
}
