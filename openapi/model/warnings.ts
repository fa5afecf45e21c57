/** A part of a document that cannot be used. */
export type DocumentWarning = {
  /** The place in the user's files: a JSON pointer after `#`, after a file if it is another. */
  pointer: string;
  /** The problem and its consequence, without a full stop. */
  problem: string;
};

const maxListed = 5;

/** Warnings in a line, the first few of them. */
export function listWarnings(warnings: readonly DocumentWarning[]): string {
  const shown = warnings
    .slice(0, maxListed)
    .map(({ pointer, problem }) => `${pointer}: ${problem}.`);
  const more = warnings.length - shown.length;
  return [...shown, ...(more > 0 ? [`There are ${more} more.`] : [])].join(' ');
}

/**
 * Summarizes in a line the parts of a document that cannot be used, with where to see more;
 * undefined if there are none.
 */
export function describeWarnings(
  file: string,
  warnings: readonly DocumentWarning[],
  advice = '',
): string | undefined {
  if (warnings.length === 0) return undefined;
  const parts = warnings.length === 1 ? '1 part' : `${warnings.length} parts`;
  const sentences = [`${file} has ${parts} that cannot be used as written.`, advice];
  return [...sentences, listWarnings(warnings)].filter((one) => one !== '').join(' ');
}
