import { setImmediate } from 'node:timers/promises';

/** Hands on what comes, in batches, one after another. */
export interface Batches<T> {
  add(one: T): void;
  /** Resolves once all that was added is done. */
  idle(): Promise<void>;
}

/** How much is handed on at once, so that no batch keeps the event loop for long. */
const maxBatch = 64;

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
    const count = alone === -1 ? waiting.length : Math.max(1, alone);
    return waiting.splice(0, Math.min(count, maxBatch));
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
