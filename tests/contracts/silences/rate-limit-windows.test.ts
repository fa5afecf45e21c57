import { expect, it } from 'vitest';
import { listCase } from '../../../contracts/cases/list-cases.ts';
import { readSilence } from '../../../contracts/silences/read-silences.ts';
import { toWords } from '../../../contracts/silences/to-words.ts';
import { answeredTranscript, document, type Reply } from '../../support/answered-transcript.ts';

const [resource] = document.resources;
const list = resource?.operations.list;
if (!resource || !list) throw new Error('the document has no list');
const one = listCase(list, {});
/** The transcripts begin with an hour of UTC, and have a call each second. */
const begin = Date.UTC(2026, 10, 22, 12) / 1000;

/**
 * Returns what is read of calls, each of which shows a limit and an end of its window, in seconds.
 */
function read(...shown: [limit: number, reset: number][]) {
  const given = shown.map(
    ([limit, reset]): Reply => ({
      case: one,
      status: 200,
      headers: {
        'X-RateLimit-Limit': String(limit),
        'X-RateLimit-Remaining': '9',
        'X-RateLimit-Reset': String(begin + reset),
      },
      body: [{ id: 1, name: 'x', categoryId: 1 }],
    }),
  );
  const reading = readSilence(answeredTranscript(given), 'rate-limit-windows');
  return reading && [reading.answer, toWords('rate-limit-windows', reading.answer)];
}

it('reads which window the headers show', () => {
  const [minute, day] = [60, 12 * 3600];
  expect(read([1000, day], [1000, day])).toEqual(['day', 'the headers show the day']);
  expect(read([60, minute], [1000, day])).toEqual([
    'least-remaining',
    'the headers show the window that has fewer calls left',
  ]);
  // Both may be shown, as the day may have more calls left.
  expect(read([60, minute], [60, minute])).toBeUndefined();
});
