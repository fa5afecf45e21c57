import { setImmediate } from 'node:timers/promises';

/** How many turns the event loop takes until work is done, and what comes of that. */
export async function countTurns<Result>(
  work: () => Promise<Result>,
): Promise<{ turns: number; result: Result }> {
  let isDone = false;
  const done = work().finally(() => {
    isDone = true;
  });
  let turns = 0;
  while (!isDone) {
    await setImmediate();
    turns += 1;
  }
  return { turns, result: await done };
}
