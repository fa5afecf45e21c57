import { expect, it } from 'vitest';
import type { Report } from '../../../contracts/report/events.ts';
import { documentOf } from '../../support/document-of.ts';
import { startServer } from '../../support/start-server.ts';
import { useVerify } from '../../support/verify-command.ts';
import { writeJson } from '../../support/write-json.ts';

const runVerify = useVerify();
/** A document of so many collections, each with a list, a create, a read and a deletion. */
const toShelves = (count: number) =>
  documentOf(
    `
    ${Array.from({ length: count }, (_, index) => `shelf${index + 1}`)
      .flatMap((name) => [
        `GET /${name} -> [Item]`,
        `POST /${name} { name! }! -> 201 Item, 400`,
        `GET /${name}/{id} -> Item, 404`,
        `DELETE /${name}/{id} -> 204`,
      ])
      .join('\n')}
    GET /health -> any
    Item: { id!: int, name! }
    `,
  );

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
  const args = ['--spec', spec, '--target', url, '--max-requests', String(maxRequests)];
  const { out } = await runVerify([...args, '--no-mock', '--allow-writes', ...more]);
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
