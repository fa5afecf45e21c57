import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Extra } from '../../../../mock/extra.ts';
import { allExtras } from '../../../../mock/extras/all-extras.ts';
import type { WebhooksView } from '../../../../mock/extras/webhooks/webhook-handlers.ts';
import { createLog } from '../../../../mock/log.ts';
import type { Emit } from '../../../../mock/sandboxes/run-task.ts';
import { parseConfig } from '../../../../mock/settings/config.ts';
import type { Config } from '../../../../mock/settings/settings.ts';
import { maxTasks } from '../../../../mock/tasks/tasks.ts';
import { openTwin } from '../../../../mock/twin.ts';
import { adminOf } from '../../../support/admin-requests.ts';
import { documentOf, schemaOf } from '../../../support/document-of.ts';
import { expectAnswer } from '../../../support/expect-answer.ts';
import { makeFolder } from '../../../support/make-folder.ts';
import { jsonOf, type ServedDocument, serveDocument } from '../../../support/serve-document.ts';
import { projectFile } from '../../../support/twin.ts';
import { startReceiver } from '../../../support/webhook-receiver.ts';

const spec = projectFile('tests/support/shop.yaml');

/** Returns what the admin of a twin says of its webhooks. */
const viewOf = (twin: ServedDocument): Promise<WebhooksView> => adminOf(twin).ask('webhooks');

/** Waits for the next delivery of an event. */
const nextOf = (twin: ServedDocument, event: string) =>
  adminOf(twin).post('webhooks/next', { event });

const order = { quantity: 1 };

/** Serves the shop, creates an order, and waits for its webhook. */
async function deliverTo(url: string, settings: object = {}) {
  const twin = await serveDocument(spec, { webhookUrl: [{ url }], ...settings });
  await twin.send('POST', '/orders', order);
  return { twin, delivery: await nextOf(twin, 'order.created') };
}

const statesOf = async (twin: ServedDocument) =>
  (await viewOf(twin)).deliveries.map(({ state }) => state);

/** A twin, and what its behaviours would send webhooks with. */
async function serveEmitting() {
  let emit: Emit | undefined;
  const emitting: Extra = () => ({
    mountInFront(_, extras) {
      emit = extras.find((one) => one.emit)?.emit;
    },
  });
  const twin = await serveDocument(spec, { extras: [...Object.values(allExtras), emitting] });
  const { defaultSandbox } = twin.app.sandboxes;
  return { twin, emit: async (...given: [string, unknown?]) => emit?.(defaultSandbox, ...given) };
}

it('says in one line that a receiver fails, and goes on', async () => {
  const { url } = await startReceiver((response) => response.writeHead(500).end());
  const { twin } = await deliverTo(url);
  expect(twin.lines).toContain(
    `The webhook order.created to ${url}: the receiver answered 500. It is tried again in 5 seconds.\n`,
  );
  expect((await twin.send('GET', '/orders')).status).toBe(200);
});

it('does not let a URL that a client gives call its own admin', async () => {
  const twin = await serveDocument(spec);
  const notifyUrl = `${twin.origin}/__admin/reset`;
  const { json: made } = await twin.send('POST', '/orders', { ...order, notifyUrl });
  await twin.send('POST', `/orders/${made.id}/pay`);
  const deliveries = async () => (await viewOf(twin)).deliveries;
  const refused = expect.objectContaining({ url: notifyUrl, status: 403 });
  await expect.poll(deliveries).toContainEqual(refused);
  expectAnswer(await twin.send('GET', `/orders/${made.id}`), 200);
});

it('says so where a name is like that of a webhook of the document', async () => {
  const { url } = await startReceiver((response) => response.writeHead(204).end());
  const events = ['order.creatd', 'orderCreated', 'stock.low'];
  const webhookUrl = events.map((event) => ({ url, event }));
  const twin = await serveDocument(spec, { webhookUrl });
  expect(twin.lines.filter((line) => line.includes('Did you mean'))).toEqual([
    '--webhook-url: The document has no webhook "order.creatd". Did you mean "order.created"?\n',
  ]);
});

it('sends nothing more to a receiver that answered 410, until the next reset', async () => {
  const { url, received } = await startReceiver((response) => response.writeHead(410).end());
  const { twin, delivery } = await deliverTo(url);
  expect(delivery).toMatchObject({ state: 'failed', status: 410 });
  await twin.send('POST', '/orders', order);
  const { endpoints, deliveries } = await viewOf(twin);
  expect(endpoints).toMatchObject([{ url, isGone: true }]);
  expect(deliveries).toMatchObject([{ event: 'order.created' }]);
  expect(received).toHaveLength(1);
  await twin.app.reset();
  expect((await viewOf(twin)).endpoints).toEqual([{ url, isGone: false }]);
});

