import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { animal, post } from '../../support/bad-input.ts';
import { openRaw } from '../../support/raw-socket.ts';
import { serveMock } from '../../support/run-mock.ts';
import { openTestTwin, projectFile, startTwin } from '../../support/twin.ts';

const { version } = JSON.parse(readFileSync(projectFile('package.json'), 'utf8')) as {
  version: string;
};

it('tells its version, that of Node, and the document that it serves', async () => {
  const { origin } = await startTwin();
  const response = await fetch(`${origin}/__admin/version`);
  const answers = { listPets: 'store', createPet: 'store', getPet: 'store', listOrders: 'example' };
  const title = { title: 'Pet Store Service', openapi: '3.1.0', version: '1.0.0' };
  expect(await response.json()).toEqual({
    ...{ version, node: process.version },
    startedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    document: { ...title, basePath: '/v1', answers, notChecked: [], warnings: [] },
  });
});

it('stops as on SIGTERM when the admin is asked to', async () => {
  const { stdout, child } = await serveMock(['--disable-banner']);
  const stderr = once(child.stderr as NodeJS.ReadableStream, 'data');
  const exited = once(child, 'exit');
  const { origin } = new URL(stdout.trim());
  const response = await fetch(`${origin}/__admin/shutdown`, { method: 'POST' });
  expect([response.status, response.headers.get('connection')]).toEqual([202, 'close']);
  expect(await response.text()).toBe('{"status":"stopping"}');
  expect(String(await stderr)).toMatch(/^Finishing requests in progress\. /);
  expect(await exited).toEqual([0, null]);
});

it('closes a twin that was opened from code, once what is under way has its answer', async () => {
  const twin = await openTestTwin();
  const slow = await openRaw(twin.origin);
  const bytes = post(animal);
  await slow.send(bytes.subarray(0, -5));
  const response = await fetch(`${twin.origin}/__admin/shutdown`, { method: 'POST' });
  expect(response.status).toBe(202);
  await expect.poll(() => fetch(twin.origin).catch(() => 'refused')).toBe('refused');
  await slow.send(bytes.subarray(-5));
  expect(await slow.next()).toMatchObject({ status: 201 });
  await slow.finish();
  await twin.close();
});

it('does not wait for connections that never sent anything', async () => {
  const twin = await openTestTwin({ timeouts: { stop: 60_000 } });
  const spare = connect(Number(new URL(twin.origin).port), '127.0.0.1');
  await once(spare, 'connect');
  await fetch(`${twin.origin}/__admin/health`);
  await twin.close();
  spare.destroy();
});

it('lets somebody else decide what stopping means', async () => {
  let asked = 0;
  const { origin } = await startTwin({ onShutdown: () => void (asked += 1) });
  await fetch(`${origin}/__admin/shutdown`, { method: 'POST' });
  await expect.poll(() => asked).toBe(1);
  expect((await fetch(`${origin}/__admin/health`)).status).toBe(200);
});

it('is not stopped by those whom the admin keeps out, nor by a GET', async () => {
  let asked = 0;
  const { origin } = await startTwin({ adminToken: 's3cret', onShutdown: () => void (asked += 1) });
  const call = async (method: string, headers: Record<string, string>) =>
    (await fetch(`${origin}/__admin/shutdown`, { method, headers })).status;
  const token = { Authorization: 'Bearer s3cret' };
  expect(await call('POST', {})).toBe(401);
  expect(await call('POST', { ...token, Origin: 'https://evil.example' })).toBe(403);
  expect(await call('GET', token)).toBe(405);
  expect(asked).toBe(0);
  expect(await call('POST', token)).toBe(202);
});
