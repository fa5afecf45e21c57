import { expect, it } from 'vitest';
import type { Calibration } from '../../../contracts/calibrate/calibrate.ts';
import type { FoundPin } from '../../../contracts/calibrate/to-pins.ts';
import { toText } from '../../../contracts/calibrate/to-text.ts';
import { createPaint } from '../../../contracts/report/terminal/paint.ts';

function textOf(pin: Partial<FoundPin>, isTTY = true): string {
  const pins: FoundPin[] = [
    {
      silence: 'error-codes',
      answer: {},
      words: 'not_found: not_found; '.repeat(20),
      evidence: [],
      times: 123,
      confidence: 'high',
      ...pin,
    },
  ];
  const calibration: Calibration = {
    target: 'http://127.0.0.1:1/v1',
    at: '2026-11-22T12:00:00Z',
    requests: 500,
    pins,
    unpinned: [],
    unasked: [],
    drift: [],
  };
  return toText(calibration, { out: 'pins.yaml', paint: createPaint({ isTTY }) });
}

it.each([true, false])('always shows how often and how sure, on a terminal: %s', (isTTY) => {
  const text = textOf({}, isTTY);
  expect(text.replaceAll(/\s+/g, ' ')).toContain('... (123 times, high)');
  const longest = Math.max(...text.split('\n').map(({ length }) => length));
  expect(longest <= 80).toBe(isTTY);
});

it('names the parts that were seen least', () => {
  const parts = {
    path: { times: 3, confidence: 'high' },
    method: { times: 1, confidence: 'low' },
  } as const;
  expect(textOf({ words: '405, Error', times: 4, confidence: 'low', parts })).toMatch(
    /^ {2}error-codes {2}405, Error \(4 times, low: method 1 time\)$/m,
  );
});

it('says what the twin has no setting for', () => {
  const text = textOf({ beyondTwin: 'a window lasts about 5 s' }, false);
  expect(text).toMatch(/^ +not pinned: a window lasts about 5 s$/m);
});
