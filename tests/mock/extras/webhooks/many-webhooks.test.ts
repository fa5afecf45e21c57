import { expect, it, vi } from 'vitest';
import type { WebhooksView } from '../../../../mock/extras/webhooks/webhook-handlers.ts';
import { maxTasks } from '../../../../mock/tasks/tasks.ts';
import { adminOf } from '../../../support/admin-requests.ts';
import { documentOf, schemaOf } from '../../../support/document-of.ts';
import { jsonOf, type ServedDocument, serveDocument } from '../../../support/serve-document.ts';
import { startReceiver } from '../../../support/webhook-receiver.ts';

const hook = '{ id: int, url, events: [text] }';
const told = {
  post: { requestBody: jsonOf(schemaOf(hook)), responses: { 204: { description: 'Fine.' } } },
};
const document = documentOf(
  `
  GET /listeners -> [${hook}]
  POST /listeners ${hook} -> 201 ${hook}
  POST /listeners/bulk [${hook}] -> 201 [${hook}]
  `,
  {},
  { webhooks: { listenerCreated: told } },
);

/** Lists the deliveries of a mock. */
async function deliveriesOf(mock: ServedDocument): Promise<WebhooksView['deliveries']> {
  return (await adminOf(mock).ask('webhooks')).deliveries;
}

/** Lists the warnings of a mock about webhooks that are not sent. */
const warningsOf = ({ lines }: ServedDocument) => lines.filter((line) => / sent\b/.test(line));

it('plans the deliveries of an event in one change, to 100 receivers at most, and says so', async () => {
  const { url } = await startReceiver();
  const twin = await serveDocument(document, { pets: 0, webhookUrl: [{ url }] });
  const hooks = Array.from({ length: 140 }, (_, n) => ({ url: `${url}/${n}`, events: ['*'] }));
  const others = hooks.map((one) => ({ ...one, events: ['order.deleted'] }));
  const body = JSON.stringify([...others, ...hooks]);
  const headers = { 'Content-Type': 'application/json', 'X-Twin-Hops': '1' };
  await twin.call('/listeners/bulk', { method: 'POST', body, headers });
  const change = vi.spyOn(twin.app.sandboxes.defaultSandbox, 'change');
  await twin.send('POST', '/listeners', { url, events: [] });
  const planning = change.mock.calls.filter(([act]) => `${act}`.includes('tasks.add'));
  expect(planning).toHaveLength(1);
  expect(twin.lines.filter((line) => line.startsWith('The'))).toEqual([
    'The webhook listenerCreated has 141 receivers, and is sent to the first 100 alone.\n',
  ]);
  const sent = (await deliveriesOf(twin)).slice(-100).map((one) => one.url);
  expect([sent[0], new Set(sent).size]).toEqual([url, 100]);
});

it('says once how many webhooks of an operation are not sent, and lists them with the reason', async () => {
  const { url, received } = await startReceiver();
  const twin = await serveDocument(document, { pets: 0, webhookUrl: [{ url }] });
  const { tasks, change } = twin.app.sandboxes.defaultSandbox;
  await change(() => {
    for (let n = 10; n < maxTasks; n++) tasks.add({ name: 'none', args: null, due: 8e15 });
  });
  const created = Array.from({ length: 300 }, () => ({ url, events: [] }));
  await twin.send('POST', '/listeners/bulk', created);
  const reason =
    'The sandbox has 1,000 tasks, the maximum. Wait until some are done, or remove some with DELETE /__admin/tasks.';
  expect(warningsOf(twin)).toEqual([`290 of 300 webhooks are not sent. ${reason}\n`]);
  await expect.poll(() => received.length).toBe(10);
  const states = Map.groupBy(await deliveriesOf(twin), ({ state }) => state);
  expect(states.get('delivered')).toHaveLength(10);
  expect(states.get('failed')).toHaveLength(290);
  expect(states.get('failed')?.[0]?.tries).toMatchObject([{ problem: reason }]);
});

it('says once that an event of many items has more receivers than it is sent to', async () => {
  const { url } = await startReceiver();
  const webhookUrl = Array.from({ length: 101 }, (_, n) => ({ url: `${url}/${n}` }));
  const twin = await serveDocument(document, { pets: 0, webhookUrl });
  const created = Array.from({ length: 3 }, () => ({ url, events: [] }));
  await twin.send('POST', '/listeners/bulk', created);
  expect(warningsOf(twin)).toEqual([
    'The webhook listenerCreated has 101 receivers, and is sent to the first 100 alone.\n',
  ]);
});
