/**
 * Resolves after this many milliseconds, or when `signal` aborts; immediately if they are negative.
 */
export function wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, Math.max(0, milliseconds));
    signal?.addEventListener('abort', done);
  });
}
