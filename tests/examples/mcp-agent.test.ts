import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeFolder } from '../support/make-folder.ts';
import { connectStdio } from '../support/mcp-client.ts';

/** The client under development: it sends a number where the API has a text, and never waits. */
const client = (name: unknown) => `
export async function order(base, key) {
  const response = await fetch(base + '/orders', {
    method: 'POST',
    headers: { Authorization: 'Bearer ' + key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ title: ${JSON.stringify(name)}, quantity: 2 }),
  });
  return response.status;
}`;

const document = `
openapi: 3.1.0
info: { title: Orders, version: '1' }
components:
  securitySchemes: { key: { type: http, scheme: bearer } }
  schemas:
    Order:
      type: object
      required: [title, quantity]
      properties:
        id: { type: integer, readOnly: true }
        title: { type: string }
        quantity: { type: integer, minimum: 1 }
security: [{ key: [] }]
paths:
  /orders:
    get:
      operationId: listOrders
      responses:
        '200':
          description: All orders.
          content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Order' } } } }
    post:
      operationId: createOrder
      requestBody:
        required: true
        content: { application/json: { schema: { $ref: '#/components/schemas/Order' } } }
      responses:
        '201':
          description: The order.
          content: { application/json: { schema: { $ref: '#/components/schemas/Order' } } }
        '429': { description: Too many requests. }
`;

/**
 * A recorded session: an agent that has a document, a client whose call fails, and the tools. Each
 * step follows from what the last one answered.
 */
it('lets an agent find out why a call failed, set up a 429, move the clock and write a test', async () => {
  const folder = makeFolder();
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  const node = (...args: string[]) =>
    new Promise<{ code: number; out: string }>((resolve) =>
      execFile(process.execPath, args, { cwd: folder }, (error, out) =>
        resolve({ code: error ? Number(error.code) : 0, out }),
      ),
    );
  write('orders.yaml', document);
  write('client.mjs', client(7));
  const { ask } = await connectStdio([
    '--spec',
    join(folder, 'orders.yaml'),
    '--rate-limits',
    'enforce',
  ]);

  // 1. Where is the API, and what does it have?
  const overview = await ask('describe_api');
  const [, base = ''] = /at (http:\S+)/.exec(overview) ?? [];
  const [, key = ''] = /Keys: ([\w-]+)/.exec(overview) ?? [];
  expect(overview).toContain('createOrder: POST /orders: create of orders');

  // 2. The client runs, and its call is refused. Why?
  const place = `import { order } from './client.mjs'; console.log(await order('${base}', '${key}'));`;
  write('run.mjs', place);
  expect((await node('run.mjs')).out).toBe('400\n');
  const failed = await ask('why');
  expect(failed).toContain('Reason: 400: "title" must be a string, but is 7.');
  expect(await ask('describe_api', { operation: 'createOrder' })).toContain('title:');

  // 3. A corrected call works, so the client is corrected in the same way.
  const [, id = ''] = /^#(\d+)/.exec(failed) ?? [];
  expect(await ask('why', { id: Number(id) })).toContain('title: 7');
  const corrected = { operation: 'createOrder', body: { title: 'Seven', quantity: 2 } };
  expect(await ask('call_operation', corrected)).toContain('Status: 201 Created');
  write('client.mjs', client('Seven'));
  expect((await node('run.mjs')).out).toBe('201\n');

  // 4. What does the client do at a 429, and when the minute is over?
  await ask('time', { action: 'freeze' });
  await ask('break_it', { action: 'exhaust', key });
  expect((await node('run.mjs')).out).toBe('429\n');
  expect(await ask('why', { status: 429 })).toContain(`the minute of ${key} is used up`);
  await ask('time', { action: 'advance', minutes: 1 });
  expect((await node('run.mjs')).out).toBe('201\n');

  // 5. The same as a test, which sets up its case through the admin of the mock.
  const { origin } = new URL(base);
  write(
    'client.test.mjs',
    `
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { order } from './client.mjs';

const admin = (path, body) =>
  fetch('${origin}/__admin/' + path, { method: 'POST', body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } });

test('orders, and reports a 429', async () => {
  await admin('reset');
  assert.equal(await order('${base}', '${key}'), 201);
  await admin('faults', { operation: 'createOrder', status: 429, times: 1 });
  assert.equal(await order('${base}', '${key}'), 429);
  assert.equal(await order('${base}', '${key}'), 201);
});
`,
  );
  const tested = await node('--test', '--test-reporter=tap', 'client.test.mjs');
  expect(tested).toMatchObject({ code: 0, out: expect.stringContaining('# pass 1') });
  expect(await ask('why')).toContain('Reason: 429: the fault "fault-1" answered with 429');
});
