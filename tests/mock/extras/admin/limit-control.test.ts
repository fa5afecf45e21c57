import { expect, it } from 'vitest';
import { adminOf } from '../../../support/admin-requests.ts';
import { expectAnswer, expectError } from '../../../support/expect-answer.ts';
import { bearer, shareTwin, startTwin, type TestTwin } from '../../../support/twin.ts';
import { writeJson } from '../../../support/write-json.ts';

const noon = Date.UTC(2026, 0, 15, 12, 0, 20);
const none = { strikes: 0, ban: null };
const untouched = { ...none, plan: 'free', minute: { limit: 60, used: 0 }, day: { used: 0 } };

const shared = await shareTwin();

/**
 * A twin whose clock stands at noon: one of its own, or the shared one brought back to its start.
 */
async function startAtNoon(options?: Parameters<typeof startTwin>[0]) {
  const twin = options ? await startTwin(options) : shared;
  await twin.app.reset();
  twin.app.clock.freeze(noon);
  return {
    twin,
    view: (name = 'demo-free', prefix = '') => limits(twin, name, undefined, prefix),
    change: (body: unknown, name = 'demo-free', prefix = '') => limits(twin, name, body, prefix),
    list: (key = 'demo-free') => fetch(`${twin.api}/pets?limit=1`, { headers: bearer(key) }),
  };
}

const limits = (twin: TestTwin, name: string, body: unknown, prefix: string) => {
  const method = body === undefined ? 'GET' : 'POST';
  return adminOf(twin, prefix).send(method, `limits/${encodeURIComponent(name)}`, body);
};

async function outcome(response: Response): Promise<unknown[]> {
  const { headers, status } = response;
  const { code } = (await response.json()) as { code?: string };
  const names = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'Retry-After'];
  return [status, code, ...names.map((name) => headers.get(name))];
}

it('shows one key', async () => {
  const { view, list } = await startAtNoon();
  await list();
  expectAnswer(await view(), 200, {
    ...untouched,
    name: 'demo-free',
    minute: { used: 1, remaining: 59 },
    day: { used: 1, remaining: 999 },
  });
});

it('shows the plans that a key can be given, those of the sandbox', async () => {
  const { twin } = await startAtNoon();
  const plansOf = async (prefix = '') => (await adminOf(twin, prefix).ask('limits')).plans;
  const free = { perMinute: 5, perDay: 10 };
  await adminOf(twin).send('PUT', 'sandboxes/small', { plans: { free } });
  const business = { perMinute: 1000, perDay: 100_000 };
  expect(await plansOf()).toMatchObject({ free: { perMinute: 60, perDay: 1000 }, business });
  expect(await plansOf('/sandboxes/small')).toEqual({ ...(await plansOf()), free });
});

it('puts a key on a plan, until a reset', async () => {
  const { twin, change, view, list } = await startAtNoon();
  await list();
  expectAnswer(await change({ plan: 'pro' }), 200, {
    plan: 'pro',
    minute: { limit: 300, used: 1 },
  });
  expect(await outcome(await list())).toEqual([200, undefined, '300', '298', null]);
  const free = { plan: 'free', minute: { limit: 60, used: 2 } };
  expectAnswer(await change({ plan: 'free' }), 200, free);
  await change({ plan: 'business' });
  await twin.app.reset();
  expect((await view()).json).toMatchObject(untouched);
  twin.app.clock.freeze(noon);
  expect(await outcome(await list())).toEqual([200, undefined, '60', '59', null]);
});

it('uses up the minute or the day', async () => {
  const { twin, change, list } = await startAtNoon();
  await list();
  const usedUp = { minute: { used: 60, remaining: 0 }, day: { used: 1 } };
  expect((await change({ exhaust: 'minute' })).json).toMatchObject(usedUp);
  expect(await outcome(await list())).toEqual([429, 'rate_limit_exceeded', '60', '0', '40']);
  twin.app.clock.advance(40_000);
  expect((await list()).status).toBe(200);
  await change({ exhaust: true });
  expect(await outcome(await list())).toEqual([429, 'rate_limit_exceeded', '60', '0', '60']);
  await change({ exhaust: 'day' });
  const left = `${(Date.UTC(2026, 0, 16) - noon - 40_000) / 1000}`;
  expect(await outcome(await list())).toEqual([429, 'rate_limit_exceeded', '1000', '0', left]);
  expect((await list('demo-free-2')).status).toBe(200);
});

