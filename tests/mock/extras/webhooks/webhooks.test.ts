import { Webhook } from 'standardwebhooks';
import { expect, it, onTestFinished } from 'vitest';
import type { Call } from '../../../../mock/extras/behaviours/define.ts';
import { createTwin, type TwinSettings } from '../../../../package/twin.ts';
import { createSend, type Send } from '../../../support/create-send.ts';
import { projectFile } from '../../../support/twin.ts';
import { startReceiver } from '../../../support/webhook-receiver.ts';

const spec = projectFile('tests/support/shop.yaml');
const webhookSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/** A twin of the shop without items, and what calls it. */
async function startShop(settings: TwinSettings = {}) {
  const twin = await createTwin({ spec, items: 0, webhookSecret, logLevel: 'silent', ...settings });
  onTestFinished(() => twin.close());
  const send = async (...sent: Parameters<Send>) => (await createSend(twin.url)(...sent)).json;
  return {
    twin,
    send,
    create: (more: object = {}) => send('POST', '/orders', { quantity: 2, ...more }),
  };
}

it('sends a webhook after a change, signed, with the item as its payload', async () => {
  const { url, received } = await startReceiver();
  const { twin, create } = await startShop({ webhookUrl: url });
  const order = await create();
  const delivery = await twin.webhooks.next('order.created');
  expect(delivery).toMatchObject({ state: 'delivered', status: 204, url, payload: order });
  const [one] = received;
  expect(one).toMatchObject({ method: 'POST', url: '/' });
  expect(one?.headers['content-type']).toBe('application/json');
  const headers = one?.headers as Record<string, string>;
  expect(new Webhook(webhookSecret).verify(one?.body ?? '', headers)).toEqual(order);
  expect(headers['webhook-id']).toBe(delivery.id);
});

it('puts the item into an envelope that is made up, with the event, the time and an id of its own', async () => {
  const { twin, send, create } = await startShop();
  await twin.clock.freeze('2030-01-01T00:00:00Z');
  const { id } = await create();
  const paid = await send('POST', `/orders/${id}/pay`);
  await send('POST', `/orders/${id}/pay`);
  const first = await twin.webhooks.next('order.paid');
  const envelope = { type: 'order.paid', createdAt: '2030-01-01T00:00:00.000Z' };
  const payload = { ...envelope, data: { order: paid } };
  expect(first).toMatchObject({ state: 'unsent', payload });
  const second = await twin.webhooks.next('order.paid');
  expect(second.payload.id).not.toBe(first.payload.id);
});

it('tells of a deleted item by its id, as far as the schema allows for it', async () => {
  const { twin, send, create } = await startShop();
  const { id } = await create();
  await send('DELETE', `/orders/${id}`);
  const { payload } = await twin.webhooks.next('orderDeleted');
  expect(payload).toEqual({ event: 'order.deleted', orderId: id });
});

it('sends nothing after a call that fails', async () => {
  const { twin, send } = await startShop();
  await send('DELETE', '/orders/77');
  await send('POST', '/orders', {});
  expect((await twin.webhooks.list()).deliveries).toEqual([]);
});

it('sends callbacks to the URLs that a request gives: after it, or after what they are called', async () => {
  const { url, received } = await startReceiver();
  const { twin, send, create } = await startShop();
  const paidTo = { quantity: 1, notifyUrl: `${url}/paid` };
  const { id } = await send('POST', '/orders', paidTo, { 'X-Confirm': url });
  await twin.webhooks.next('confirmation');
  expect(received.map((one) => `${one.method} ${one.url}`)).toEqual([`PUT /orders/${id}`]);
  const other = await create();
  await send('POST', `/orders/${other.id}/pay`);
  const paid = await send('POST', `/orders/${id}/pay`);
  await expect.poll(() => received.length).toBe(2);
  expect(received[1]).toMatchObject({ method: 'POST', url: '/paid', body: JSON.stringify(paid) });
});

it('sends to the endpoints that the API itself holds, for their events and with their secrets', async () => {
  const { url, received } = await startReceiver();
  const { twin, send, create } = await startShop();
  const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
  const hook = await send('POST', '/hooks', { url, events: ['order.created'], secret });
  await send('POST', '/hooks', { url: `${url}/off`, events: ['*'], active: false });
  const order = await create();
  await send('POST', `/orders/${order.id}/pay`);
  expect(await twin.webhooks.next('order.created')).toMatchObject({ state: 'delivered' });
  expect(await twin.webhooks.next('order.paid')).toMatchObject({ state: 'unsent' });
  const [one] = received;
  const headers = one?.headers as Record<string, string>;
  expect(new Webhook(secret).verify(one?.body ?? '', headers)).toEqual(order);
  const item = `hooks/${hook.id}`;
  const { endpoints } = await twin.webhooks.list();
  expect(endpoints).toEqual([{ url, events: ['order.created'], item, isGone: false }]);
});

