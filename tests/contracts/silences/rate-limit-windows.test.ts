import { expect, it } from 'vitest';
import { listCase } from '../../../contracts/cases/list-cases.ts';
import { parseOverlay } from '../../../contracts/description/overlay.ts';
import { applyPins } from '../../../contracts/description/pins.ts';
import { findMoves } from '../../../contracts/judging/moves.ts';
import { readSilence } from '../../../contracts/silences/read-silences.ts';
import { toWords } from '../../../contracts/silences/to-words.ts';
import { answeredTranscript, document, type Given } from '../../support/answered-transcript.ts';
import { toPins } from '../../support/pinned-twin.ts';

const [resource] = document.resources;
const list = resource?.operations.list;
if (!resource || !list) throw new Error('the document has no list');
const one = listCase({ document, resource }, list, {});
/** The transcripts begin with a minute of UTC, and have a call each second. */
const begin = Date.UTC(2026, 10, 22, 12) / 1000;

type Windows = (second: number, key: number) => { reset: number; used: number };

/** What each of two keys shows in turn for some seconds, from a second of the minute on. */
function callsOf(windows: Windows, { from = 0, seconds = 90 } = {}): Given[] {
  return Array.from({ length: from + seconds }, (_, second): Given => {
    const { reset, used } = windows(second, second % 2);
    return {
      case: one,
      status: second < from ? 429 : 200,
      key: `free-${second % 2}`,
      headers: {
        'X-RateLimit-Limit': '60',
        'X-RateLimit-Remaining': String(60 - used),
        'X-RateLimit-Reset': String(begin + reset),
      },
      body: [{ id: 1, name: 'x', categoryId: 1 }],
    };
  });
}

const followUtc =
  (length: number): Windows =>
  (second) => ({
    reset: (Math.floor(second / length) + 1) * length,
    used: Math.ceil(((second % length) + 1) / 2),
  });
/** The same, of keys that nobody used before. */
const justBegun =
  (length: number): Windows =>
  (second, key) => ({ ...followUtc(length)(second, key), used: 1 });
const fromFirstCall =
  (length: number, first: number): Windows =>
  (second, key) => {
    // A window ends between two calls of its key, so the next one begins a second later.
    const since = second - first - key;
    const begun = first + key + Math.max(0, since - (since % (length + (length % 2))));
    return { reset: begun + length, used: Math.floor((second - begun) / 2) + 1 };
  };

function read(windows: Windows, options?: { from?: number; seconds?: number }) {
  return readSilence(answeredTranscript(callsOf(windows, options)), 'rate-limit-windows');
}

it.each([
  ['a minute of UTC', followUtc(60), {}, { seconds: 60, from: 'utc' }],
  ['a minute of UTC that began before', followUtc(60), { from: 25, seconds: 20 }, undefined],
  ['a minute of UTC that others began', justBegun(60), { from: 31, seconds: 3 }, undefined],
  [
    'a minute from the first call',
    fromFirstCall(60, 13),
    { from: 13, seconds: 30 },
    { from: 'first-call' },
  ],
  [
    'many minutes from the first call',
    fromFirstCall(60, 13),
    { from: 13, seconds: 150 },
    { seconds: 60, from: 'first-call' },
  ],
  ['ten seconds of UTC', followUtc(10), {}, { seconds: 10, from: 'utc' }],
  [
    'ten seconds from the first call',
    fromFirstCall(10, 13),
    { from: 13 },
    { seconds: 10, from: 'first-call' },
  ],
  ['two seconds', followUtc(2), {}, { seconds: 2 }],
] satisfies [string, Windows, object, unknown][])(
  'reads windows of %s',
  (_, windows, options, answer) => {
    expect(read(windows, options)?.answer).toEqual(answer);
  },
);

it('takes no rest of a minute for a whole window', () => {
  const calls = callsOf(followUtc(60), { seconds: 92 }).map(
    (one, second): Given => (second === 30 || second === 91 ? one : { ...one, status: 429 }),
  );
  expect(readSilence(answeredTranscript(calls), 'rate-limit-windows')).toMatchObject({
    answer: { from: 'utc' },
  });
});

it('takes a window that ends with the day for the day, in its last hour too', () => {
  const untilMidnight = (before: number): Windows => {
    const midnight = 12 * 3600;
    return (second) => ({ reset: midnight, used: second + 1 - (midnight - before) });
  };
  expect(read(untilMidnight(1800), { from: 12 * 3600 - 1800, seconds: 30 })?.answer).toBe('day');
});

it('says no length of windows of which it saw a few seconds alone', () => {
  expect(read(followUtc(60), { from: 54, seconds: 4 })).toBeUndefined();
});

it('reports windows that have moved, and nothing that was not seen', () => {
  const moves = (pin: unknown, windows: Windows, options = {}) =>
    findMoves(
      {
        ...answeredTranscript(callsOf(windows, options)),
        document: applyPins(document, parseOverlay(toPins({ 'rate-limit-windows': pin }))),
      },
      { findings: [] },
    ).map(({ expected, actual }) => [expected.replace(/ \(.*/, ''), actual]);
  const first = { from: 13, seconds: 30 };
  expect(moves('least-remaining', followUtc(60))).toEqual([]);
  expect(moves('minute', followUtc(60))).toEqual([]);
  expect(moves({ seconds: 60, from: 'first-call' }, fromFirstCall(60, 13), first)).toEqual([]);
  expect(moves('least-remaining', fromFirstCall(60, 13), first)).toMatchObject([
    [expect.stringContaining('it follows UTC'), expect.stringContaining('with the first call')],
  ]);
  expect(moves({ seconds: 10 }, followUtc(60))).toMatchObject([
    [expect.stringContaining('lasts 10 s'), expect.stringContaining('lasts 60 s')],
  ]);
});

it('takes two lengths of a few seconds for the same, as Reset is rounded', () => {
  const words = (seconds: number) => toWords('rate-limit-windows', { seconds });
  expect(words(2)).toBe(words(3));
});

it('says windows in words, each thing on its own', () => {
  expect(toWords('rate-limit-windows', 'least-remaining')).toBe(
    'the headers show the window that has fewer calls left; a window lasts 60 s; it follows UTC',
  );
  expect(toWords('rate-limit-windows', { seconds: 10, from: 'first-call' })).toBe(
    'a window lasts 10 s; it begins with the first call',
  );
});
