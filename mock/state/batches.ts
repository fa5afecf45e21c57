import { setImmediate } from 'node:timers/promises';

/** Hands on what comes, in batches, one after another. */
export interface Batches<T> {
  add(one: T): void;
  /** Resolves once all that was added is done. */
  idle(): Promise<void>;
}

/**
 * Gathers what comes in one turn of the event loop, or while a batch is under way, for one batch;
 * what is `alone` gets one of its own. `run` must not reject.
 */
export function createBatches<T extends { isAlone: boolean }>(
  run: (batch: readonly T[]) => Promise<void>,
): Batches<T> {
  const waiting: T[] = [];
  let isRunning = false;
  let idle = Promise.resolve();

  const next = () => {
    const alone = waiting.findIndex(({ isAlone }) => isAlone);
    return waiting.splice(0, alone === -1 ? waiting.length : Math.max(1, alone));
  };
  const runAll = async () => {
    await setImmediate();
    while (waiting.length > 0) await run(next());
    isRunning = false;
  };
  return {
    add(one) {
      waiting.push(one);
      if (isRunning) return;
      isRunning = true;
      idle = runAll();
    },
    idle: () => idle,
  };
}
