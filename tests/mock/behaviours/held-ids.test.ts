import { expect, it } from 'vitest';
import { createToExampleCall } from '../../../mock/documented/example-calls.ts';
import type { Operation } from '../../../openapi/index.ts';
import { documentOf } from '../../support/document-of.ts';
import { clusters } from '../../support/documents.ts';
import { serveDocument } from '../../support/serve-document.ts';
import { writeJson } from '../../support/write-json.ts';

async function serve(settings: Parameters<typeof serveDocument>[1] = {}) {
  const twin = await serveDocument(clusters, settings);
  const call = async (...sent: Parameters<typeof twin.send>): Promise<[number, unknown]> => {
    const { status, json } = await twin.send(...sent);
    return [status, json];
  };
  return { ...twin, call };
}

const web = { kind: 'Node', metadata: { name: 'web', labels: { tier: 'a' } } };

it('gives an item whose name is the empty text a name that a path can have', async () => {
  const { call } = await serve();
  const [status, json] = await call('POST', '/nodes', { metadata: { name: '' } });
  expect([status, json]).toMatchObject([201, { metadata: { name: 'node-3' } }]);
  expect(await call('GET', '/nodes/node-3')).toEqual([200, json]);
});

it('stores an item under the name in its metadata', async () => {
  const { call } = await serve();
  expect(await call('POST', '/nodes', web)).toEqual([201, web]);
  expect(await call('GET', '/nodes/web')).toEqual([200, web]);
  const [, listed] = await call('GET', '/nodes');
  const made = ['node-1', 'node-2'].map((name) => ({ metadata: { name } }));
  expect(listed).toMatchObject({ items: [...made, web] });
  expect(await call('POST', '/nodes', web)).toMatchObject([409, { code: 'id_taken' }]);
  expect(await call('DELETE', '/nodes/web')).toMatchObject([200, {}]);
  expect(await call('GET', '/nodes/web')).toMatchObject([404, {}]);
  expect(await call('POST', '/nodes', web)).toEqual([201, web]);
});

it('has items of one name in several namespaces, and shows which', async () => {
  const { call } = await serve();
  for (const name of ['red', 'blue']) await call('POST', '/namespaces', { metadata: { name } });
  const of = (namespace: string) => ({ metadata: { name: 'nightly', namespace } });
  const sent = { metadata: { name: 'nightly' } };
  expect(await call('POST', '/namespaces/red/jobs', sent)).toEqual([201, of('red')]);
  expect(await call('GET', '/namespaces/blue/jobs/nightly')).toMatchObject([404, {}]);
  expect(await call('POST', '/namespaces/blue/jobs', sent)).toEqual([201, of('blue')]);
  expect(await call('POST', '/namespaces/blue/jobs', sent)).toMatchObject([409, {}]);
  const job = { kind: 'Job', ...of('blue') };
  const replaced = await call('PUT', '/namespaces/blue/jobs/nightly', { ...sent, kind: 'Job' });
  expect(replaced).toEqual([200, job]);
  expect(await call('GET', '/namespaces/red/jobs/nightly')).toEqual([200, of('red')]);
  expect(await call('DELETE', '/namespaces/red')).toMatchObject([200, {}]);
  expect(await call('GET', '/namespaces/red/jobs')).toMatchObject([404, {}]);
  expect(await call('GET', '/namespaces/blue/jobs')).toMatchObject([200, { items: [job] }]);
});

it('makes a name where none is sent', async () => {
  const { call } = await serve();
  const made = [201, { kind: 'Node', metadata: { name: 'node-3' } }];
  expect(await call('POST', '/nodes', { kind: 'Node' })).toEqual(made);
  const other = await call('POST', '/nodes', { metadata: { uid: '7' } });
  expect(other).toEqual([201, { metadata: { name: 'node-4', uid: '7' } }]);
});

it('lists the items of all namespaces', async () => {
  const { call } = await serve({ pets: 0 });
  await call('POST', '/namespaces', { metadata: { name: 'red' } });
  await call('POST', '/namespaces/red/jobs', { metadata: { name: 'nightly' } });
  const items = [{ metadata: { name: 'nightly', namespace: 'red' } }];
  expect(await call('GET', '/jobs')).toMatchObject([200, { items }]);
});

