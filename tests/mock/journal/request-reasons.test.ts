import { setTimeout as wait } from 'node:timers/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it } from 'vitest';
import description from '../../../mock/extras/admin/openapi.json' with { type: 'json' };
import type { Entry } from '../../../mock/journal/entry.ts';
import { compile } from '../../../openapi/index.ts';
import { adminOf as callsOf } from '../../support/admin-requests.ts';
import { openRaw, sendRaw } from '../../support/raw-socket.ts';
import { standalone } from '../../support/standalone.ts';
import { bearer, shareTwin, startTwin } from '../../support/twin.ts';

const ajv = new Ajv2020({ strict: false, validateSchema: false, validateFormats: false });
const validate = ajv.compile(
  standalone(compile(structuredClone(description)), { $ref: '#/components/schemas/Request' }),
);

/** Calls of the admin of a twin; each entry that they give has to be as the admin describes it. */
function adminOf(twin: Parameters<typeof callsOf>[0]) {
  const calls = callsOf(twin);
  const described = (entry: Entry) => {
    validate(entry);
    expect(validate.errors ?? []).toEqual([]);
    return entry;
  };
  return {
    ...calls,
    list: async (query?: string) => (await calls.list(query)).map(described),
    latest: async () => described(await calls.latest()),
  };
}

const json = { 'Content-Type': 'application/json' };

const pets = '/v1/pets';
const key = bearer('demo-free');

type Call = [
  path: string,
  init: RequestInit,
  reason: Record<string, unknown>,
  more?: Partial<Entry>,
];
const reasons: Record<string, Call> = {
  'a Host that is not allowed': [
    pets,
    { headers: { ...key, Host: 'evil.example' } },
    { step: 'guard', error: 'host_not_allowed' },
  ],
  'a wrong sandbox': [
    pets,
    { headers: { 'X-Sandbox': '-' } },
    { step: 'sandbox', error: 'invalid_sandbox' },
    { unmatched: true },
  ],
  'a preflight': [
    pets,
    { method: 'OPTIONS' },
    { step: 'options' },
    { unmatched: false, operation: null, status: 204 },
  ],
  'an unknown path': [
    '/v1/cats',
    { headers: key },
    { step: 'routing', error: 'unknown_path' },
    { unmatched: true, key: 'demo-free' },
  ],
  'another root': [
    '/',
    {},
    { step: 'routing', error: 'unknown_path' },
    { unmatched: true, key: null },
  ],
  'an unknown method': [
    pets,
    { method: 'DELETE', headers: key },
    { step: 'routing', error: 'method_not_allowed' },
    { unmatched: true },
  ],
  'no key': [
    pets,
    {},
    { step: 'credentials', problem: 'missing', error: 'missing_api_key' },
    { operation: 'listPets', key: null },
  ],
  'an unknown key': [
    pets,
    { headers: bearer('x') },
    { step: 'credentials', problem: 'unknown', error: 'invalid_api_key' },
  ],
  'another scheme': [
    pets,
    { headers: { Authorization: 'Basic eDp5' } },
    { step: 'credentials', problem: 'malformed', error: 'invalid_api_key' },
  ],
  'a wrong parameter': [
    `${pets}?limit=0`,
    { headers: key },
    {
      step: 'query',
      error: 'invalid_parameter',
      parameter: 'limit',
      problem: 'must be an integer from 1 to 100, but is "0"',
    },
  ],
  'a body that is not JSON': [
    pets,
    { method: 'POST', headers: { ...key, ...json }, body: '{' },
    { step: 'body', error: 'malformed_json' },
  ],
  'a body that does not fit': [
    pets,
    { method: 'POST', headers: { ...key, ...json }, body: '{"name":"Rex"}' },
    {
      step: 'body',
      error: 'invalid_body',
      problems: [{ pointer: '/categoryId', problem: '"categoryId" is required.' }],
    },
  ],
  'a magic value': [
    `${pets}/9000000000000000500`,
    { headers: key },
    { step: 'magic', error: 'internal_error', value: '9000000000000000500' },
  ],
  'an unknown item': [
    `${pets}/9999`,
    { headers: key },
    { step: 'behaviour', kind: 'read', error: 'not_found' },
    { operation: 'getPet' },
  ],
  'an example': [
    '/v1/store/orders',
    { headers: key },
    { step: 'behaviour', kind: 'example' },
    { operation: 'listOrders' },
  ],
  'a HEAD': [
    pets,
    { method: 'HEAD', headers: key },
    { step: 'behaviour', kind: 'list' },
    { operation: 'listPets', status: 200 },
  ],
};

const twin = await shareTwin();

