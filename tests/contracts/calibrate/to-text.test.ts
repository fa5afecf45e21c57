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