it('goes on with tries after a restart with a store, with the same id', async () => {
  const { url, received } = await startReceiver((response) => response.writeHead(500).end());
  const store = `sqlite:${join(makeFolder(), 'twin.db')}`;
  const settings = { webhookUrl: [{ url }], store };
  const { twin: before } = await deliverTo(url, { store });
  await before.close();
  const after = await serveDocument(spec, settings);
  await adminOf(after).send('PUT', 'clock', { action: 'advance', durationMillis: 5000 });
  expect(received).toHaveLength(2);
  expect(received[1]?.headers['webhook-id']).toBe(received[0]?.headers['webhook-id']);
  const [one] = (await viewOf(after)).deliveries;
  expect(one).toMatchObject({ state: 'pending', tries: [{ status: 500 }] });
  await adminOf(after).ask(`webhooks/${one?.id}/resend`, 'POST');
  await expect.poll(() => received.length).toBe(3);
  const tasks = () => after.app.sandboxes.defaultSandbox.tasks.list();
  await expect.poll(tasks).toMatchObject([{ args: { id: one?.id, tried: 1 } }]);
});

it('does not let a receiver that hangs hold up others, and keeps the order of each', async () => {
  const held: (() => void)[] = [];
  const slow = await startReceiver((response) => held.push(() => response.writeHead(204).end()));
  const quick = await startReceiver((response) => response.writeHead(204).end());
  const twin = await serveDocument(spec, { webhookUrl: [{ url: slow.url }, { url: quick.url }] });
  await twin.send('POST', '/orders', order);
  await twin.send('POST', '/orders', order);
  await expect.poll(() => quick.received.length).toBe(2);
  expect(slow.received).toHaveLength(1);
  held[0]?.();
  await expect.poll(() => slow.received.length).toBe(2);
  held[1]?.();
  await expect.poll(() => statesOf(twin)).toEqual(Array(4).fill('delivered'));
});

it('fails, and says why, where the sandbox has no room for the next try', async () => {
  const { url } = await startReceiver(async (response) => {
    await sandbox.change(() => {
      for (let n = 0; n < maxTasks; n++) sandbox.tasks.add({ name: 'none', args: null, due: 8e15 });
    });
    response.writeHead(500).end();
  });
  const twin = await serveDocument(spec, { webhookUrl: [{ url }] });
  const sandbox = twin.app.sandboxes.defaultSandbox;
  await twin.send('POST', '/orders', order);
  const problem = expect.stringContaining('1,000 tasks, the maximum');
  const failed = { state: 'failed', tries: [{ status: 500 }, { problem }] };
  expect(await nextOf(twin, 'order.created')).toMatchObject(failed);
});

it('does not try again what a reset meanwhile forgot', async () => {
  const { url } = await startReceiver(async (response) => {
    await twin.app.reset();
    response.writeHead(500).end();
  });
  const twin = await serveDocument(spec, { webhookUrl: [{ url }] });
  await twin.send('POST', '/orders', order);
  const line = `The webhook order.created to ${url}: the receiver answered 500.\n`;
  await expect.poll(() => twin.lines).toContain(line);
  expect(twin.app.sandboxes.defaultSandbox.tasks.list()).toEqual([]);
});

it('refuses to reach another machine, in one line and in the list', async () => {
  const url = 'http://192.0.2.1/hooks';
  const { twin, delivery } = await deliverTo(url);
  const problem =
    'webhooks are sent to this machine only, and not to 192.0.2.1; --webhook-hosts 192.0.2.1 allows it';
  expect(delivery).toMatchObject({ state: 'refused', tries: [{ problem }] });
  expect(twin.lines).toContain(`The webhook order.created to ${url}: ${problem}.\n`);
});

it('shows neither its secret nor those of URLs', async () => {
  const { url } = await startReceiver((response) => response.writeHead(500).end());
  const webhookSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const secretUrl = `${url.replace('//', '//user:hidden@')}/?token=hidden`;
  const { twin } = await deliverTo(secretUrl, { webhookSecret });
  await twin.call(`/orders?${webhookSecret}`);
  const [tasks, requests] = [adminOf(twin).ask('tasks'), adminOf(twin).ask('requests')];
  const shown = JSON.stringify([await viewOf(twin), twin.lines, await tasks, await requests]);
  expect(shown).toContain('order.created');
  expect(shown).toContain('"webhook:deliver"');
  expect(shown).not.toContain('hidden');
  expect(shown).not.toContain(webhookSecret);
});

const ofSecret =
  /^Webhooks are signed with whsec_[\w+/=]{32}; --webhook-secret sets another secret\.\n$/;

it('makes a secret up, and says so once', async () => {
  const twin = await serveDocument(spec);
  await twin.app.serve((served) => served);
  expect(twin.lines.filter((line) => ofSecret.test(line))).toHaveLength(1);
});

it('says nothing of it where it does not start', async () => {
  const { origin } = await serveDocument(spec);
  const port = Number(new URL(origin).port);
  const lines: string[] = [];
  const config = parseConfig(['--spec', spec, '--port', `${port}`], {}).config as Config;
  const log = createLog('info', (line) => lines.push(line));
  await expect(openTwin(config, { log })).rejects.toThrow(`Port ${port} on 127.0.0.1 is taken.`);
  expect(lines).toEqual([]);
});

