import { toVisible } from '../look/visible.ts';

/** With fewer letters than this, that a name holds them is chance. */
const minLetters = 3;

/**
 * The name that a mistyped one was most likely meant to be, in any case and with words joined by `-`
 * or `_`: one that it is part of from the start of a word on, else the one with the fewest letters
 * to change, add or leave out, at most two or a third of them, else one whose words it has.
 * Undefined where none is like it.
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

/** The Levenshtein distance of two words. */
function distanceOf(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, at) => at);
  for (const [at, letter] of [...left].entries()) {
    const next = [at + 1];
    for (let column = 1; column <= right.length; column++) {
      const replaced = (row[column - 1] as number) + (letter === right[column - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[column] as number) + 1, (next[column - 1] as number) + 1));
    }
    row = next;
  }
  return row[right.length] as number;
}
