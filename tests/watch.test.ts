import { cp, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { bearer, projectFile, startTwin, type TestTwin } from './support/twin.ts';

/** A twin that watches a document, keys and plans of its own in a folder. */
async function startWatching() {
  const folder = await mkdtemp(join(tmpdir(), 'watch-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = (name: string) => join(folder, name);
  await cp(projectFile('contracts/openapi.yaml'), file('api.yaml'));
  await writeFile(file('keys.json'), '{"keys": [{"key": "one", "plan": "free"}, {"key": "two", "plan": "free"}]}');
  await writeFile(file('plans.json'), '{}');
  const twin = await startTwin({ watch: true, spec: file('api.yaml'), keys: file('keys.json'), plans: file('plans.json') });
  const edit = async (name: string, change: (text: string) => string) =>
    writeFile(file(name), change(await readFile(file(name), 'utf8')));
  return { twin, file, edit };
}

const list = (twin: TestTwin, path = '/pets', key = 'one') => fetch(twin.api + path, { headers: bearer(key) });
const statusOf = async (twin: TestTwin, path?: string, key?: string) => (await list(twin, path, key)).status;
const add = (twin: TestTwin) =>
  fetch(`${twin.api}/pets`, {
    method: 'POST',
    headers: { ...bearer('one'), 'Content-Type': 'application/json' },
    body: '{"name":"kept","categoryId":1}',
  });
const logged = (twin: TestTwin, text: string | RegExp) =>
  expect.poll(() => twin.lines.join(''), { timeout: 20_000, interval: 50 }).toMatch(text);

it('serves a changed document, and keeps what is stored and counted', async () => {
  const { twin, edit } = await startWatching();
  await add(twin);
  await edit('api.yaml', (text) => text.replace('  /store/orders:', '  /animals:'));
  await logged(twin, /Reloaded the document \(added listOrders; removed listOrders\)\. What is stored stays as it is\./);
  expect([await statusOf(twin, '/animals'), await statusOf(twin, '/store/orders')]).toEqual([200, 404]);
  const kept = await list(twin, '/pets/121');
  expect([kept.status, kept.headers.get('X-RateLimit-Remaining')]).toEqual([200, '56']);
});

it('serves the last good document after a bad save, says what is wrong, and takes the next good one', async () => {
  const { twin, edit, file } = await startWatching();
  const good = await readFile(file('api.yaml'), 'utf8');
  await edit('api.yaml', (text) => text.replace('openapi: 3.1.0', 'openapi: ['));
  await logged(twin, 'Not reloaded; what was good before is still served.');
  expect(await statusOf(twin)).toBe(200);
  await writeFile(`${file('api.yaml')}~`, good.replace('Pet Store Service\n', 'Pet Shop\n'));
  await rename(`${file('api.yaml')}~`, file('api.yaml'));
  await logged(twin, 'Reloaded the document.');
  expect(twin.app.served.document.title).toBe('Pet Shop');
});

it('follows what the document refers to', async () => {
  const { twin, edit, file } = await startWatching();
  await writeFile(file('status.yaml'), 'type: string\nenum: [available, pending, sold]\n');
  await edit('api.yaml', (text) => text.replace('$ref: "#/components/schemas/PetStatus"', '$ref: "./status.yaml"'));
  await logged(twin, 'Reloaded the document');
  expect(await statusOf(twin, '/pets?status=lost')).toBe(400);
  await edit('status.yaml', (text) => text.replace('sold', 'lost'));
  await expect.poll(() => statusOf(twin, '/pets?status=lost'), { timeout: 20_000 }).toBe(200);
});

it('lets keys go, takes new ones in, and follows their plans with the counts kept', async () => {
  const { twin, edit } = await startWatching();
  expect([await statusOf(twin), await statusOf(twin, '/pets', 'two')]).toEqual([200, 200]);
  await edit('keys.json', (text) => text.replace('two', 'three'));
  await logged(twin, /Reloaded keys \(/);
  expect([await statusOf(twin), await statusOf(twin, '/pets', 'two'), await statusOf(twin, '/pets', 'three')]).toEqual([
    200, 401, 200,
  ]);
  await edit('plans.json', () => '{"plans": {"free": {"perMinute": 10, "perDay": 100}}}');
  await logged(twin, /Reloaded plans \(changed free\)/);
  const { headers } = await list(twin);
  expect([headers.get('X-RateLimit-Limit'), headers.get('X-RateLimit-Remaining')]).toEqual(['10', '7']);
  await edit('plans.json', () => '{"plans": {"free": {"perMinute": 0}}}');
  await logged(twin, /Not reloaded; .*plans\.free\.perMinute must be a whole number/);
  expect((await list(twin)).headers.get('X-RateLimit-Limit')).toBe('10');
});
