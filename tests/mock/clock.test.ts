import { expect, it, onTestFinished } from 'vitest';
import { type Duration, parseDuration, parseInstant } from '../../mock/clock.ts';

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

it.each<[Duration, number]>([
  [0, 0],
  [1500, 1500],
  [{ days: 1 }, 86_400_000],
  [{ hours: 1, minutes: 2, seconds: 3, milliseconds: 4 }, 3_723_004],
  [{ days: 1, hours: -12 }, 43_200_000],
])('takes %j for a duration', (duration, milliseconds) => {
  expect(parseDuration(duration)).toBe(milliseconds);
});

it.each([Number.NaN, -1, {}, { weeks: 1 }, { days: '1' }, { days: -1 }, null, '1 d'])(
  'refuses %j as a duration',
  (duration) => {
    expect(() => parseDuration(duration as Duration)).toThrow(
      /^A duration is a number of milliseconds, or an object of days, hours, .*, but is /,
    );
  },
);
