/** With fewer letters than this, that a name holds them is chance. */
const minLetters = 3;

/**
 * The name that a mistyped one was most likely meant to be, in capitals and `_`: one that has the
 * mistyped one from the start of a word on, else the one with the fewest letters to change, add or
 * leave out, at most two or a third of them, else one whose words the mistyped one has. Undefined
 * where none is like it.
 */
export function nearestName(mistyped: string, names: readonly string[]): string | undefined {
  const ranked = names
    .map((name) => ({ name, distance: distanceOf(mistyped, name) }))
    .toSorted((a, b) => a.distance - b.distance);
  const maxDistance = Math.max(2, mistyped.length / 3);
  const holding = ranked.find(
    ({ name }) => mistyped.length >= minLetters && `_${name}`.includes(`_${mistyped}`),
  );
  const similar = ranked.find(({ distance }) => distance <= maxDistance);
  const held = ranked.find(({ name }) => `_${mistyped}_`.includes(`_${name}_`));
  return (holding ?? similar ?? held)?.name;
}

/** The Levenshtein distance of two words. */
function distanceOf(first: string, second: string): number {
  let row = Array.from({ length: second.length + 1 }, (_, at) => at);
  for (let at = 1; at <= first.length; at++) {
    const next = [at];
    for (let column = 1; column <= second.length; column++) {
      const isSame = first[at - 1] === second[column - 1];
      const replaced = (row[column - 1] as number) + (isSame ? 0 : 1);
      next.push(Math.min(replaced, (row[column] as number) + 1, (next[column - 1] as number) + 1));
    }
    row = next;
  }
  return row[second.length] as number;
}