it.each(Object.entries(reasons))(
  'says why it answered %s so',
  async (_, [path, init, reason, more = {}]) => {
    if (new Headers(init.headers).has('host'))
      await sendRaw(
        twin.origin,
        `GET ${path} HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n`,
      );
    else await fetch(twin.origin + path, init);
    const entry = await adminOf(twin).latest();
    expect(entry.reason).toEqual(reason);
    expect(entry).toMatchObject(more);
  },
);

it('shows the decision of the limiter', async () => {
  const twin = await startTwin();
  const { list, send } = adminOf(twin);
  await send('PUT', 'clock', { action: 'freeze', instant: '2030-01-01T00:00:30Z' });
  for (let sent = 0; sent < 70; sent++)
    await (await fetch(`${twin.api}/pets?limit=1`, { headers: key })).text();
  const refused = await list('?step=limits');
  expect(refused).toHaveLength(10);
  expect(refused[1]).toMatchObject({
    clock: '2030-01-01T00:00:30.000Z',
    status: 429,
    key: 'demo-free',
    operation: 'listPets',
  });
  const minute = Date.parse('2030-01-01T00:01:00Z') / 1000;
  expect(refused[1]?.reason).toEqual({
    step: 'limits',
    error: 'rate_limit_exceeded',
    outcome: 'exceeded',
    plan: 'free',
    window: { limit: 60, remaining: 0, reset: minute, per: 'minute' },
  });
  expect(refused[0]?.reason).toMatchObject({
    error: 'key_banned',
    outcome: 'banned',
    ban: { until: Date.parse('2030-01-01T00:05:30Z') / 1000, seconds: 300 },
  });
});

it('shows what was forced, what delayed it, and a connection that was broken', async () => {
  const twin = await startTwin();
  const { latest } = adminOf(twin);
  await fetch(`${twin.api}/pets`, { headers: { ...key, Prefer: 'code=401, delay=1' } });
  expect(await latest()).toMatchObject({
    status: 401,
    reason: { step: 'forced', delay: { milliseconds: 1, by: 'Prefer' } },
  });
  twin.app.sandboxes.defaultSandbox.faults.put({ id: 'teapot', status: 418, times: 1 });
  await fetch(`${twin.api}/pets`, { headers: key });
  expect((await latest()).reason).toMatchObject({ step: 'fault', rule: 'teapot', code: 418 });
  twin.app.sandboxes.defaultSandbox.faults.put({ fault: 'EMPTY_RESPONSE' });
  await fetch(`${twin.api}/pets`, { headers: key }).catch(() => {});
  expect(await latest()).toMatchObject({
    status: null,
    response: null,
    operation: 'listPets',
    key: 'demo-free',
    reason: { step: 'fault', fault: 'EMPTY_RESPONSE' },
  });
});

it('shows a request whose client left before its answer', async () => {
  const twin = await startTwin();
  const { list } = adminOf(twin);
  const { limiter } = twin.app.sandboxes.defaultSandbox;
  const client = await openRaw(twin.origin);
  await client.send(
    `GET ${pets} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer demo-free\r\nPrefer: delay=60000\r\n\r\n`,
  );
  const [freeKey] = twin.keys;
  if (freeKey) await until(() => limiter.standing(freeKey).minute.used === 1);
  void client.finish(0);
  await until(async () => (await list()).length === 1);
  expect(await list()).toMatchObject([
    { status: null, response: null, key: 'demo-free', operation: 'listPets' },
  ]);
});

it('shows what never became a request, and one that did not arrive in time once', async () => {
  const twin = await startTwin({ timeouts: { request: 300, headers: 200 } });
  const { list } = adminOf(twin);
  await sendRaw(twin.origin, 'nonsense\r\n\r\n');
  expect(await list()).toMatchObject([
    {
      method: null,
      url: null,
      unmatched: true,
      key: null,
      status: 400,
      milliseconds: null,
      reason: { step: 'connection', error: 'malformed_request' },
    },
  ]);
  const slow = await openRaw(twin.origin);
  const head = `POST ${pets} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer demo-free\r\nContent-Type: application/json\r\n`;
  await slow.send(`${head}Content-Length: 9\r\n\r\n{`);
  await slow.finish();
  const [late, ...rest] = await list();
  expect(late).toMatchObject({
    method: 'POST',
    operation: 'createPet',
    key: 'demo-free',
    status: 408,
    reason: { step: 'connection', error: 'request_timeout' },
  });
  expect(rest).toHaveLength(1);
});

it('leaves the calls of the admin out', async () => {
  const twin = await startTwin();
  const { ask, list } = adminOf(twin);
  await ask('clock');
  await ask('nothing');
  expect(await list()).toEqual([]);
});

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await wait(5);
}
