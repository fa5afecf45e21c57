import { expect, it, onTestFinished } from 'vitest';
import { createTwin } from '../../../../package/twin.ts';
import { type Got, startPinned, toPins } from '../../../support/pinned-twin.ts';
import { bearer } from '../../../support/twin.ts';

it('gives back what a call used that ends in 4xx, and shows that', async () => {
  const remaining = async (scope: unknown, requests: [path: string, init?: RequestInit][]) => {
    const call = await startPinned({ 'rate-limit-scope': scope });
    const left: number[] = [];
    for (const [path, init = {}] of requests) {
      const { headers } = await call(path, {
        ...init,
        headers: { Authorization: 'Bearer demo-free' },
      });
      left.push(Number(headers.get('X-RateLimit-Remaining')));
    }
    return left;
  };
  const calls: [string, RequestInit?][] = [
    ['/pets'],
    ['/pets/999999'],
    ['/pets?limit=0'],
    ['/pets', { method: 'PUT' }],
    ['/pets', { method: 'HEAD' }],
    ['/pets'],
  ];
  expect(await remaining('every-call', calls)).toEqual([59, 58, 57, 56, 55, 54]);
  expect(await remaining('successes', calls)).toEqual([59, 59, 59, 59, 58, 57]);
  expect(await remaining(['operations', 'successes'], calls)).toEqual([59, 59, 59, 59, 59, 58]);
});

it('shows nothing left beyond a limit that is only observed, whatever is given back', async () => {
  const call = await startPinned(
    { 'rate-limit-scope': 'successes' },
    { plans: { free: { perMinute: 2, perDay: 1000 } }, rateLimits: 'observe' },
  );
  const free = { headers: { Authorization: 'Bearer demo-free' } };
  const left: (string | null)[] = [];
  for (const path of ['/pets', '/pets/999999', '/pets', '/pets/999999', '/pets', '/pets/999999']) {
    const { headers } = await call(path, free);
    left.push(headers.get('X-RateLimit-Remaining'));
  }
  expect(left).toEqual(['1', '1', '0', '0', '0', '0']);
});

it('shows the window and the quota that are pinned', async () => {
  const call = await startPinned({
    'rate-limit-windows': 'day',
    'unauthenticated-quota': { limit: 7, remaining: 5 },
    'rate-limit-scope': 'operations',
  });
  const quota = ({ headers }: Got) =>
    ['limit', 'remaining'].map((name) => headers.get(`x-ratelimit-${name}`));
  const free = { headers: { Authorization: 'Bearer demo-free' } };
  expect(quota(await call('/pets', free))).toEqual(['1000', '999']);
  expect(quota(await call('/pets', { ...free, method: 'HEAD' }))).toEqual(['1000', '999']);
  expect(quota(await call('/nothing', free))).toEqual(['1000', '999']);
  expect(quota(await call('/pets', { headers: { Authorization: '' } }))).toEqual(['7', '5']);
});

it('begins and ends windows as they are pinned, and says when they end', async () => {
  const plans = { free: { perMinute: 2, perDay: 1000 } };
  const windows = { shows: 'minute', seconds: 10, from: 'first-call' };
  const twin = await createTwin({ plans, pins: toPins({ 'rate-limit-windows': windows }) });
  onTestFinished(() => twin.close());
  const begin = Date.parse('2026-01-15T12:00:03Z');
  const at = async (seconds: number) => {
    await twin.clock.freeze(new Date(begin + seconds * 1000).toISOString());
    const { status, headers } = await fetch(`${twin.url}/pets`, { headers: bearer('demo-free') });
    const [remaining, reset] = ['Remaining', 'Reset'].map((name) =>
      Number(headers.get(`X-RateLimit-${name}`)),
    );
    return [status, remaining, (reset ?? 0) - begin / 1000, headers.get('Retry-After')];
  };
  expect(await at(0)).toEqual([200, 1, 10, null]);
  expect(await at(8)).toEqual([200, 0, 10, null]);
  expect(await at(9)).toEqual([429, 0, 10, '1']);
  expect(await at(12)).toEqual([200, 1, 22, null]);
  expect(await at(23)).toEqual([200, 1, 33, null]);
});

it('lets windows follow UTC in the length that is pinned', async () => {
  const call = await startPinned({ 'rate-limit-windows': { seconds: 300, from: 'utc' } });
  const { headers } = await call('/pets', { headers: { Authorization: 'Bearer demo-free' } });
  expect(headers.get('X-RateLimit-Reset')).toBe(String(Date.parse('2026-01-15T12:05:00Z') / 1000));
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

it('gives Retry-After as a date where that is pinned, and else in seconds', async () => {
  const retryAfter = async (form: string) => {
    const plans = { free: { perMinute: 1, perDay: 1 } };
    const call = await startPinned({ 'rate-limit-body': { retryAfter: form } }, { plans });
    const free = { headers: { Authorization: 'Bearer demo-free' } };
    await call('/pets', free);
    const { status, headers } = await call('/pets', free);
    expect(status).toBe(429);
    return { after: headers.get('Retry-After'), reset: headers.get('X-RateLimit-Reset') };
  };
  const { after, reset } = await retryAfter('date');
  expect(after).toBe(new Date(Number(reset) * 1000).toUTCString());
  expect((await retryAfter('seconds')).after).toMatch(/^\d+$/);
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
