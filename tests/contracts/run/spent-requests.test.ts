import { expect, it } from 'vitest';
import type { Report } from '../../../contracts/report/events.ts';
import { jsonOf, pathParameter, toDocument } from '../../support/serve-document.ts';
import { startServer } from '../../support/start-server.ts';
import { useVerify } from '../../support/verify-command.ts';
import { writeJson } from '../../support/write-json.ts';

const runVerify = useVerify();
const properties = { id: { type: 'integer' }, name: { type: 'string' } };
const item = { type: 'object', required: ['id', 'name'], properties };
const sent = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };
const deleted = { 204: { description: 'Gone.' } };

/** A document of so many collections, each with a list, a create, a read and a deletion. */
function toShelves(count: number): object {
  const names = Array.from({ length: count }, (_, index) => `shelf${index + 1}`);
  const paths = names.flatMap((name) => [
    [
      `/${name}`,
      {
        get: {
          operationId: `list-${name}`,
          responses: { 200: jsonOf({ type: 'array', items: item }) },
        },
        post: {
          operationId: `add-${name}`,
          requestBody: { ...jsonOf(sent), required: true },
          responses: { 201: jsonOf(item), 400: { description: 'Wrong.' } },
        },
      },
    ],
    [
      `/${name}/{id}`,
      {
        parameters: [pathParameter('id')],
        get: {
          operationId: `get-${name}`,
          responses: { 200: jsonOf(item), 404: { description: 'None.' } },
        },
        delete: { operationId: `drop-${name}`, responses: deleted },
      },
    ],
  ]);
  return toDocument({
    ...Object.fromEntries(paths),
    '/health': { get: { operationId: 'health', responses: { 200: jsonOf({}) } } },
  });
}

/** A server of such a document, and the calls that it got. */
async function startShelves() {
  const asked: string[] = [];
  const stores = new Map<string, Map<string, object>>();
  let last = 0;
  const url = await startServer(({ method, segments: [name = '', id], sent: body }) => {
    asked.push(`${method} /${name}`);
    const store = stores.get(name) ?? new Map<string, object>();
    stores.set(name, store);
    if (name === 'health') return { status: 200, body: {} };
    if (id === undefined && method === 'GET') return { status: 200, body: [...store.values()] };
    if (id === undefined) {
      if (typeof body?.name !== 'string') return { status: 400, body: {} };
      last += 1;
      store.set(String(last), { id: last, name: body.name });
      return { status: 201, body: store.get(String(last)) };
    }
    if (!store.has(id)) return { status: 404, body: {} };
    if (method !== 'DELETE') return { status: 200, body: store.get(id) };
    store.delete(id);
    return { status: 204 };
  });
  return { url, asked };
}

async function runOn(count: number, maxRequests: number, more: string[] = []) {
  const { url, asked } = await startShelves();
  const spec = await writeJson(toShelves(count));
  const args = [
    '--spec',
    spec,
    '--target',
    url,
    '--no-mock',
    '--max-requests',
    String(maxRequests),
  ];
  const { out } = await runVerify([...args, '--allow-writes', ...more]);
  return { out, asked };
}

it('spends what changes leave of the requests, and says what it lacked them for', async () => {
  const { out, asked } = await runOn(12, 300, ['--json', '-']);
  const { targets, incomplete, findings } = JSON.parse(out) as Report;
  expect(asked.length).toBeGreaterThan(285);
  // Tidying up may take more.
  expect(asked.length).toBeLessThan(320);
  expect(targets[0]?.requests).toBe(asked.length);
  expect(incomplete.join()).toMatch(/300 requests/);
  expect(findings.filter(({ verdict }) => verdict === 'drift')).toEqual([]);
});

it('makes all cases where there are enough requests, and says nothing of their number', async () => {
  const { out, asked } = await runOn(3, 900, ['--json', '-']);
  const { incomplete } = JSON.parse(out) as Report;
  expect(asked.length).toBeLessThan(900);
  expect(incomplete).toEqual([]);
});

it('reads plainly before it changes anything, and tells why it did not reach the rest', async () => {
  const { out, asked } = await runOn(12, 60, ['--json', '-']);
  const first = asked.findIndex((call) => call.startsWith('POST'));
  expect(asked.slice(0, first)).toContain('GET /health');
  const { notCalled } = JSON.parse(out) as Report;
  expect(notCalled.length).toBeGreaterThan(0);
  for (const { reason } of notCalled) expect(reason).toMatch(/60 requests/);
});
