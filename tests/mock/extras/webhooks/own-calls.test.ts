import { expect, it } from 'vitest';
import type { WebhooksView } from '../../../../mock/extras/webhooks/webhook-handlers.ts';
import { adminOf } from '../../../support/admin-requests.ts';
import { documentOf, schemaOf } from '../../../support/document-of.ts';
import { makeFolder } from '../../../support/make-folder.ts';
import { jsonOf, serveDocument } from '../../../support/serve-document.ts';
import { startReceiver } from '../../../support/webhook-receiver.ts';

const order = '{ readonly id: int, notifyUrl }';
const orders = `
  GET /orders -> [${order}]
  POST /orders ${order} -> 201 ${order}`;
const sent = {
  requestBody: jsonOf(schemaOf(order)),
  responses: { 204: { description: 'Thanks.' } },
};
const operations = {
  'POST /orders': { callbacks: { orderCreated: { '{$request.body#/notifyUrl}': { post: sent } } } },
};

const serve = (more: object = {}, settings: object = {}) =>
  serveDocument(documentOf(orders, {}, { operations, ...more }), { pets: 0, ...settings });

type Mock = Awaited<ReturnType<typeof serve>>;

const json = { 'Content-Type': 'application/json' };

async function deliveriesOf(mock: Mock): Promise<WebhooksView['deliveries']> {
  return (await adminOf(mock).ask('webhooks')).deliveries;
}

/** Creates an order whose callback goes to a URL, and gives what became of it. */
async function placeOrder(mock: Mock, notifyUrl: string, headers: object = {}) {
  const body = JSON.stringify({ notifyUrl });
  await mock.call('/orders', { method: 'POST', body, headers: { ...json, ...headers } });
  const waiting = async () => (await deliveriesOf(mock)).filter(({ tries }) => tries.length === 0);
  await expect.poll(waiting).toEqual([]);
  return deliveriesOf(mock);
}

it('heeds no call that a mock sends: one that calls itself, or another, ends there', async () => {
  const [mock, other] = [await serve(), await serve()];
  const created = { state: 'delivered', status: 201 };
  expect(await placeOrder(mock, `${mock.api}/orders`)).toMatchObject([created]);
  expect((await mock.send('GET', '/orders')).json).toHaveLength(2);
  expect(await placeOrder(mock, `${other.api}/orders`)).toMatchObject([created, created]);
  expect((await other.send('GET', '/orders')).json).toHaveLength(1);
  expect(await deliveriesOf(other)).toEqual([]);
});

it('sends no callback to where a page of another origin says, unless that is allowed', async () => {
  const { url, received } = await startReceiver();
  const mock = await serve({}, { adminOrigins: ['http://localhost:5173'] });
  const from = (Origin: string) => placeOrder(mock, url, { Origin });
  expect(await from('https://evil.example')).toMatchObject([
    { state: 'refused', url, tries: [{ problem: expect.stringContaining('--admin-origins') }] },
  ]);
  const ofBrowser = { 'Sec-Fetch-Site': 'cross-site' };
  expect(await placeOrder(mock, url, ofBrowser)).toMatchObject([{}, { state: 'refused' }]);
  expect(received).toEqual([]);
  expect(await from('http://localhost:5173')).toMatchObject([{}, {}, { state: 'delivered' }]);
  expect(await from(mock.origin)).toMatchObject([{}, {}, {}, { state: 'delivered' }]);
  expect(received).toHaveLength(2);
});

