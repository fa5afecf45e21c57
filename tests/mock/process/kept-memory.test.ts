import { expect, it } from 'vitest';
import { serveMock } from '../../support/run-mock.ts';
import { jsonOf, pathParameter, toDocument } from '../../support/serve-document.ts';
import { writeJson } from '../../support/write-json.ts';

const text = { type: 'string' };
const order = {
  type: 'object',
  properties: { id: { type: 'integer', readOnly: true }, note: text, notifyUrl: text },
};
const document = toDocument({
  '/orders': {
    get: { responses: { 200: jsonOf({ type: 'array', items: order }) } },
    post: {
      requestBody: jsonOf(order),
      responses: { 201: jsonOf(order) },
      callbacks: {
        orderCreated: {
          '{$request.body#/notifyUrl}': {
            post: { requestBody: jsonOf(order), responses: { 204: { description: 'Thanks.' } } },
          },
        },
      },
    },
  },
  '/orders/{id}': {
    parameters: [pathParameter('id')],
    get: { responses: { 200: jsonOf(order) } },
    patch: { requestBody: jsonOf(order), responses: { 200: jsonOf(order) } },
    delete: { responses: { 204: { description: 'Gone.' } } },
  },
});

it('goes on, whatever calls make it keep besides items', async () => {
  const spec = await writeJson(document);
  const { stdout, child } = await serveMock(['--disable-banner', '--spec', spec], {
    nodeArgs: ['--max-old-space-size=80'],
  });
  const api = stdout.trim();
  const long = 'x'.repeat(1_000_000);
  const send = async (method: string, path: string, body: unknown, headers: object = {}) => {
    const init = { method, headers: { 'Content-Type': 'application/json', ...headers } };
    const sent = body === undefined ? init : { ...init, body: JSON.stringify(body) };
    const response = await fetch(api + path, sent);
    return { status: response.status, text: await response.text() };
  };
  const kept = async (n: number) => {
    const patched = await send('PATCH', '/orders/1', { note: long }, { 'Idempotency-Key': `${n}` });
    const created = await send('POST', '/orders', {
      note: long,
      notifyUrl: `http://127.0.0.1:1/${n}`,
    });
    const { id } = JSON.parse(created.text);
    const removed = await send('DELETE', `/orders/${id}`, undefined);
    return [patched.status, created.status, removed.status];
  };
  // Without a bound, the process ends before.
  for (let n = 0; n < 50; n++) expect(await kept(n)).toEqual([200, 201, 204]);
  const again = await send('PATCH', '/orders/1', { note: long }, { 'Idempotency-Key': '49' });
  expect([again.status, child.exitCode]).toEqual([200, null]);
});