it('sends to no endpoint that the twin made up, until somebody changes it', async () => {
  const { url } = await startReceiver();
  const { twin, create } = await startShop({ items: 2 });
  expect((await twin.webhooks.list()).endpoints).toEqual([]);
  await twin.data.patch('hooks', 1, { url, events: ['*'], active: true });
  await create();
  expect(await twin.webhooks.next('order.created')).toMatchObject({ state: 'delivered', url });
});

it('sends to endpoints that clients create behind any number of items that the twin made up', async () => {
  const { url } = await startReceiver();
  const { twin, send, create } = await startShop({ items: 120 });
  for (let n = 1; n <= 101; n++)
    await send('POST', '/hooks', { url: `${url}/${n}`, events: [n > 100 ? 'order.created' : 'x'] });
  await create();
  const { endpoints } = await twin.webhooks.list();
  expect(endpoints).toHaveLength(101);
  const delivered = { state: 'delivered', url: `${url}/101` };
  expect(await twin.webhooks.next('order.created')).toMatchObject(delivered);
});

it('sends an event to the URL that is for it', async () => {
  const { url, received } = await startReceiver();
  const { twin, send, create } = await startShop({ webhookUrl: [`orderPaid=${url}/paid`, url] });
  const { id } = await create();
  await twin.webhooks.next('order.created');
  await send('POST', `/orders/${id}/pay`);
  await twin.webhooks.next('order.paid');
  await twin.webhooks.next('order.paid');
  expect(received.map((one) => one.url).toSorted()).toEqual(['/', '/', '/paid']);
});

it('tries again by the schedule of Standard Webhooks and the clock of the sandbox, with the same id', async () => {
  const statuses = [500, 503, 204];
  const { url, received } = await startReceiver((response) =>
    response.writeHead(statuses.shift() ?? 500).end('no'),
  );
  const { twin, create } = await startShop({ webhookUrl: url });
  await twin.clock.freeze('2030-01-01T00:00:00Z');
  await create();
  const first = await twin.webhooks.next('order.created');
  const nextTry = '2030-01-01T00:00:05.000Z';
  expect(first).toMatchObject({ state: 'pending', status: 500, nextTry });
  await twin.clock.advance(4999);
  expect(received).toHaveLength(1);
  await twin.clock.advance(1);
  expect(received).toHaveLength(2);
  await twin.clock.advance(300_000);
  const { deliveries } = await twin.webhooks.list();
  const last = { status: 204, at: '2030-01-01T00:05:05.000Z' };
  const tries = [{ status: 500, answer: 'no' }, { status: 503 }, last];
  expect(deliveries).toMatchObject([{ state: 'delivered', tries }]);
  expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
});

it('gives up after ten tries', async () => {
  const { url, received } = await startReceiver((response) => response.writeHead(500).end());
  const { twin, create } = await startShop({ webhookUrl: url });
  await create();
  await twin.webhooks.next('order.created');
  await twin.clock.advance(4 * 86_400_000);
  const { deliveries } = await twin.webhooks.list();
  expect(deliveries).toMatchObject([{ state: 'failed', status: 500 }]);
  expect(received).toHaveLength(10);
});

it('fails on purpose, and sends again when asked', async () => {
  const { url, received } = await startReceiver();
  const { twin, create } = await startShop({ webhookUrl: url });
  await twin.webhooks.failNext(2);
  await create();
  const { id, state } = await twin.webhooks.next('order.created');
  expect(state).toBe('pending');
  await twin.clock.advance(5000);
  expect(received).toEqual([]);
  await twin.webhooks.resend(id);
  const state0 = async () => (await twin.webhooks.list()).deliveries[0]?.state;
  await expect.poll(state0).toBe('delivered');
  expect(received).toHaveLength(1);
  await twin.clock.advance(86_400_000);
  expect(received).toHaveLength(1);
});

