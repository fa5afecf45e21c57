/** Ends a turn. */
export type EndTurn = () => void;

/** The memory is that of the process, so all twins in it take turns together. */
let last: Promise<void> = Promise.resolve();

/**
 * Waits until no other call has a large body parsed, as such a body takes up to 25 times its length
 * until its call is done: two at once may be more than the heap holds.
 */
export async function takeTurn(): Promise<EndTurn> {
  const before = last;
  const { promise, resolve } = Promise.withResolvers<void>();
  last = promise;
  await before;
  return resolve;
}
