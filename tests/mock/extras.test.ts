import { execFile } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import express from 'express';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { Extra, RoutesOptions } from '../../mock/extra.ts';
import { readAdminDescription } from '../../mock/extras/admin/admin.ts';
import { admin, allExtras } from '../../mock/extras/all-extras.ts';
import { createSend } from '../support/create-send.ts';
import { documentOf } from '../support/document-of.ts';
import { toPins } from '../support/pinned-twin.ts';
import { serveDocument } from '../support/serve-document.ts';
import { bearer, projectFile, startTwin } from '../support/twin.ts';
import { writeJson } from '../support/write-json.ts';
import { clusterDocument } from './extras/cluster/cluster-twin.ts';
import { oauthDocument } from './extras/oauth/oauth-twin.ts';

/** A request that extras answer: these are needed, and it has this status with and without them. */
type Answer = [needs: string[], path: string, init: RequestInit, status: number, without: number];

const answers: readonly Answer[] = [
  [['admin'], '/__admin/clock', {}, 200, 404],
  [['admin', 'console'], '/__admin/console', {}, 200, 404],
  [['admin', 'domains'], '/__admin/project', {}, 200, 404],
  [['admin', 'forced'], '/__admin/faults', {}, 200, 404],
  [['forced'], '/v1/pets', { headers: { Prefer: 'code=500' } }, 500, 200],
  [['pages'], '/', { headers: { Accept: 'text/html' } }, 200, 404],
  [['admin', 'webhooks'], '/__admin/webhooks', {}, 200, 404],
  [['admin', 'snapshots'], '/__admin/snapshots', {}, 200, 404],
  [['admin', 'tasks'], '/__admin/tasks', {}, 200, 404],
];

/** Statuses of calls that need no extra. */
async function callCore(origin: string): Promise<number[]> {
  const send = createSend(`${origin}/v1`, bearer('demo-pro'));
  const answers = [
    await send('POST', '/pets', { name: 'Rex', categoryId: 1 }),
    await send('GET', '/pets?limit=2'),
    await send('GET', '/pets/1'),
    await createSend(`${origin}/v1`)('GET', '/pets'),
    await send('GET', '/nothing'),
  ];
  return answers.map(({ status }) => status);
}

async function statusOf(origin: string, [, path, init]: Answer): Promise<number> {
  const headers = { ...bearer('demo-pro'), ...init.headers };
  return (await fetch(origin + path, { ...init, headers })).status;
}

const keyedDocument = documentOf(
  'listShops: GET /shops -> [{ id: int }]',
  {},
  {
    security: [{ key: [] }],
    components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
  },
);

it.each(Object.keys(allExtras))('does everything else without %s', async (name) => {
  const extras = Object.entries(allExtras).flatMap(([one, extra]) => (one === name ? [] : [extra]));
  const { origin } = await startTwin({ extras });
  expect(await callCore(origin)).toEqual([201, 200, 200, 401, 404]);
  for (const answer of answers) {
    const [needs, path, , status, without] = answer;
    const expected = needs.includes(name) ? without : status;
    expect([path, await statusOf(origin, answer)]).toEqual([path, expected]);
  }
});

it('serves a document with OAuth without its server, to callers with keys', async () => {
  const statuses = async (extras: readonly Extra[]) => {
    const { origin } = await serveDocument(oauthDocument, { extras });
    const send = createSend(origin, bearer('demo-free'));
    const found = await send('GET', '/.well-known/oauth-authorization-server/__oauth');
    return [(await send('GET', '/v2/bearer')).status, found.status];
  };
  expect(await statuses(Object.values(allExtras))).toEqual([200, 200]);
  expect(await statuses([])).toEqual([200, 404]);
});

const scans = documentOf(`
  GET /scans/{id}/file -> application/octet-stream binary
  PUT /scans/{id}/file application/octet-stream binary -> 204
`);

it('keeps the files of a document only with uploads', async () => {
  const download = async (extras: readonly Extra[]) => {
    const { api } = await serveDocument(scans, { extras });
    const headers = { 'Content-Type': 'application/octet-stream' };
    const url = `${api}/scans/1/file`;
    const { status } = await fetch(url, { method: 'PUT', headers, body: 'sent' });
    return [status, (await (await fetch(url)).text()) === 'sent'];
  };
  expect(await download(Object.values(allExtras))).toEqual([204, true]);
  expect(await download([])).toEqual([204, false]);
});

