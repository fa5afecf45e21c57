import { createServer } from 'node:http';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { Call } from '../../../mock/extras/behaviours/define.ts';
import { traceOf } from '../../../mock/journal/trace.ts';
import { createTwin, type TwinSettings } from '../../../package/twin.ts';
import { createSend } from '../../support/create-send.ts';
import { listenOn } from '../../support/listen-on.ts';
import { bearer, projectFile, startTwin } from '../../support/twin.ts';
import { startReceiver } from '../../support/webhook-receiver.ts';

const ids = '4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const trace = { traceparent: `00-${ids}`, tracestate: 'vendor=1' };

it.each([
  [`00-${ids}`, true],
  [`01-${ids}-more`, true],
  [`00-${ids}-more`, false],
  [`ff-${ids}`, false],
  [`00-${ids.toUpperCase()}`, false],
  [`00-${ids.replace(/^[^-]*/, '0'.repeat(32))}`, false],
  [`00-${ids.replace(/-[^-]*-/, `-${'0'.repeat(16)}-`)}`, false],
  ['', false],
])('reads %s: %s', (traceparent, isValid) => {
  expect(traceOf({ ...trace, traceparent })).toEqual(isValid ? { ...trace, traceparent } : {});
});

it('shows the trace of a request in the journal, in lists, and in the log', async () => {
  const twin = await startTwin();
  await fetch(`${twin.api}/pets`, { headers: { ...bearer('demo-free'), ...trace } });
  await fetch(`${twin.api}/pets`, { headers: { ...bearer('demo-free'), traceparent: 'none' } });
  for (const query of ['', '?fields=summary']) {
    const response = await fetch(`${twin.origin}/__admin/requests${query}`);
    expect(await response.json()).toMatchObject({
      requests: [{ traceparent: null }, { traceparent: trace.traceparent }],
    });
  }
  expect(twin.lines).toContainEqual(
    expect.stringMatching(`^GET /v1/pets 200 [\\d.]+ ms ${trace.traceparent}\n$`),
  );
});

async function createOrder(settings: TwinSettings) {
  const spec = projectFile('tests/support/shop.yaml');
  const twin = await createTwin({ spec, items: 0, logLevel: 'silent', ...settings });
  onTestFinished(() => twin.close());
  await createSend(twin.url, trace)('POST', '/orders', { quantity: 2 });
  return twin;
}

it('passes the trace on to the webhooks that a call causes', async () => {
  const { url, received } = await startReceiver();
  const twin = await createOrder({ webhookUrl: url });
  await twin.webhooks.next('order.created');
  expect(received).toMatchObject([{ headers: trace }]);
});

it('passes the trace on to the webhooks of behaviours, again at a later try', async () => {
  const { url, received } = await startReceiver();
  const behaviours = {
    'POST /orders': async ({ next, emit }: Call) => {
      const order = await next();
      emit('orderDeleted', { event: 'order.deleted', orderId: (order as { id: number }).id });
      return order;
    },
  };
  const twin = await createOrder({ webhookUrl: `orderDeleted=${url}`, behaviours });
  const { id } = await twin.webhooks.next('orderDeleted');
  await twin.webhooks.resend(id);
  await vi.waitFor(() => expect(received).toMatchObject([{ headers: trace }, { headers: trace }]));
});

it('forwards the trace to a real service', async () => {
  const asked: unknown[] = [];
  const server = createServer(({ headers }, response) => {
    asked.push(headers);
    response.end('[]');
  });
  onTestFinished(() => void server.close());
  const forward = await listenOn(server);
  const twin = await startTwin({ forward, forwardOperations: ['listPets'] });
  await fetch(`${twin.api}/pets`, { headers: trace });
  expect(asked).toMatchObject([trace]);
});