it('sends nothing to an endpoint that a page of another origin set, unless that is allowed', async () => {
  const listener = '{ readonly id: int, url, events: [text] }';
  const schema = schemaOf(listener);
  const form = 'application/x-www-form-urlencoded';
  const either = { content: { 'application/json': { schema }, [form]: { schema } } };
  const lines = `${orders}
    GET /listeners -> [${listener}]
    POST /listeners -> 201 ${listener}
    GET /listeners/{id} -> ${listener}
    PUT /listeners/{id} ${listener} -> ${listener}
    PATCH /listeners/{id} ${listener} -> ${listener}`;
  const document = documentOf(
    lines,
    {},
    {
      operations: { ...operations, 'POST /listeners': { requestBody: either } },
      webhooks: { 'order.created': { post: sent } },
    },
  );
  const { url, received } = await startReceiver();
  const folder = makeFolder();
  const open = (adminOrigins: string[]) =>
    serveDocument(document, { pets: 0, store: `sqlite:${folder}/twin.db`, adminOrigins });
  const evil = { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' };
  let mock = await open([]);
  const body = new URLSearchParams({ url: `${url}/evil`, events: '*' });
  const made = await mock.call('/listeners', { method: 'POST', body, headers: evil });
  expect(made.json).toEqual({ id: 1, url: `${url}/evil`, events: ['*'] });
  await mock.send('POST', '/listeners', { url: `${url}/own`, events: ['*'] });
  await mock.send('POST', '/listeners', { url: `${url}/moved`, events: ['*'] });
  const moved = JSON.stringify({ url: `${url}/evil/2` });
  await mock.call('/listeners/3', { method: 'PATCH', body: moved, headers: { ...json, ...evil } });
  const states = async () => {
    await placeOrder(mock, '');
    return (await deliveriesOf(mock)).slice(-3).map(({ state }) => state);
  };
  const refused = ['refused', 'delivered', 'refused'];
  expect(await states()).toEqual(refused);
  await mock.send('PATCH', '/listeners/1', { events: ['order.created'] });
  await mock.send('PUT', '/listeners/3', { url: `${url}/evil/2`, events: ['*'] });
  expect(await states()).toEqual(refused);
  const { send, ask } = adminOf(mock);
  await send('PUT', 'snapshots/a');
  await send('PUT', 'snapshots/a', (await send('GET', 'snapshots/a')).text);
  await ask('snapshots/a/restore', 'POST');
  expect(await states()).toEqual(refused);
  await mock.close();
  mock = await open([]);
  expect(await states()).toEqual(refused);
  expect(received.map((one) => one.url)).toEqual(Array(4).fill('/own'));
  expect((await mock.send('GET', '/listeners/3')).json).toEqual({
    ...{ id: 3, url: `${url}/evil/2`, events: ['*'] },
  });
  await mock.close();
  mock = await open(['https://evil.example']);
  expect(await states()).toEqual(Array(3).fill('delivered'));
});

const used = ['User-Agent', 'X-Twin-Hops', 'Content-Length', 'Transfer-Encoding', 'Host', 'Origin'];

it.each([...used, 'Connection', 'Expect', 'Sec-Fetch-Site', 'X-Sandbox', 'webhook-id'])(
  'lets no document that signs webhooks in %s call the admin',
  async (header) => {
    const mock = await serve({ 'x-twin': { webhooks: { header, value: '0' } } });
    const [delivery] = await placeOrder(mock, `${mock.origin}/__admin/reset`);
    expect(delivery).toMatchObject({
      status: 403,
      headers: { 'webhook-signature': expect.stringMatching(/^v1,/) },
    });
  },
);

const args = {
  ...{ id: 'msg_1', event: 'orderCreated', method: 'POST', body: '', at: 0, tried: 0 },
  headers: { 'User-Agent': 'curl', 'content-length': '0', 'x-twin-hops': '' },
};

/** Imports and restores a snapshot with a task that is due. */
async function restore(mock: Mock, given: object) {
  const task = { id: 'task-1', name: 'webhook:deliver', due: '2026-01-01T00:00:00Z' };
  const { send, ask } = adminOf(mock);
  const tasks = [{ ...task, args: given }];
  const imported = await send('PUT', 'snapshots/a', { version: 1, collections: {}, tasks });
  if (imported.status < 300) await ask('snapshots/a/restore', 'POST');
  return imported;
}

it('lets no task of a snapshot call the admin, whatever headers it has', async () => {
  const mock = await serve();
  await restore(mock, { ...args, url: `${mock.origin}/__admin/reset` });
  await expect.poll(() => deliveriesOf(mock)).toMatchObject([{ status: 403 }]);
});

it.each([
  ['url', { url: 1 }],
  ['method', { method: 'GET /__admin' }],
  ['method', { method: 'CONNECT' }],
  ['tried', { tried: -1 }],
  ['at', { at: 9e15 }],
  ['headers', { headers: 'a' }],
  ['headers', { headers: { a: { b: 1 } } }],
])('refuses a snapshot whose task has a wrong %s', async (name, given) => {
  const { status, json } = await restore(await serve(), {
    ...args,
    url: 'http://[::1]:1',
    ...given,
  });
  expect([status, json.message]).toEqual([
    400,
    expect.stringMatching(
      `^The body is not a valid Snapshot. "tasks/0/args/${name}[^"]*" must .* but is [^.]*.$`,
    ),
  ]);
});

it.each([{ method: 'COPY' }, { item: 'hooks/1' }, { more: 1 }])(
  'accepts a snapshot whose task has %j',
  async (given) => {
    const { status } = await restore(await serve(), { ...args, url: 'http://[::1]:1/', ...given });
    expect(status).toBe(201);
  },
);
