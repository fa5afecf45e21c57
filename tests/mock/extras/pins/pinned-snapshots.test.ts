import { expect, it, onTestFinished } from 'vitest';
import { createTwin } from '../../../../package/twin.ts';
import { toPins } from '../../../support/pinned-twin.ts';
import { bearer } from '../../../support/twin.ts';

it.each([
  { seconds: 10, from: 'first-call' },
  { seconds: 300, from: 'utc' },
  { seconds: 7, from: 'utc' },
])('exports and imports what keys used of windows of %o', async (windows) => {
  const plans = { free: { perMinute: 5, perDay: 1000 } };
  const twin = await createTwin({ plans, pins: toPins({ 'rate-limit-windows': windows }) });
  onTestFinished(() => twin.close());
  const remaining = async () => {
    const response = await fetch(`${twin.url}/pets`, { headers: bearer('demo-free') });
    return Number(response.headers.get('X-RateLimit-Remaining'));
  };
  await twin.clock.freeze('2026-01-15T12:00:03.500Z');
  expect([await remaining(), await remaining()]).toEqual([4, 3]);
  const text = await (await twin.snapshot()).export();
  const [free] = (JSON.parse(text) as { keys: { minutes: { from: string }[] }[] }).keys;
  expect(free?.minutes[0]?.from).toMatch(/^2026-01-15T1[12]:/);
  await twin.reset();
  await (await twin.snapshot(text)).restore();
  expect(await remaining()).toBe(2);
});
