import { toLimitParts } from './limit-out-of-range.ts';
import { toWindowParts } from './rate-limit-windows.ts';
import type { Reading } from './reading.ts';
import { toCategoryParts } from './unknown-category.ts';

type Seen = Pick<Reading, 'parts' | 'unsure'>;

/**
 * An answer by parts that can be compared one by one, with one word for one behaviour. That of a
 * reading has only the parts that were seen.
 */
export function toComparable(silence: string, answer: unknown, reading?: Seen): unknown {
  return comparable[silence]?.(answer, reading) ?? answer;
}

const comparable: Readonly<Record<string, (answer: unknown, reading?: Seen) => unknown>> = {
  'limit-out-of-range': (answer, reading) =>
    toLimitParts(answer, reading?.parts && Object.keys(reading.parts)),
  'unknown-category': toCategoryParts,
  'rate-limit-windows': toWindowParts,
};
