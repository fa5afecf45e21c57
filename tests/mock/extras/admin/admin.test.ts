import { expect, it } from 'vitest';
import adminDocument from '../../../../mock/extras/admin/openapi.json' with { type: 'json' };
import { toBanner } from '../../../../mock/process/banner.ts';
import { parseConfig } from '../../../../mock/settings/config.ts';
import { compile } from '../../../../openapi/index.ts';
import { counters } from '../../../support/documents.ts';
import { expectAnswer } from '../../../support/expect-answer.ts';
import { type PlainCall, sendAs } from '../../../support/send-as.ts';
import { bearer, startTwin, type TestTwin } from '../../../support/twin.ts';
import { writeJson } from '../../../support/write-json.ts';

type Settings = Parameters<typeof startTwin>[0];

const adminOperations = compile(adminDocument).operations;

type Call = PlainCall & { path: string };
type Reply = Awaited<ReturnType<typeof sendAs>>;

const send = ({ origin }: TestTwin, call: Call): Promise<Reply> => sendAs(origin, call);

/** A twin, and calls of its admin as a local tool makes them. */
async function startAdmin(settings: Settings = {}) {
  const twin = await startTwin(settings);
  const admin = (path: string, call: Omit<Call, 'path'> = {}) =>
    send(twin, { path: `/__admin/${path}`, ...call });
  const setClock = (change: unknown, headers = {}) =>
    admin('clock', { method: 'PUT', body: JSON.stringify(change), headers });
  const list = async (key = 'demo-free') =>
    (await fetch(`${twin.api}/pets?limit=1`, { headers: bearer(key) })).status;
  return { twin, admin, setClock, list };
}

function expectRefusal(reply: Reply, status: number, code: string): string {
  expect(reply.json).toStrictEqual({ code, message: expect.any(String), status });
  expect(reply.status).toBe(status);
  expect(reply.headers).toMatchObject({ 'content-type': 'application/json' });
  return (reply.json as { message: string }).message;
}

it('says that it is ready', async () => {
  const { admin } = await startAdmin();
  const reply = await admin('health');
  expectAnswer(reply, 200, { status: 'ready' });
  expect(reply.headers).toMatchObject({ 'cache-control': 'no-store' });
  const head = await admin('health', { method: 'HEAD' });
  expect([head.status, head.text]).toEqual([200, '']);
});

it('brings items, counters and clock back to the start', async () => {
  const { twin, admin, setClock, list } = await startAdmin();
  await setClock({ action: 'freeze', instant: '2030-12-05T00:00:00Z' });
  await twin.app.store.remove('pets', '1');
  await list();
  expectAnswer(await admin('reset', { method: 'POST' }), 200, { status: 'reset' });
  expect(await twin.app.store.count('pets')).toBe(120);
  expect((await admin('clock')).json).toMatchObject({ frozen: false });
  expect(Math.abs(twin.app.clock.now() - Date.now())).toBeLessThan(10_000);
  const unused = [{ minute: { used: 0 } }, {}, {}, {}, {}];
  expect((await admin('limits')).json).toMatchObject({ keys: unused });
});

it('freezes the clock, advances it and resets it', async () => {
  const { admin, setClock } = await startAdmin();
  const epoch = Date.UTC(2026, 2, 1, 12);
  const frozenAt = (currentEpochMillis: number) => {
    const currentInstant = new Date(currentEpochMillis).toISOString();
    return { currentInstant, currentEpochMillis, frozen: true };
  };
  const change = async (body: object) => (await setClock(body)).json;
  const noon = frozenAt(epoch);
  expect(await change({ action: 'freeze', instant: '2026-03-01T12:00:00Z' })).toStrictEqual(noon);
  expect((await admin('clock')).json).toStrictEqual(noon);
  expect(await change({ action: 'freeze' })).toStrictEqual(noon);
  const later = await change({ action: 'advance', durationMillis: 1500 });
  expect(later).toStrictEqual(frozenAt(epoch + 1500));
  expect(await change({ action: 'reset' })).toMatchObject({ frozen: false });
  const ahead = await change({ action: 'advance', durationMillis: 86_400_000 });
  expect(ahead).toMatchObject({ frozen: false });
  expect(Math.abs(ahead.currentEpochMillis - 86_400_000 - Date.now())).toBeLessThan(10_000);
});

it('does not move the clock for what it cannot be moved by', async () => {
  const { admin, twin } = await startAdmin();
  twin.app.clock.freeze(Date.UTC(2026, 0, 1));
  for (const body of [
    'null',
    '{"action":"rewind"}',
    '{"action":"freeze","instant":"1969-12-31T23:59:59Z"}',
    '{"action":"freeze","instant":"2030-02-31T00:00:00Z"}',
    '{"action":"advance"}',
    '{"action":"advance","durationMillis":8640000000000000}',
    '{"action":"reset","instant":"2030-01-01T00:00:00Z"}',
  ])
    expectRefusal(await admin('clock', { method: 'PUT', body }), 400, 'invalid_body');
  expect(twin.app.clock.now()).toBe(Date.UTC(2026, 0, 1));
});

