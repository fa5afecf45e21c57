import { toVisible } from '../look/visible.ts';

/** With fewer letters than this, that a name holds them is chance. */
const minLetters = 3;

/**
 * Returns the most similar name, ignoring case and the separators `-` and `_`. It prefers names
 * that contain the mistyped one from the start of a word. Then come names with the fewest edits, at
 * most two or a third of the letters, and names that contain its words. Undefined if no name is
 * similar.
 */
export function nearestName(mistyped: string, names: readonly string[]): string | undefined {
  const given = toWords(mistyped);
  const maxDistance = Math.min(given.length - 1, Math.max(2, given.length / 3));
  const ranked = names
    .map((name) => ({ name, words: toWords(name), distance: distanceOf(given, toWords(name)) }))
    .toSorted((left, right) => left.distance - right.distance);
  const holding = ranked.find(
    ({ words }) => given.length >= minLetters && `-${words}`.includes(`-${given}`),
  );
  const similar = ranked.find(({ distance }) => distance <= maxDistance);
  const held = ranked.find(({ words }) => `-${given}-`.includes(`-${words}-`));
  return (holding ?? similar ?? held)?.name;
}

/** The same as a sentence behind another one; nothing where no name is like it. */
export function didYouMean(mistyped: string, names: readonly string[]): string {
  const nearest = nearestName(mistyped, names);
  return nearest === undefined ? '' : ` Did you mean ${toVisible(JSON.stringify(nearest))}?`;
}

function toWords(name: string): string {
  return name.toLowerCase().replaceAll('_', '-');
}

/** The Levenshtein distance of two words, with two letters that changed places as one edit. */
function distanceOf(left: string, right: string): number {
  let before: number[] = [];
  let row = Array.from({ length: right.length + 1 }, (_, at) => at);
  for (const [at, letter] of [...left].entries()) {
    const next = [at + 1];
    for (let column = 1; column <= right.length; column++) {
      const replaced = (row[column - 1] as number) + (letter === right[column - 1] ? 0 : 1);
      const isSwapped = letter === right[column - 2] && left[at - 1] === right[column - 1];
      const swapped = isSwapped ? (before[column - 2] as number) + 1 : replaced;
      const [added, removed] = [(row[column] as number) + 1, (next[column - 1] as number) + 1];
      next.push(Math.min(replaced, swapped, added, removed));
    }
    before = row;
    row = next;
  }
  return row[right.length] as number;
}