it('keeps the name of an item in each change', async () => {
  const { call } = await serve();
  await call('POST', '/nodes', web);
  const problem = expect.stringContaining('"metadata.name" must be web, as in the path');
  const refused = [400, { code: 'invalid_body', message: problem }];
  const other = { metadata: { name: 'other' } };
  const merge = 'application/merge-patch+json';
  expect(await call('PUT', '/nodes/web', other)).toMatchObject(refused);
  expect(await call('PATCH', '/nodes/web', other, merge)).toMatchObject(refused);
  expect(await call('PATCH', '/nodes/web', { metadata: null }, merge)).toMatchObject(refused);
  const metadata = { name: 'web', labels: { tier: 'b' } };
  const patched = await call('PATCH', '/nodes/web', { metadata: { labels: { tier: 'b' } } }, merge);
  expect(patched).toEqual([200, { kind: 'Node', metadata }]);
  const replaced = await call('PUT', '/nodes/web', { kind: 'Machine' });
  expect(replaced).toEqual([200, { kind: 'Machine', metadata }]);
});

it('takes items with held ids from the admin, and in snapshots', async () => {
  const { call } = await serve({ pets: 0 });
  const data = '/__admin/data/nodes';
  const added = await call('POST', data, { kind: 'Node' });
  expect(added).toMatchObject([201, { metadata: { name: 'node-1' } }]);
  const put = await call('PUT', `${data}/web`, { kind: 'Node' });
  expect(put).toMatchObject([201, { kind: 'Node', metadata: { name: 'web' } }]);
  expect(await call('PUT', `${data}/web`, { metadata: { name: 'x' } })).toMatchObject([400, {}]);
  const patched = await call('PATCH', `${data}/web`, { metadata: { uid: '7' } });
  expect(patched).toMatchObject([200, { kind: 'Node', metadata: { name: 'web', uid: '7' } }]);
  expect(await call('GET', '/nodes/web')).toMatchObject([200, { metadata: { uid: '7' } }]);
  await call('PUT', '/__admin/snapshots/s');
  const [, snapshot] = await call('GET', '/__admin/snapshots/s');
  await call('DELETE', `${data}/web`);
  expect(await call('GET', '/nodes/web')).toMatchObject([404, {}]);
  expect(await call('PUT', '/__admin/snapshots/t', snapshot)).toMatchObject([201, {}]);
  expect(await call('POST', '/__admin/snapshots/t/restore')).toMatchObject([200, {}]);
  expect(await call('GET', '/nodes/web')).toMatchObject([200, { metadata: { uid: '7' } }]);
});

it('keeps no state where a parameter is called otherwise, unless x-twin names the property', async () => {
  const toThings = (hint: object) =>
    documentOf(
      `
      GET /things -> [Thing]
      POST /things Thing -> 201 Thing
      GET /things/{date} -> Thing
      `,
      { Thing: '{ info: { key }, metadata: { name } }' },
      { operations: { 'GET /things/{date}': hint } },
    );
  const plain = await serveDocument(toThings({}));
  expect(plain.document.resources).toEqual([]);
  const { send } = await serveDocument(toThings({ 'x-twin': { id: 'info.key' } }));
  const a = { info: { key: 'a' } };
  expect(await send('POST', '/things', a)).toEqual({ status: 201, json: a });
  expect(await send('GET', '/things/a')).toEqual({ status: 200, json: a });
});

it('begins with items of a file, and counts the ids that are missing', async () => {
  const kind = 'Node';
  const data = await writeJson({ nodes: [{ kind }, { kind, metadata: { name: 'web' } }] });
  const { call } = await serve({ data });
  expect(await call('GET', '/nodes/node-1')).toEqual([200, { kind, metadata: { name: 'node-1' } }]);
  expect(await call('GET', '/nodes/web')).toMatchObject([200, { kind }]);
  const named = { metadata: { name: 'web' } };
  await expect(serve({ data: await writeJson({ nodes: [named, named] }) })).rejects.toThrow(
    '"nodes/1/metadata/name" is "web", as is that of item 0; ids must differ.',
  );
  const wrong = await writeJson({ nodes: [{ metadata: { name: 7 } }] });
  await expect(serve({ data: wrong })).rejects.toThrow('"nodes/0/metadata/name" must be a string');
});

it('shows calls that succeed, each time', async () => {
  const { app, document, call } = await serve();
  const { store } = app;
  const toExampleCall = createToExampleCall(document, { store });
  for (const id of ['createNode', 'createJob', 'createJob', 'replaceJob', 'readJob', 'deleteJob']) {
    const operation = document.operations.find((one) => one.id === id) as Operation;
    const { target = '', body } = (await toExampleCall(operation)) ?? {};
    const sent = body === undefined ? undefined : JSON.parse(body);
    const [status] = await call(operation.method, target, sent);
    expect([id, status]).toEqual([id, id.startsWith('create') ? 201 : 200]);
  }
});