it('gives objects what their kinds have only with cluster', async () => {
  const create = async (extras: readonly Extra[]) => {
    const { send } = await serveDocument(clusterDocument, { pets: 0, extras });
    const { status, json } = await send('POST', '/api/v1/namespaces', { metadata: { name: 'a' } });
    return [status, json.metadata.name, json.kind];
  };
  expect(await create(Object.values(allExtras))).toEqual([201, 'a', 'Namespace']);
  expect(await create([])).toEqual([201, 'a', undefined]);
});

it('loads the modules of an extra for a document that has what it serves', async () => {
  const documents = [undefined, oauthDocument, scans, clusterDocument];
  const specs = await Promise.all(documents.map((one) => one && writeJson(one)));
  const code = `
    import { registerHooks } from 'node:module';
    let loaded = [];
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
    const { createTwin } = await import(process.argv[1]);
    for (const spec of JSON.parse(process.argv[2])) {
      const twin = await createTwin({ ...(spec && { spec }), logLevel: 'silent' });
      await fetch(twin.url + '/nothing');
      await twin.close();
      const found = loaded.map((url) => /extras.(cluster|oauth|uploads|webhook)/.exec(url)?.[1]);
      console.log([...new Set(found.filter(Boolean))].join());
      loaded = [];
    }`;
  const shops = [...specs.map((one) => one ?? null), projectFile('tests/support/shop.yaml')];
  const given = [projectFile('package/twin.ts'), JSON.stringify(shops)];
  const args = ['--input-type=module', '-e', code, ...given];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  expect(stdout.split('\n')).toEqual(['', 'oauth', 'uploads', 'cluster', 'webhook', '']);
});

it('behaves as pinned only with pins', async () => {
  const pins = await writeJson(toPins({ 'limit-out-of-range': 'clamped' }));
  const statusOfLimit = async (extras: readonly Extra[]) => {
    const { origin } = await startTwin({ extras, pins });
    return (await fetch(`${origin}/v1/pets?limit=0`, { headers: bearer('demo-pro') })).status;
  };
  expect(await statusOfLimit(Object.values(allExtras))).toBe(200);
  expect(await statusOfLimit([])).toBe(400);
});

it('checks keys as bearer tokens only, without schemes', async () => {
  const statuses = async (extras: readonly Extra[]) => {
    const { call } = await serveDocument(keyedDocument, { extras });
    const sent = [{ 'X-Key': 'demo-free' }, { Accept: 'text/html' }];
    const answers = sent.map((headers) => call('/shops', { headers }));
    return (await Promise.all(answers)).map(({ status }) => status);
  };
  expect(await statuses(Object.values(allExtras))).toEqual([200, 401]);
  expect(await statuses([])).toEqual([200, 200]);
});

it('answers with what the document says of media types only with it', async () => {
  const statusOf = async (extras: readonly Extra[]) => {
    const document = { ...keyedDocument, security: [] };
    const { call } = await serveDocument(document, { extras, strictRequests: true });
    return (await call('/shops', { headers: { Accept: 'text/html' } })).status;
  };
  expect(await statusOf(Object.values(allExtras))).toBe(406);
  expect(await statusOf([])).toBe(200);
});

it('answers every call of the core without any extra', async () => {
  const { origin } = await startTwin({ extras: [] });
  expect(await callCore(origin)).toEqual([201, 200, 200, 401, 404]);
});

it('has something for each operation of the admin', async () => {
  const { origin } = await startTwin();
  const { document } = readAdminDescription();
  for (const { method, path, id } of document.operations) {
    if (id === 'shutdown') continue;
    const url = origin + path.replaceAll(/\{[^}]+\}/g, '1');
    const { status } = await fetch(url, { method, ...(method === 'GET' ? {} : { body: '' }) });
    expect([id, status < 500]).toEqual([id, true]);
  }
});

it('makes the admin at its first call, as its document would delay the start', async () => {
  const made = vi.fn(() => {
    throw new Error('made');
  });
  const options = Object.defineProperty({}, 'host', { get: made }) as RoutesOptions;
  const app = express();
  (await admin(options)).mountInFront?.(app, []);
  app.use('/v1', (_, response) => response.sendStatus(204));
  const server = app.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close().closeAllConnections());
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect((await fetch(`${origin}/v1/pets`)).status).toBe(204);
  expect(made).not.toHaveBeenCalled();
  await fetch(`${origin}/__admin/health`);
  expect(made).toHaveBeenCalled();
});
