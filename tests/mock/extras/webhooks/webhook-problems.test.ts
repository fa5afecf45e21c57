import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import type { Extra } from '../../../../mock/extra.ts';
import { allExtras } from '../../../../mock/extras/all-extras.ts';
import type { WebhooksView } from '../../../../mock/extras/webhooks/webhook-handlers.ts';
import type { Emit } from '../../../../mock/sandboxes/run-task.ts';
import { maxTasks } from '../../../../mock/tasks/tasks.ts';
import { type ServedDocument, serveDocument } from '../../../support/serve-document.ts';
import { projectFile } from '../../../support/twin.ts';
import { makeFolder } from '../../../support/watching.ts';
import { startReceiver } from '../../../support/webhook-receiver.ts';

const spec = projectFile('tests/support/shop.yaml');

/** What the admin of a twin says of its webhooks. */
async function viewOf({ origin }: ServedDocument): Promise<WebhooksView> {
  return (await fetch(`${origin}/__admin/webhooks`)).json() as Promise<WebhooksView>;
}

/** Waits for the next delivery of an event. */
async function nextOf({ origin }: ServedDocument, event: string) {
  const body = JSON.stringify({ event });
  const headers = { 'Content-Type': 'application/json' };
  return (await fetch(`${origin}/__admin/webhooks/next`, { method: 'POST', body, headers })).json();
}

const order = { quantity: 1 };

it('says in one line that a receiver fails, and goes on', async () => {
  const { url } = await startReceiver((response) => response.writeHead(500).end());
  const twin = await serveDocument(spec, { webhookUrl: [{ url }] });
  await twin.send('POST', '/orders', order);
  await nextOf(twin, 'order.created');
  expect(twin.lines).toContain(
    `The webhook order.created to ${url}: the receiver answered 500. It is tried again in 5 seconds.\n`,
  );
  expect((await twin.send('GET', '/orders')).status).toBe(200);
});

it('says so where a name is like that of a webhook of the document', async () => {
  const { url } = await startReceiver((response) => response.writeHead(204).end());
  const webhookUrl = [
    { url, event: 'order.creatd' },
    { url, event: 'orderCreated' },
    { url, event: 'stock.low' },
  ];
  const twin = await serveDocument(spec, { webhookUrl });
  expect(twin.lines.filter((line) => line.includes('Did you mean'))).toEqual([
    '--webhook-url: The document has no webhook "order.creatd". Did you mean "order.created"?\n',
  ]);
});

it('sends nothing more to a receiver that answered 410, until the next reset', async () => {
  const { url, received } = await startReceiver((response) => response.writeHead(410).end());
  const twin = await serveDocument(spec, { webhookUrl: [{ url }] });
  await twin.send('POST', '/orders', order);
  expect(await nextOf(twin, 'order.created')).toMatchObject({ state: 'failed', status: 410 });
  await twin.send('POST', '/orders', order);
  expect(await viewOf(twin)).toMatchObject({
    endpoints: [{ url, isGone: true }],
    deliveries: [{ event: 'order.created' }],
  });
  expect(received).toHaveLength(1);
  await twin.app.reset();
  expect((await viewOf(twin)).endpoints).toEqual([{ url, isGone: false }]);
});

it('goes on with tries after a restart with a store, with the same id', async () => {
  const { url, received } = await startReceiver((response) => response.writeHead(500).end());
  const store = `sqlite:${join(await makeFolder(), 'twin.db')}`;
  const settings = { webhookUrl: [{ url }], store };
  const before = await serveDocument(spec, settings);
  await before.send('POST', '/orders', order);
  await nextOf(before, 'order.created');
  await before.close();
  const after = await serveDocument(spec, settings);
  const body = JSON.stringify({ action: 'advance', durationMillis: 5000 });
  const headers = { 'Content-Type': 'application/json' };
  await fetch(`${after.origin}/__admin/clock`, { method: 'PUT', body, headers });
  expect(received).toHaveLength(2);
  expect(received[1]?.headers['webhook-id']).toBe(received[0]?.headers['webhook-id']);
  expect((await viewOf(after)).deliveries).toMatchObject([
    { state: 'pending', tries: [{ status: 500 }] },
  ]);
  const { id } = (await viewOf(after)).deliveries[0] as { id: string };
  await fetch(`${after.origin}/__admin/webhooks/${id}/resend`, { method: 'POST' });
  await expect.poll(() => received.length).toBe(3);
  await expect
    .poll(() => after.app.sandboxes.defaultSandbox.tasks.list())
    .toMatchObject([{ args: { id, tried: 1 } }]);
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
  await expect
    .poll(async () => (await viewOf(twin)).deliveries.map(({ state }) => state))
    .toEqual(['delivered', 'delivered', 'delivered', 'delivered']);
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
  expect(await nextOf(twin, 'order.created')).toMatchObject({
    state: 'failed',
    tries: [{ status: 500 }, { problem: expect.stringContaining('1,000 tasks, the maximum') }],
  });
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
  const twin = await serveDocument(spec, { webhookUrl: [{ url }] });
  await twin.send('POST', '/orders', order);
  const problem =
    'webhooks are sent to this machine only, and not to 192.0.2.1; --webhook-hosts 192.0.2.1 allows it';
  expect(await nextOf(twin, 'order.created')).toMatchObject({
    state: 'refused',
    tries: [{ problem }],
  });
  expect(twin.lines).toContain(`The webhook order.created to ${url}: ${problem}.\n`);
});

