import { expect, it } from 'vitest';
import { createTwin } from '../../../../package/twin.ts';
import { expectError } from '../../../support/expect-answer.ts';
import { type PlainCall, sendAs } from '../../../support/send-as.ts';
import { startTwin, type TestTwin } from '../../../support/twin.ts';

const panel = 'http://localhost:6006';
const adminOrigins = [panel, 'chrome-extension://abc'];

/** Sends what a browser would send for a page. */
const send = ({ origin }: Pick<TestTwin, 'origin'>, call: PlainCall) =>
  sendAs(origin, { path: '/__admin/limits', ...call });

const corsOf = (headers: Record<string, unknown>) =>
  Object.keys(headers)
    .filter((name) => name.startsWith('access-control'))
    .toSorted();

const fromPanel = { Origin: panel, 'Sec-Fetch-Site': 'same-site' };

it('answers the preflight of a page that is allowed, for each path and method', async () => {
  const twin = await startTwin({ adminOrigins });
  const headers = {
    ...{ ...fromPanel, 'Access-Control-Request-Method': 'PUT' },
    'Access-Control-Request-Headers': 'authorization,x-trace',
  };
  const admin = ['limits', 'faults/x', 'nothing'].map((path) => `/__admin/${path}`);
  for (const path of [...admin, '/sandboxes/a/__admin/clock']) {
    const answer = await send(twin, { path, method: 'OPTIONS', headers });
    expect(answer).toMatchObject({ status: 204, text: '' });
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': panel,
      'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
      'access-control-allow-headers': 'authorization,x-trace',
      vary: 'Origin, Access-Control-Request-Headers',
    });
    expect(answer.headers).not.toHaveProperty('access-control-allow-credentials');
  }
});

it('lets an allowed page do what a local tool may, and read each response', async () => {
  const twin = await startTwin({ adminOrigins });
  const calls: [PlainCall, number][] = [
    [{ path: '/__admin/health' }, 200],
    [{}, 200],
    [{ path: '/__admin/faults', method: 'POST', body: '{"status":503}' }, 201],
    [{ path: '/__admin/faults', method: 'POST', body: '{"status":1}' }, 400],
    [{ path: '/sandboxes/a/__admin/reset', method: 'POST' }, 200],
    [{ path: '/__admin/requests' }, 200],
    [{ path: '/__admin/requests.har' }, 200],
    [{ path: '/__admin/nothing' }, 404],
    [{ path: '/__admin/limits', method: 'PATCH' }, 405],
    [{ path: '/__admin/faults', method: 'DELETE' }, 204],
  ];
  for (const [call, expected] of calls) {
    const { status, headers } = await send(twin, { ...call, headers: fromPanel });
    expect([call.path, status]).toEqual([call.path, expected]);
    expect(headers).toMatchObject({
      'access-control-allow-origin': panel,
      'access-control-expose-headers': 'Allow, Location, Retry-After, WWW-Authenticate',
      vary: 'Origin',
      'cache-control': 'no-store',
    });
  }
  expect((await send(twin, { headers: { Origin: 'chrome-extension://abc' } })).status).toBe(200);
});

it('refuses a page of another origin, which reads nothing', async () => {
  const twin = await startTwin({ adminOrigins });
  const ports = ['http://localhost:6007', 'http://localhost', 'https://localhost:6006'];
  const hosts = ['http://localhost:6006.evil.test', 'http://evil.test', 'HTTP://LOCALHOST:6006'];
  for (const Origin of [...ports, ...hosts, `${panel}/`, `${panel}, ${panel}`, 'null', '*']) {
    const answer = await send(twin, { headers: { Origin } });
    expectError(answer, 403, 'admin_forbidden', '--admin-origins');
    expect([Origin, answer.headers.vary]).toEqual([Origin, 'Origin']);
    const asked = { Origin, 'Access-Control-Request-Method': 'POST' };
    const preflight = await send(twin, { method: 'OPTIONS', headers: asked });
    expect([corsOf(answer.headers), corsOf(preflight.headers)]).toEqual([[], []]);
  }
});

it('refuses a page that sends no Origin, whatever pages are allowed', async () => {
  const twin = await startTwin({ adminOrigins });
  expect((await send(twin, { headers: { 'Sec-Fetch-Site': 'cross-site' } })).status).toBe(403);
});

it('requires the token of such a page too, and lets it read the refusal', async () => {
  const twin = await startTwin({ adminOrigins, adminToken: 's3cret' });
  const refused = await send(twin, { headers: fromPanel });
  expect([refused.status, refused.headers['access-control-allow-origin']]).toEqual([401, panel]);
  const headers = { ...fromPanel, Authorization: 'Bearer s3cret' };
  expect((await send(twin, { headers })).status).toBe(200);
  const elsewhere = { Origin: 'http://evil.test', Authorization: 'Bearer s3cret' };
  expect((await send(twin, { headers: elsewhere })).status).toBe(403);
});

it('is off for such a page too beyond loopback without a token', async () => {
  const twin = await startTwin({ adminOrigins, host: '0.0.0.0' });
  const local = { origin: twin.origin.replace('0.0.0.0', '127.0.0.1') };
  expect((await send(local, { headers: fromPanel })).status).toBe(403);
});

it('says nothing of origins where none is allowed', async () => {
  const { status, headers } = await send(await startTwin(), { headers: { Origin: panel } });
  expect([status, corsOf(headers), headers.vary]).toEqual([403, [], undefined]);
});

it('is a setting of a twin that a test starts', async () => {
  await using twin = await createTwin({ adminOrigins: [panel] });
  expect((await send(twin, { headers: fromPanel })).status).toBe(200);
  const problem = 'adminOrigins must be origins such as http://localhost:6006';
  for (const origin of ['*', 7 as unknown as string])
    await expect(createTwin({ adminOrigins: [origin] })).rejects.toThrow(problem);
});
