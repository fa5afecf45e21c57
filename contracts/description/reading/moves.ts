/**
 * Where parts of a document were before they were moved: JSON pointers by those of now, and what
 * is below them with them.
 */
export type Moves = ReadonlyMap<string, string>;

/** The pointer that a place had before some moves, the latest of which come first. */
export function toFormerPointer(pointer: string, moves: readonly Moves[]): string {
  return moves.reduce(undo, pointer);
}

function undo(pointer: string, moves: Moves): string {
  if (moves.size === 0) return pointer;
  for (let end = pointer.length; end >= 0; end = pointer.lastIndexOf('/', end - 1)) {
    const former = moves.get(pointer.slice(0, end));
    if (former !== undefined) return former + pointer.slice(end);
    if (end === 0) break;
  }
  return pointer;
}
