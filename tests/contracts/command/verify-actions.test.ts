import { createServer } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { listenOn } from '../../support/listen-on.ts';
import { verify, verifyWrites } from '../../support/verify-writes.ts';
import { writeJson } from '../../support/write-json.ts';

/** Its documents do not list every status. */
const skip = ['described-status'];

const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const invoice = {
  type: 'object',
  required: ['id', 'title'],
  properties: {
    id: { type: 'string', pattern: '^inv_[0-9]{12}$', readOnly: true },
    title: { type: 'string' },
  },
};
const me = { type: 'object', properties: { name: { type: 'string' } } };

function writeInvoices() {
  const ok = (schema: object) => ({ description: 'ok', ...json(schema) });
  const none = { description: 'none' };
  const [id, page] = ['id', 'page'].map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: name === 'id' ? invoice.properties.id : { type: 'integer' },
  }));
  return writeJson({
    openapi: '3.1.0',
    info: { title: 'Invoices', version: '1' },
    paths: {
      '/invoices': {
        get: { operationId: 'list', responses: { 200: ok({ type: 'array', items: invoice }) } },
        post: {
          operationId: 'add',
          requestBody: json(invoice),
          responses: { 201: ok(invoice) },
        },
      },
      '/invoices/{id}': {
        parameters: [id],
        get: { operationId: 'read', responses: { 200: ok(invoice), 404: none } },
        delete: { operationId: 'remove', responses: { 204: none } },
        post: { operationId: 'touch', responses: { 204: none } },
      },
      '/invoices/{id}/send': {
        parameters: [id],
        post: {
          operationId: 'send',
          requestBody: json({
            type: 'object',
            required: ['to'],
            properties: { to: { type: 'string' } },
          }),
          responses: { 200: ok(invoice) },
        },
      },
      '/invoices/{id}/pages/{page}': {
        parameters: [id, page],
        delete: { operationId: 'removePage', responses: { 204: none } },
      },
      '/invoices/{id}/merge': {
        parameters: [id],
        post: {
          operationId: 'merge',
          requestBody: json({
            type: 'object',
            required: ['invoiceIds'],
            properties: { invoiceIds: { type: 'array', items: invoice.properties.id } },
            example: { invoiceIds: ['inv_000000000001'] },
          }),
          responses: { 200: ok(invoice) },
        },
      },
      '/invoices/{id}/copy/{target}': {
        parameters: [id, { ...page, name: 'target' }],
        put: { operationId: 'copy', responses: { 204: none } },
      },
      '/me': {
        get: { operationId: 'me', responses: { 200: ok(me) } },
        patch: { operationId: 'updateMe', requestBody: json(me), responses: { 200: ok(me) } },
      },
    },
  });
}

async function startInvoices({ answer = (sent: object): object => sent, isSent = 200 } = {}) {
  const invoices = new Map([['inv_000000000001', { id: 'inv_000000000001', title: 'first' }]]);
  const calls: string[] = [];
  let last = 1;
  const server = createServer(async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString();
    const { method = '', url = '' } = request;
    const send = (status: number, body?: unknown) =>
      response
        .writeHead(status, body === undefined ? {} : { 'Content-Type': 'application/json' })
        .end(body === undefined ? undefined : JSON.stringify(body));
    const [, collection, id = '', action] = (url.split('?')[0] ?? '').split('/');
    calls.push(`${method} ${[collection, id, action].filter(Boolean).join('/')} ${text}`);
    if (collection === 'me') return send(200, { name: 'Ann' });
    if (collection !== 'invoices') return send(404);
    if (id === '' && method !== 'POST') return send(200, [...invoices.values()]);
    if (id === '') {
      const title = readTitle(text);
      if (title === undefined) return send(400);
      last += 1;
      const own = `inv_${String(last).padStart(12, '0')}`;
      invoices.set(own, { id: own, title });
      return send(201, invoices.get(own));
    }
    const known = invoices.get(id);
    if (!known) return send(404);
    if (action === 'send') return send(isSent, answer(known));
    if (action !== undefined) return send(204);
    if (method === 'POST') return send(204);
    if (method === 'GET') return send(200, known);
    if (method !== 'DELETE') return response.writeHead(405, { Allow: 'GET, DELETE, POST' }).end();
    invoices.delete(id);
    return send(204);
  });
  onTestFinished(() => void server.close());
  return { url: await listenOn(server), calls, left: () => [...invoices.keys()] };
}

function readTitle(text: string): string | undefined {
  try {
    const { title } = JSON.parse(text);
    return typeof title === 'string' ? title : undefined;
  } catch {
    return undefined;
  }
}

it('calls what is below items on items of its own alone, and says what it does not call', async () => {
  const { url, calls, left } = await startInvoices();
  const report = await verify({
    allowWrites: true,
    target: { url, keys: [] },
    twin: false,
    spec: await writeInvoices(),
    skip,
  });
  expect(report.findings).toEqual([]);
  expect([left(), report.residue]).toEqual([['inv_000000000001'], []]);
  const sent = calls.filter((call) => /\/(send|pages) |^POST invoices\//.test(call));
  expect(sent).toEqual([
    expect.stringMatching(/^POST invoices\/inv_\d{12} $/),
    expect.stringMatching(/^POST invoices\/inv_\d{12}\/send \{"to":"[0-9a-f]{12}"\}$/),
  ]);
  expect(sent.join()).not.toContain('inv_000000000001');
  expect(calls.filter((call) => /\/(merge|copy)/.test(call))).toEqual([]);
  expect(report.notCalled.map(({ operation, reason }) => [operation, reason])).toEqual([
    [
      'removePage',
      'it needs a value that may name what the run has not made; --call removePage allows it',
    ],
    ['merge', 'it needs a value that may name what the run has not made; --call merge allows it'],
    ['copy', 'it needs a value that may name what the run has not made; --call copy allows it'],
    ['updateMe', 'it may change what the run has not made; --call updateMe allows it'],
  ]);
  expect(calls.filter((call) => call.startsWith('PATCH me'))).toEqual([]);
});

it.each([
  [{ answer: () => ({ sent: true }) }, 'body-schema', /^send answers 200 with a body that breaks/],
  [{ isSent: 500 }, 'reliable-answers', /^the target answers with a server error/],
] as const)('finds what an action answers wrongly: %j', async (fault, check, text) => {
  const { url } = await startInvoices(fault);
  const spec = await writeInvoices();
  const { findings } = await verifyWrites(url, spec, { skip });
  expect(findings.map((one) => [one.check, one.message])).toEqual([
    [check, expect.stringMatching(text)],
  ]);
});

it('finds nothing wrong with the actions of the twin, and calls all of them', async () => {
  const report = await verify({ spec: await writeInvoices() });
  expect(report.findings).toEqual([]);
  const calls = new Map(report.operations.map(({ id, results }) => [id, results.twin?.calls]));
  expect(calls.get('send')).toBeGreaterThan(0);
  expect(report.notCalled).toEqual([]);
});
