import { it } from 'vitest';

/** Whether all tests run: those that `npm test` takes a sample of, too. */
export const isWhole = process.env.TESTS === 'all';

/** Every n-th of many rows, beginning with the first; all of them in `npm run test:all`. */
export function everyNth<Row>(n: number, rows: readonly Row[]): readonly Row[] {
  return isWhole ? rows : rows.filter((_, index) => index % n === 0);
}

/** The `it` of a test that runs long and only in `npm run test:all`. */
export const itInAll = it.runIf(isWhole);