it('shows neither its secret nor those of URLs', async () => {
  const { url } = await startReceiver((response) => response.writeHead(500).end());
  const webhookSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const secretUrl = `${url.replace('//', '//user:hidden@')}/?token=hidden`;
  const twin = await serveDocument(spec, { webhookUrl: [{ url: secretUrl }], webhookSecret });
  await twin.send('POST', '/orders', order);
  await nextOf(twin, 'order.created');
  await twin.call(`/orders?${webhookSecret}`);
  const shown = JSON.stringify([
    await viewOf(twin),
    twin.lines,
    await (await fetch(`${twin.origin}/__admin/requests`)).json(),
  ]);
  expect(shown).toContain('order.created');
  expect(shown).not.toContain('hidden');
  expect(shown).not.toContain(webhookSecret);
});

it('makes a secret up, and says so at the start', async () => {
  const twin = await serveDocument(spec);
  expect(twin.lines.join('')).toMatch(
    /Webhooks are signed with whsec_[\w+/=]{32}; --webhook-secret sets another secret\.\n/,
  );
});

it('sends what a behaviour emits: a payload as it is, or as the item of the payload', async () => {
  let emit: Emit | undefined;
  const emitting: Extra = () => ({
    mountInFront(_, extras) {
      emit = extras.find((one) => one.emit)?.emit;
    },
  });
  const twin = await serveDocument(spec, { extras: [...Object.values(allExtras), emitting] });
  const { defaultSandbox } = twin.app.sandboxes;
  const one = { id: 1, quantity: 2, status: 'paid' };
  await emit?.(defaultSandbox, 'order.shipped', one);
  expect(await nextOf(twin, 'order.shipped')).toMatchObject({
    payload: { type: 'order.shipped', data: { order: one } },
  });
  const whole = {
    ...{ id: '01890a5d-ac96-774b-bcce-b302099a8057', type: 'order.shipped' },
    ...{ createdAt: '2030-01-01T00:00:00Z', data: { order: one } },
  };
  await emit?.(defaultSandbox, 'orderShipped', whole);
  expect(await nextOf(twin, 'order.shipped')).toMatchObject({ payload: whole });
  await emit?.(defaultSandbox, 'order.shiped', whole);
  expect(twin.lines).toContain(
    'emit: The document has no webhook "order.shiped". Did you mean "order.shipped"?\n',
  );
  await emit?.(defaultSandbox, 'stock.low', { left: 9007199254740993n });
  await nextOf(twin, 'stock.low');
  const text = await (await fetch(`${twin.origin}/__admin/webhooks`)).text();
  expect(text).toContain('"left":9007199254740993');
});

it('is loaded for a document that needs it only', async () => {
  const code = `
    import { registerHooks } from 'node:module';
    const loaded = [];
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
    const { createTwin } = await import(process.argv[1]);
    for (const spec of [undefined, process.argv[2]]) {
      const twin = await createTwin({ spec, logLevel: 'silent' });
      await fetch(twin.url + '/pets');
      await twin.close();
      console.log(loaded.filter((url) => /extras.webhook/.test(url)).length > 0);
    }`;
  const args = ['--input-type=module', '-e', code, projectFile('package/twin.ts'), spec];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  expect(stdout).toBe('false\ntrue\n');
});
