/** The middle of some numbers. */
export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((left, right) => left - right);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
}

/**
 * The median of the ratios of two servers, round by round: what slows one round down slows both, so
 * it cancels out.
 */
export function ratio(numerators: readonly number[], denominators: readonly number[]): number {
  return median(numerators.map((numerator, round) => numerator / (denominators[round] as number)));
}

/** A figure that is wanted within bounds; it is a ratio where no unit is given. */
export type Goal = { what: string; measured: number; min?: number; max?: number; unit?: string };

/** Returns a line for a goal: the measured value, the goal, and whether it is met. */
export function toGoalLine({ what, measured, min, max, unit = 'x' }: Goal): string {
  const met = (min === undefined || measured >= min) && (max === undefined || measured <= max);
  const wanted = min === undefined ? `at most ${max}${unit}` : `at least ${min}${unit}`;
  return `  ${what.padEnd(52)}${`${measured.toFixed(2)}${unit}`.padStart(9)}   ${wanted.padEnd(16)}${met ? 'met' : 'MISSED'}`;
}

/** Rows of texts in columns, the first to the left and the others to the right. */
export function toTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('   ');
  return rows.map((row) => `  ${line(row)}`).join('\n');
}

export function toCount(number: number): string {
  return Math.round(number).toLocaleString('en');
}