it('refuses a secret that is none of Standard Webhooks, unless the API signs otherwise', async () => {
  const webhookSecret = 'whsec_short';
  await expect(serveDocument(spec, { webhookSecret })).rejects.toThrow(
    '--webhook-secret must be base64 of Standard Webhooks, such as whsec_MfKQ9r8GKYqrTwjUPD8ILPZI.',
  );
  const overlay = join(makeFolder(), 'signs.yaml');
  const actions =
    'actions: [{ target: $, update: { x-twin: { webhooks: { header: Own-Signature } } } }]';
  await writeFile(overlay, `overlay: 1.0.0\ninfo: { title: Own, version: "1" }\n${actions}\n`);
  await serveDocument(spec, { webhookSecret, overlay });
});

it('says so where what a behaviour emits does not fit, and is not in the payload', async () => {
  const { twin, emit } = await serveEmitting();
  await emit('order.created', { id: 1, quantity: 'many', status: 'paid' });
  await emit('order.shipped', { id: 1, quantity: 2, status: 'paid' });
  await emit('order.shipped');
  const [line, ...others] = twin.lines.filter((line) => line.startsWith('emit'));
  expect(line).toMatch(
    /^emit: The payload given for order\.created does not fit its schema, so the mock made one up\. .*quantity/,
  );
  expect(others).toEqual([]);
});

it('sends what a behaviour emits: a payload as it is, or as the item of the payload', async () => {
  const { twin, emit } = await serveEmitting();
  const one = { id: 1, quantity: 2, status: 'paid' };
  await emit('order.shipped', one);
  const { payload } = await nextOf(twin, 'order.shipped');
  expect(payload).toMatchObject({ type: 'order.shipped', data: { order: one } });
  const id = '01890a5d-ac96-774b-bcce-b302099a8057';
  const whole = { ...payload, id, createdAt: '2030-01-01T00:00:00Z' };
  await emit('orderShipped', whole);
  expect(await nextOf(twin, 'order.shipped')).toMatchObject({ payload: whole });
  await emit('order.shiped', whole);
  const unknown = 'The document has no webhook "order.shiped". Did you mean "order.shipped"?';
  expect(twin.lines).toContain(`emit: ${unknown}\n`);
  await emit('stock.low', { left: 9007199254740993n });
  await nextOf(twin, 'stock.low');
  expect((await adminOf(twin).send('GET', 'webhooks')).text).toContain('"left":9007199254740993');
});

it('emits what is called exactly so before what is called alike', async () => {
  const { url, received } = await startReceiver((response) => response.writeHead(204).end());
  const { twin, emit } = await serveEmitting();
  const made = await twin.send('POST', '/orders', { ...order, notifyUrl: url });
  await emit('orderPaid', made.json);
  await expect.poll(() => received.length).toBe(1);
});

it('emits a callback to the receivers of the item that its payload is about', async () => {
  const { url, received } = await startReceiver((response) => response.writeHead(204).end());
  const { twin, emit } = await serveEmitting();
  const create = async () => (await twin.send('POST', '/orders', order, { 'X-Confirm': url })).json;
  const [a, b] = [await create(), await create()];
  await expect.poll(() => received.length).toBe(2);
  const [toA, toB] = [`/orders/${a.id}`, `/orders/${b.id}`];
  const receiversOf = async (payload?: unknown) => {
    received.length = 0;
    await emit('confirmation', payload);
    await expect.poll(() => statesOf(twin)).not.toContain('pending');
    return received.map((one) => one.url).toSorted();
  };
  expect(await receiversOf(a)).toEqual([toA]);
  expect(await receiversOf({ orderId: b.id, left: 1 })).toEqual([toB]);
  expect(await receiversOf({ id: 'evt_1', order_id: `${b.id}` })).toEqual([toB]);
  expect(await receiversOf({ id: 'evt_2', data: { order: a } })).toEqual([toA]);
  expect(await receiversOf({ id: 'evt_3', type: 'paid', data: b })).toEqual([toB]);
  expect(await receiversOf({ quantity: 1 })).toEqual([toA, toB]);
  expect(await receiversOf()).toEqual([toA, toB]);
});

it('lists a callback that is emitted without a known receiver', async () => {
  const { twin, emit } = await serveEmitting();
  await emit('confirmation');
  const { deliveries } = await viewOf(twin);
  expect(deliveries).toMatchObject([{ event: 'confirmation', state: 'unsent' }]);
});

it('tells of a deleted item that reads show in a wrapper', async () => {
  const requestBody = jsonOf(schemaOf('{ id!: int, name! }'));
  const hook = { post: { requestBody, responses: { 204: {} } } };
  const lines = `
    POST /pets { id!: int, name! } -> 201 { data!: { id!: int, name! } }
    GET /pets/{id} -> { data!: { id!: int, name! } }
    DELETE /pets/{id} -> 204`;
  const twin = await serveDocument(documentOf(lines, {}, { webhooks: { petDeleted: hook } }));
  const { json } = await twin.send('POST', '/pets', { id: 77, name: 'Rex' });
  await twin.send('DELETE', `/pets/${json.data.id}`);
  expect(await nextOf(twin, 'petDeleted')).toMatchObject({ payload: json.data });
});