it('says which webhook did not come, and what was sent', async () => {
  const { twin, create } = await startShop();
  await create();
  const next = (event: string) => twin.webhooks.next(event, { timeout: 1 });
  await expect(next('order.shipped')).rejects.toThrow(
    'No further webhook order.shipped was sent within 1 ms. Sent since the last reset: order.created.',
  );
  const unknown = 'The document has no webhook "order.createt". Did you mean "order.created"?';
  await expect(next('order.createt')).rejects.toThrow(unknown);
  await expect(twin.webhooks.resend('msg_0')).rejects.toThrow('There is no delivery "msg_0".');
});

it('forgets what it sent at a reset', async () => {
  const { twin, create } = await startShop();
  await create();
  await twin.reset();
  expect((await twin.webhooks.list()).deliveries).toEqual([]);
});

it('says what is sent after what', async () => {
  const { twin } = await startShop();
  const { webhooks } = await twin.webhooks.list();
  const after = webhooks.map((one) => [
    one.name,
    one.after.flatMap(({ operations }) => operations),
  ]);
  expect(after).toEqual([
    ['order.created', ['createOrder']],
    ['order.paid', ['payOrder']],
    ['orderDeleted', ['deleteOrder']],
    ['order.shipped', []],
    ['orderPaid', ['payOrder']],
    ['confirmation', ['createOrder']],
  ]);
});

it('has none for a document without webhooks', async () => {
  const twin = await createTwin();
  onTestFinished(() => twin.close());
  const none = { webhooks: [], endpoints: [], failNext: 0, deliveries: [] };
  expect(await twin.webhooks.list()).toEqual(none);
});

it('sends what a behaviour emits once its changes are stored, also where nothing describes it', async () => {
  const behaviours = {
    payOrder: async ({ next, emit, reply }: Call) => {
      const order = await next();
      emit('order.shipped', order);
      emit('stock.low', { left: 1 });
      if (order.quantity > 5) throw reply.error(409, 'too_many', 'There are not as many.');
      return order;
    },
  };
  const { twin, send, create } = await startShop({ behaviours });
  const { id } = await create();
  const many = await create({ quantity: 6 });
  await send('POST', `/orders/${many.id}/pay`);
  const paid = await send('POST', `/orders/${id}/pay`);
  const shipped = await twin.webhooks.next('order.shipped');
  expect(shipped.payload).toMatchObject({ data: { order: paid } });
  expect((await twin.webhooks.next('stock.low')).payload).toEqual({ left: 1 });
  const { deliveries } = await twin.webhooks.list();
  const sent = ['order.created', 'order.created', 'order.shipped', 'stock.low', 'order.paid'];
  expect(deliveries.map(({ event }) => event)).toEqual(sent);
});

it('reads a deleted item without the behaviour that answers reads of it', async () => {
  const behaviours = {
    async getOrder({ next, emit }: Call) {
      emit('order.read');
      return next();
    },
  };
  const { twin, send, create } = await startShop({ behaviours });
  const { id } = await create();
  await send('DELETE', `/orders/${id}`);
  expect((await twin.webhooks.next('orderDeleted')).payload).toMatchObject({ orderId: id });
  const { deliveries } = await twin.webhooks.list();
  expect(deliveries.map(({ event }) => event)).toEqual(['order.created', 'orderDeleted']);
});

it('tries no more where an endpoint of the API was switched off or deleted meanwhile', async () => {
  const { url, received } = await startReceiver((response) => response.writeHead(500).end());
  const { twin, send, create } = await startShop({ webhookUrl: `order.paid=${url}` });
  const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
  const hook = { url, events: ['order.created', 'order.paid'], secret };
  const ends = [
    (id: number) => twin.data.patch('hooks', id, { active: false }),
    (id: number) => twin.data.remove('hooks', id),
  ];
  for (const end of ends) {
    received.length = 0;
    const { id } = await send('POST', '/hooks', hook);
    const order = await create();
    expect(await twin.webhooks.next('order.created')).toMatchObject({ state: 'pending' });
    await send('POST', `/orders/${order.id}/pay`);
    await twin.webhooks.next('order.paid');
    for (const { body, headers } of received)
      new Webhook(secret).verify(body, headers as Record<string, string>);
    await end(id);
    await twin.clock.advance(86_400_000);
    expect(received).toHaveLength(2);
    const problem = 'its endpoint is disabled or deleted, so nothing was sent';
    const refused = { state: 'refused', tries: [{ status: 500 }, { problem }] };
    const { deliveries } = await twin.webhooks.list();
    expect(deliveries.slice(-2)).toMatchObject([refused, refused]);
  }
});