it('knows no other path and says which it has', async () => {
  const { admin, twin } = await startAdmin();
  for (const path of ['nothing', 'Clock', 'clock/', 'clock/x', '/'])
    expect(expectRefusal(await admin(path), 404, 'unknown_path')).toContain('/__admin/clock');
  expectRefusal(await send(twin, { path: '/__admins' }), 404, 'unknown_path');
});

it.each(['/__admin', '/sandboxes/worker-1/__admin'])('lists at %s what it can do', async (path) => {
  const { twin } = await startAdmin();
  const { status, json } = await send(twin, { path });
  expect(status).toBe(200);
  const nameOf = (one: { method: string; path: string }) => `${one.method} ${one.path}`;
  const listed: string[] = json.operations.map(nameOf);
  expect(listed.toSorted()).toEqual(adminOperations.map(nameOf).toSorted());
  for (const { summary } of json.operations) expect(summary).not.toBe('');
});

it.each([
  ['requests?limt=5', 'There is no query parameter "limt". Use since, '],
  ['clock?at=2030', 'There is no query parameter "at". This operation has none.'],
])('refuses a misspelt query parameter: %s', async (path, message) => {
  const { admin } = await startAdmin();
  expect(expectRefusal(await admin(path), 400, 'invalid_parameter')).toContain(message);
});

it.each([
  ['reset', 'POST, OPTIONS', 'GET'],
  ['clock', 'GET, HEAD, PUT, OPTIONS', 'POST'],
])('at %s allows %s and refuses %s', async (path, allow, method) => {
  const { admin } = await startAdmin();
  const reply = await admin(path, { method });
  expect(reply.headers).toMatchObject({ allow });
  expectRefusal(reply, 405, 'method_not_allowed');
  expect((await admin(path, { method: 'OPTIONS' })).headers).toMatchObject({ allow });
});

const freeze = '{"action":"freeze","instant":"2030-01-01T00:00:00Z"}';
const actions: Call[] = [
  { path: '/__admin/reset', method: 'POST' },
  { path: '/__admin/clock', method: 'PUT', body: freeze },
  ...['clock', 'limits', 'nothing', 'sandboxes/%zz'].map((path) => ({ path: `/__admin/${path}` })),
];

it.each([
  { Origin: 'http://evil.example' },
  { Origin: 'null' },
  { 'Sec-Fetch-Site': 'cross-site' },
])('refuses a page of another origin (%o)', async (headers) => {
  const { twin } = await startAdmin();
  for (const action of actions) {
    const reply = await send(twin, { ...action, headers });
    expectRefusal(reply, 403, 'admin_forbidden');
    expect(reply.headers).not.toHaveProperty('access-control-allow-origin');
  }
  expect(twin.app.clock.frozen).toBe(false);
});

it('serves a page of its own origin, and what a person types', async () => {
  const { twin } = await startAdmin();
  for (const headers of [
    { Origin: twin.origin },
    { 'Sec-Fetch-Site': 'same-origin' },
    { 'Sec-Fetch-Site': 'none' },
  ])
    for (const action of actions.slice(0, 4))
      expect((await send(twin, { ...action, headers })).status).toBe(200);
});

it('lets no other origin read a response of the admin', async () => {
  const { twin } = await startAdmin();
  const large = `{"x":"${'x'.repeat(2_000_000)}"}`;
  const calls: Call[] = [
    ...actions,
    ...actions.map(({ path }) => ({ path, method: 'OPTIONS' })),
    { path: '/__admin/health' },
    { path: '/__admin/clock', method: 'PUT', body: large },
    { path: '/__admin/clock', method: 'PUT', body: 'x', headers: { 'Content-Encoding': 'gzip' } },
    { path: '/__admin/clock', method: 'PUT', body: 'x', headers: { 'Content-Encoding': 'x' } },
  ];
  const statuses: unknown[] = [];
  for (const call of calls) {
    const { status, headers } = await send(twin, call);
    statuses.push(status);
    const shown = Object.keys(headers);
    expect(shown.filter((name) => /^(access-control|x-ratelimit)/.test(name))).toEqual([]);
  }
  expect(statuses.slice(-3)).toEqual([413, 400, 415]);
});

