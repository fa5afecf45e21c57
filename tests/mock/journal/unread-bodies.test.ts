import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { adminOf } from '../../support/admin-requests.ts';
import { openRaw } from '../../support/raw-socket.ts';
import { bearer, shareTwin } from '../../support/twin.ts';

const twin = await shareTwin();
const admin = adminOf(twin);

const body = '{"name":"Zoë","categoryId":1}';
const bytes = Buffer.byteLength(body);
const json = { ...bearer('demo-pro'), 'Content-Type': 'application/json' };

function create(headers: Record<string, string> = {}, content: string | Buffer = body) {
  const init = { method: 'POST', headers: { ...json, ...headers }, body: content };
  return fetch(`${twin.api}/pets`, init).catch(() => undefined);
}

it.each([
  [503, { Prefer: 'code=503' }],
  [413, { Prefer: 'code=413' }],
  [400, { Prefer: 'code=none' }],
  [503, { Prefer: 'code=503, delay=20' }],
  [401, { Authorization: 'Bearer nobody' }],
  [415, { 'Content-Type': 'text/plain' }],
])('keeps the body of a request that is answered with %i without it: %o', async (status, sent) => {
  expect((await create(sent))?.status).toBe(status);
  expect(await admin.latest()).toMatchObject({ status, request: { body, bytes } });
});

it('keeps the body where a fault gives the status, and where the limit refuses', async () => {
  await admin.post('faults', { operation: 'createPet', status: 503, times: 1 });
  expect((await create())?.status).toBe(503);
  expect(await admin.latest()).toMatchObject({
    status: 503,
    reason: { step: 'fault' },
    request: { body },
  });
  await admin.post('limits/demo-pro', { exhaust: 'minute' });
  expect((await create())?.status).toBe(429);
  expect(await admin.latest()).toMatchObject({ status: 429, request: { body, bytes } });
});

it('keeps such a body without its content coding, and one with a wrong coding as it came', async () => {
  const sent = { Prefer: 'code=503', 'Content-Encoding': 'gzip' };
  await create(sent, gzipSync(body));
  expect(await admin.latest()).toMatchObject({ status: 503, request: { body } });
  await create(sent);
  expect(await admin.latest()).toMatchObject({ status: 503, request: { body } });
});

const head = (...fields: string[]) =>
  `POST /v1/pets HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer demo-pro\r\nContent-Type: application/json\r\n${fields.join('\r\n')}\r\n\r\n`;

it.each([
  ['stalls', head('Prefer: code=503', 'Content-Length: 100')],
  ['is too large', head('Prefer: code=503', 'Content-Length: 2000000')],
  ['waits to be asked for', head('Prefer: code=503', 'Content-Length: 2', 'Expect: 100-continue')],
])('does not wait for a body that %s', async (_, sent) => {
  const connection = await openRaw(twin.origin);
  await connection.send(sent);
  expect((await connection.next(1500))?.status).toBe(503);
  expect(await admin.latest()).toMatchObject({ status: 503, request: { body: null, bytes: 0 } });
  await connection.finish(0);
});