it('bans for seconds, or for as long as a first ban lasts', async () => {
  const { twin, change, list } = await startAtNoon();
  const ban = { until: noon / 1000 + 90, seconds: 90 };
  expect((await change({ ban: 90 })).json).toMatchObject({ ban });
  expect(await outcome(await list())).toEqual([429, 'key_banned', '60', '0', '90']);
  twin.app.clock.advance(90_000);
  expect((await list()).status).toBe(200);
  expect((await change({ ban: true })).json).toMatchObject({ ban: { seconds: 300 } });
  expect((await list()).status).toBe(429);
});

it('lifts a ban, strikes and what is used up; the plan stays', async () => {
  const { change, list, view } = await startAtNoon();
  await change({ plan: 'pro', exhaust: 'day' });
  for (let calls = 0; calls < 3; calls++) await list();
  expect((await view()).json).toMatchObject({ strikes: 3 });
  await change({ ban: true });
  const lifted = { ...none, plan: 'pro', minute: { used: 0 }, day: { used: 0 } };
  expect((await change({ lift: true })).json).toMatchObject(lifted);
  expect(await outcome(await list())).toEqual([200, undefined, '300', '299', null]);
});

it('makes several changes in one order, whatever the order in the body', async () => {
  const { change, list } = await startAtNoon();
  await list();
  const all = { ban: 10, exhaust: 'minute', lift: true, plan: 'pro' };
  const changed = { plan: 'pro', minute: { used: 300 }, day: { used: 0 }, ban: { seconds: 10 } };
  expect((await change(all)).json).toMatchObject(changed);
});

it('counts and shows in the mode observe, and refuses to ban', async () => {
  const { change, view, list } = await startAtNoon({ rateLimits: 'observe' });
  await change({ exhaust: 'minute' });
  expect(await outcome(await list())).toEqual([200, undefined, '60', '0', null]);
  const message = 'not enforced (observe). Start the mock with --rate-limits enforce.';
  const refused = await change({ plan: 'pro', ban: true });
  expectError(refused, 409, 'limits_not_enforced', message);
  expect((await view()).json).toMatchObject({ plan: 'free', ban: null });
});

it('sets a plan where limits are off, and refuses what would be nothing', async () => {
  const { change, list } = await startAtNoon({ rateLimits: 'off' });
  expectAnswer(await change({ exhaust: 'day' }), 409, { code: 'limits_not_enforced' });
  expectAnswer(await change({ ban: 5 }), 409, { code: 'limits_not_enforced' });
  expectAnswer(await change({ plan: 'pro', lift: true }), 200);
  expect(await outcome(await list())).toEqual([200, undefined, '300', '300', null]);
});

it('bans no key if the plans have no bans', async () => {
  const { change } = await startAtNoon({ plans: await writeJson({ ban: false }) });
  const message = expect.stringMatching(/^The plans switch bans off/);
  expectAnswer(await change({ ban: true }), 409, { message });
});

it('knows keys by their names alone, and says which there are', async () => {
  const { view, change } = await startAtNoon();
  const known = 'demo-free, demo-free-2, demo-pro, demo-business, demo-enterprise';
  for (const answer of [await view('nobody'), await change({ lift: true }, 'nobody')])
    expectError(answer, 404, 'not_found', `There is no key "nobody". Keys are ${known}.`);
  expect((await view('__proto__')).status).toBe(404);
});

it.each<[change: unknown, problem: string]>([
  [{}, 'It must have at least 1 of plan, lift, exhaust, ban.'],
  [[], 'It must be an object, but is an array.'],
  [{ unban: true }, '"unban" is unknown. Known are plan, lift, exhaust, ban.'],
  [{ plan: 'gold' }, 'There is no plan "gold". Plans are free, pro, business, enterprise.'],
  [{ exhaust: 'hour' }, '"exhaust" must be one of "minute", "day", true, but is "hour".'],
  [{ ban: 0 }, '"ban" must be at least 1, but is 0.'],
  [{ ban: 1.5 }, '"ban" must be an integer or a boolean, but is 1.5.'],
  [{ ban: false }, '"ban" must be true or seconds. Send {"lift":true} to end one.'],
  [{ lift: true, plan: 'gold' }, 'There is no plan "gold".'],
])('refuses the change %o, and makes none', async (body, problem) => {
  const { change, view, list } = await startAtNoon();
  await list();
  expectError(await change(body), 400, 'invalid_body', problem);
  const used = { minute: { used: 1 }, day: { used: 1 } };
  expect((await view()).json).toMatchObject({ ...untouched, ...used });
});
