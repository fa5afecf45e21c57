/** Gives the JSON pointer that a place had before something was moved. */
export type Undo = (pointer: string) => string;

/** Where parts were before they were moved, by their pointers of now; what is below goes with them. */
export type Moves = ReadonlyMap<string, string>;

export function undo(pointer: string, moves: Moves): string {
  if (moves.size === 0) return pointer;
  for (let end = pointer.length; end > 0; end = pointer.lastIndexOf('/', end - 1)) {
    const former = moves.get(pointer.slice(0, end));
    if (former !== undefined) return former + pointer.slice(end);
  }
  return pointer;
}
