import { expect, it } from 'vitest';
import { createSend } from '../../support/create-send.ts';
import { documentOf, schemaOf } from '../../support/document-of.ts';
import { serveMock } from '../../support/run-mock.ts';
import { jsonOf } from '../../support/serve-document.ts';
import { writeJson } from '../../support/write-json.ts';

const order = '{ readonly id: int, note, notifyUrl }';
const sent = {
  requestBody: jsonOf(schemaOf(order)),
  responses: { 204: { description: 'Thanks.' } },
};
const callbacks = { orderCreated: { '{$request.body#/notifyUrl}': { post: sent } } };
const document = documentOf(
  `
  GET /orders -> [${order}]
  POST /orders ${order} -> 201 ${order}
  GET /orders/{id} -> ${order}
  PATCH /orders/{id} ${order} -> ${order}
  DELETE /orders/{id} -> 204
  `,
  {},
  { operations: { 'POST /orders': { callbacks } } },
);

it('goes on, whatever calls make it keep besides items', async () => {
  const spec = await writeJson(document);
  const { stdout, child } = await serveMock(['--disable-banner', '--spec', spec], {
    nodeArgs: ['--max-old-space-size=80'],
  });
  const long = 'x'.repeat(1_000_000);
  const send = createSend(stdout.trim());
  const kept = async (n: number) => {
    const patched = await send('PATCH', '/orders/1', { note: long }, { 'Idempotency-Key': `${n}` });
    const created = await send('POST', '/orders', {
      note: long,
      notifyUrl: `http://127.0.0.1:1/${n}`,
    });
    const removed = await send('DELETE', `/orders/${created.json.id}`);
    return [patched.status, created.status, removed.status];
  };
  // Without a bound, the process ends before.
  for (let n = 0; n < 50; n++) expect(await kept(n)).toEqual([200, 201, 204]);
  const again = await send('PATCH', '/orders/1', { note: long }, { 'Idempotency-Key': '49' });
  expect([again.status, child.exitCode]).toEqual([200, null]);
});
