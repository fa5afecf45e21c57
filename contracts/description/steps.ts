import { setImmediate } from 'node:timers/promises';

/** Work that yields wherever something else may be done before it goes on. */
export type Steps<Result> = Generator<void, Result>;

/** Does all steps at once. */
export function runAtOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/**
 * Does a step in each turn of the event loop: all of them take most of a second for a document with
 * a thousand operations, and a twin that reloads it answers meanwhile.
 */
export async function runInTurns<Result>(steps: Steps<Result>): Promise<Result> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await setImmediate();
  }
}
