import { expect, it } from 'vitest';
import { type Got, startPinned } from '../../../support/pinned-twin.ts';

it('shows the window and the quota that are pinned', async () => {
  const call = await startPinned({
    'rate-limit-windows': 'day',
    'unauthenticated-quota': { limit: 7, remaining: 5 },
  });
  const quota = ({ headers }: Got) =>
    ['limit', 'remaining'].map((name) => headers.get(`x-ratelimit-${name}`));
  const free = { headers: { Authorization: 'Bearer demo-free' } };
  expect(quota(await call('/pets', free))).toEqual(['1000', '999']);
  expect(quota(await call('/pets', { headers: { Authorization: '' } }))).toEqual(['7', '5']);
});

it('answers a 429 in the form that is pinned, with Retry-After', async () => {
  const plans = { free: { perMinute: 1, perDay: 1000 } };
  const call = await startPinned(
    { 'rate-limit-body': { text: 'Slow down', mediaType: 'text/plain' } },
    { plans },
  );
  const free = { headers: { Authorization: 'Bearer demo-free' } };
  await call('/pets', free);
  const refused = await call('/pets', free);
  expect(refused).toMatchObject({ status: 429, body: 'Slow down' });
  expect(refused.headers.get('Content-Type')).toBe('text/plain');
  expect(refused.headers.has('Retry-After')).toBe(true);
});

it('bans keys when it is pinned, or never', async () => {
  const codesOf = async (ban: unknown) => {
    const plans = { free: { perMinute: 1, perDay: 1 } };
    const call = await startPinned({ ban }, { plans });
    const free = { headers: { Authorization: 'Bearer demo-free' } };
    const codes: unknown[] = [];
    for (let turn = 1; turn <= 12; turn++)
      codes.push(((await call('/pets', free)).body as { code?: string }).code);
    return [codes.indexOf('key_banned'), new Set(codes.slice(1)).size];
  };
  const policy = { strikes: 2, withinSeconds: 3600, seconds: 60, maxSeconds: 60 };
  expect(await codesOf(policy)).toEqual([2, 2]);
  expect(await codesOf('none')).toEqual([-1, 1]);
});
