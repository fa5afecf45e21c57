/**
 * The name that a mistyped one was most likely meant to be: one that holds all of it, else the one with the fewest letters to
 * change, add or leave out.
 */
export function nearestName(mistyped: string, names: readonly string[]): string | undefined {
  const holding = mistyped === '' ? [] : names.filter((name) => name.includes(mistyped));
  const [nearest] = (holding.length > 0 ? holding : names)
    .map((name) => ({ name, distance: distanceOf(mistyped, name) }))
    .toSorted((one, other) => one.distance - other.distance);
  return nearest?.name;
}

/** The Levenshtein distance of two words. */
function distanceOf(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let at = 1; at <= one.length; at++) {
    const next = [at];
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[at - 1] === other[column - 1];
      const replaced = (row[column - 1] as number) + (isSame ? 0 : 1);
      next.push(Math.min(replaced, (row[column] as number) + 1, (next[column - 1] as number) + 1));
    }
    row = next;
  }
  return row[other.length] as number;
}
