import { setImmediate } from 'node:timers/promises';

/** Work that pauses now and then, so that requests can have their turns. */
export type Pausing<T> = Generator<void, T, void>;

/** How many items are gone through before a pause; that takes some milliseconds. */
const itemsPerTurn = 10_000;

/** Pauses after every so many items: `yield` where it says so. */
export function createPauses(): () => boolean {
  let count = 0;
  return () => ++count % itemsPerTurn === 0;
}

/** Does the work at once, whatever it takes. */
export function doAtOnce<T>(work: Pausing<T>): T {
  let step = work.next();
  while (!step.done) step = work.next();
  return step.value;
}

/** Does the work: at once where it makes no pause, else in as many turns of the event loop. */
export function doInTurns<T>(work: Pausing<T>): T | Promise<T> {
  const first = work.next();
  return first.done ? first.value : finish(work);
}

async function finish<T>(work: Pausing<T>): Promise<T> {
  for (;;) {
    await setImmediate();
    const step = work.next();
    if (step.done) return step.value;
  }
}
