/**
 * Creates a queue that runs acts one after another, so that none sees another half done. Each time
 * that none is left, it calls `onIdle`.
 */
export function createTurns(onIdle = () => {}): <T>(act: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (act) => {
    const turn = last.then(act);
    const ended: Promise<unknown> = turn.catch(() => {}).then(() => last === ended && onIdle());
    last = ended;
    return turn;
  };
}