it('refuses other hosts on every route', async () => {
  const host = 'localhost.evil.example';
  const { twin } = await startAdmin();
  const calls: Call[] = [...actions, { path: '/__admin/health' }];
  for (const path of ['/', '/v1/pets', '/v1/nowhere'])
    calls.push({ path, headers: bearer('demo-free') }, { path, method: 'OPTIONS' });
  for (const { headers, ...call } of calls) {
    const reply = await send(twin, { ...call, headers: { ...headers, Host: host } });
    expectRefusal(reply, 403, 'host_not_allowed');
  }
  expect(twin.app.clock.frozen).toBe(false);
});

it('answers to the allowed hosts, or to any', async () => {
  const named = await startAdmin({ allowedHosts: ['Twin.Example'] });
  expect((await named.admin('clock', { headers: { Host: 'twin.example:99' } })).status).toBe(200);
  expect((await named.admin('clock', { headers: { Host: 'x.twin.example' } })).status).toBe(403);
  const any = await startAdmin({ allowedHosts: ['*'] });
  expect((await any.admin('clock', { headers: { Host: 'evil.example' } })).status).toBe(200);
});

it('needs its token where it has one, but for the health', async () => {
  const { twin, admin } = await startAdmin({ adminToken: 's3cret' });
  const keys = ['s3cre', 's3cret2', 'demo-free'].map(bearer);
  const wrong: Record<string, string>[] = [{}, ...keys, { Authorization: 's3cret' }];
  for (const headers of wrong)
    for (const action of actions) {
      const reply = await send(twin, { ...action, headers });
      expect(expectRefusal(reply, 401, 'invalid_api_key')).toContain('needs its token');
      expect(reply.headers).toMatchObject({ 'www-authenticate': 'Bearer realm="admin"' });
    }
  expect(twin.app.clock.frozen).toBe(false);
  for (const action of actions.slice(0, 4))
    expect((await send(twin, { ...action, headers: bearer('s3cret') })).status).toBe(200);
  const headers = { ...bearer('s3cret'), Origin: 'http://evil.example' };
  expectAnswer(await send(twin, { ...(actions[0] as Call), headers }), 403);
  expect((await admin('health')).status).toBe(200);
  for (const { method, path, id } of adminOperations.filter((one) => one.id !== 'getHealth')) {
    const call = { method, path: path.replaceAll(/[{}]/g, '') };
    expect([id, (await send(twin, call)).status]).toEqual([id, 401]);
    const foreign = { ...call, headers: { ...bearer('s3cret'), 'Sec-Fetch-Site': 'cross-site' } };
    expect([id, (await send(twin, foreign)).status]).toEqual([id, 403]);
  }
});

it('is off beyond loopback without a token, but for the health', async () => {
  const { twin } = await startAdmin({ host: '0.0.0.0' });
  const local = { ...twin, origin: twin.origin.replace('0.0.0.0', '127.0.0.1') };
  for (const action of actions)
    expect(expectRefusal(await send(local, action), 403, 'admin_forbidden')).toBe(
      'The admin is off because the mock listens beyond loopback. Start it with --admin-token TOKEN.',
    );
  expect((await send(local, { path: '/__admin/health' })).json).toEqual({ status: 'ready' });
  expect(twin.app.clock.frozen).toBe(false);
});

it('says in the banner where it is, or that it is off and why', async () => {
  const bannerOf = async (...args: string[]) => {
    const { config } = parseConfig([...args, '--port', '0'], {});
    if (!config) throw new Error('no configuration');
    const { twin } = await startAdmin(config);
    return { banner: await toBanner(twin, config), port: new URL(twin.origin).port };
  };
  const local = await bannerOf();
  expect(local.banner).toContain(`http://127.0.0.1:${local.port}/__admin`);
  const off = await bannerOf('--host', '0.0.0.0');
  expect(off.banner).toContain('off; set --admin-token to use it beyond loopback');
  expect(off.banner).not.toContain('/__admin');
  const on = await bannerOf('--host', '0.0.0.0', '--admin-token', 's3cret');
  expect(on.banner).toContain(`http://127.0.0.1:${on.port}/__admin`);
  expect(on.banner).not.toContain('s3cret');
});

it('asks for no API key where the API has no base path', async () => {
  const { servers: _, ...document } = counters as object & { servers?: unknown };
  const spec = await writeJson(document);
  const { twin, admin } = await startAdmin({ spec, rateLimits: 'observe' });
  expectAnswer(await fetch(`${twin.origin}/counters`, { headers: bearer('demo-free') }), 200);
  expect((await admin('health')).status).toBe(200);
  const used = [{ minute: { used: 1 } }, {}, {}, {}, {}];
  expect((await admin('limits')).json).toMatchObject({ keys: used });
  expect((await admin('clock', { headers: bearer('demo-free') })).status).toBe(200);
});
