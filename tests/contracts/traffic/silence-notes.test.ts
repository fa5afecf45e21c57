import { expect, it } from 'vitest';
import type { RecordedExchange } from '../../../contracts/traffic/recorded-exchange.ts';
import { judgeTraffic } from '../../support/traffic.ts';

const baseUrl = 'http://shop.test/v1';
const minute = Date.UTC(2030, 0, 1, 12);

/** A list with the headers of a window that ends with the next minute, so many seconds after noon. */
function listAt(second: number, remaining: number, limit = 60): RecordedExchange {
  const sentAt = minute + second * 1000;
  const reset = Math.floor(sentAt / 60_000) * 60 + 60;
  return {
    request: {
      method: 'GET',
      url: `${baseUrl}/pets?limit=1`,
      headers: [['Authorization', 'Bearer a-key-of-somebody']],
    },
    response: {
      status: 200,
      headers: [
        ['Content-Type', 'application/json'],
        ['X-RateLimit-Limit', String(limit)],
        ['X-RateLimit-Remaining', String(remaining)],
        ['X-RateLimit-Reset', String(reset)],
      ],
      body: { bytes: Buffer.from('[{"id":1,"name":"Rex","categoryId":1}]') },
    },
    sentAt,
    endedAt: sentAt + 5,
  };
}

async function windowsSeenIn(recorded: readonly RecordedExchange[]): Promise<string | undefined> {
  const { silences } = await judgeTraffic(recorded, { baseUrl });
  return silences.find(({ id }) => id === 'rate-limit-windows')?.observed.target;
}

it('says nothing of windows of which one was seen in part', async () => {
  expect(await windowsSeenIn([listAt(33, 59), listAt(34, 58)])).toBe('not observed');
});

it('says of windows what several of them show, and no more', async () => {
  expect(await windowsSeenIn([listAt(33, 59), listAt(65, 59), listAt(150, 59)])).toBe(
    'it follows UTC',
  );
  const one = [listAt(59, 59), listAt(60.2, 59), listAt(119.5, 58), listAt(120.2, 59)];
  expect(await windowsSeenIn(one)).toBe('a window lasts 60 s; it follows UTC');
});

it('takes a Reset in years, or in the past, for no end of a window', async () => {
  const far = [listAt(1, 59), listAt(2, 58)].map(({ ...one }) => ({
    ...one,
    sentAt: 0,
    endedAt: 5,
  }));
  expect(await windowsSeenIn(far)).toBe('not observed');
  const past = far.map((one) => ({ ...one, sentAt: minute * 2, endedAt: minute * 2 + 5 }));
  expect(await windowsSeenIn(past)).toBe('not observed');
});
