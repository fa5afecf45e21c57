import { expect, it, onTestFinished } from 'vitest';
import { parseInstant } from '../../mock/clock.ts';

it.each([
  ['2030-12-05T00:00:00Z', Date.UTC(2030, 11, 5)],
  ['2030-12-05t00:00:00.250z', Date.UTC(2030, 11, 5) + 250],
  ['2030-12-05T02:00:00+02:00', Date.UTC(2030, 11, 5)],
  ['2030-12-05T00:00-0530', Date.UTC(2030, 11, 5, 5, 30)],
  ['2030-12-05', Date.UTC(2030, 11, 5)],
  ['2030-12-05 01:00', Date.UTC(2030, 11, 5, 1)],
  ['+012030-12-05T00:00:00Z', Date.UTC(12030, 11, 5)],
])('reads %s', (text, instant) => {
  expect(parseInstant(text)).toBe(instant);
});

it.each([
  '',
  '1',
  'soon',
  '5 December 2030',
  '2030-02-31T00:00:00Z',
  '2030-12-05T25:00:00Z',
  '2030-12-05T00:00:00 GMT',
  '2030-12-05T',
])('does not read %j, which is not ISO 8601', (text) => {
  expect(parseInstant(text)).toBeNaN();
});

it('reads a time without a zone in UTC, wherever it runs', () => {
  const { TZ } = process.env;
  onTestFinished(() => {
    if (TZ === undefined) delete process.env.TZ;
    else process.env.TZ = TZ;
  });
  process.env.TZ = 'America/New_York';
  expect(new Date(0).getTimezoneOffset()).not.toBe(0);
  expect(parseInstant('2030-12-05T00:00:00')).toBe(Date.UTC(2030, 11, 5));
});
