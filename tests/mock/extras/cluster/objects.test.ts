import { expect, it } from 'vitest';
import { labApps, notes, serveCluster } from './cluster-twin.ts';

const note = (name: string, app = 'lab', more: object = {}) => ({
  metadata: { name, labels: { app } },
  ...more,
});
const namesIn = ({ items }: { items: { metadata: { name: string } }[] }) =>
  items.map(({ metadata }) => metadata.name);

it('says of each object what it is, and which version it has', async () => {
  const { send } = await serveCluster();
  const { json: made } = await send('POST', notes, note('a', 'lab', { data: { x: '1' } }));
  expect(made).toMatchObject({ kind: 'Note', apiVersion: 'v1', data: { x: '1' } });
  const { uid, resourceVersion, creationTimestamp, namespace } = made.metadata;
  expect([typeof uid, typeof resourceVersion, namespace]).toEqual(['string', 'string', 'lab']);
  expect(creationTimestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  const { json: put } = await send('PUT', `${notes}/a`, { ...made, data: { x: '2' } });
  expect(put.metadata).toMatchObject({ uid, creationTimestamp });
  expect(Number(put.metadata.resourceVersion)).toBeGreaterThan(Number(resourceVersion));
  expect((await send('GET', `${notes}/a`)).json).toEqual(put);
  const named = await send('POST', notes, { metadata: { generateName: 'n-' } });
  expect(named.json.metadata.name).toMatch(/^n-\w{5}$/);
});

it('refuses a change of another version, of what is taken or not there, with a status object', async () => {
  const { send } = await serveCluster();
  const { json: made } = await send('POST', notes, note('a'));
  await send('PUT', `${notes}/a`, made);
  const failures = [
    await send('PUT', `${notes}/a`, made),
    await send('POST', notes, note('a')),
    await send('GET', `${notes}/none`),
    await send('PUT', `${notes}/none`, note('none')),
    await send('POST', '/api/v1/namespaces/nowhere/notes', note('b')),
    await send('GET', '/api/v1/nothing'),
  ];
  expect(failures.map(({ json, status }) => [status, json.kind, json.code, json.reason])).toEqual([
    [409, 'Status', 409, 'Conflict'],
    [409, 'Status', 409, 'AlreadyExists'],
    ...Array(4).fill([404, 'Status', 404, 'NotFound']),
  ]);
});

it.each([
  ['labelSelector=app%3Dlab', ['a', 'b']],
  ['labelSelector=app!%3Dlab', ['c']],
  ['labelSelector=app in (other, none)', ['c']],
  ['labelSelector=app notin (other),app', ['a', 'b']],
  ['labelSelector=!app', []],
  ['fieldSelector=metadata.name%3Db', ['b']],
  ['fieldSelector=metadata.name!%3Db,metadata.namespace%3Dlab', ['a', 'c']],
])('lists the objects that %s chooses', async (query, expected) => {
  const { send } = await serveCluster();
  for (const one of [note('a'), note('b'), note('c', 'other')]) await send('POST', notes, one);
  expect(namesIn((await send('GET', `${notes}?${query}`)).json)).toEqual(expected);
  expect(namesIn((await send('GET', `/api/v1/notes?${query}`)).json)).toEqual(expected);
});

it('lists page by page, and refuses selectors and pages that it cannot read', async () => {
  const { send } = await serveCluster();
  for (const name of ['a', 'b', 'c']) await send('POST', notes, note(name));
  const { json: first } = await send('GET', `${notes}?limit=2`);
  expect(first).toMatchObject({ kind: 'NoteList', metadata: { remainingItemCount: 1 } });
  const { json: last } = await send('GET', `${notes}?continue=${first.metadata.continue}`);
  expect([namesIn(first), namesIn(last)]).toEqual([['a', 'b'], ['c']]);
  expect(last.metadata.continue).toBeUndefined();
  expect((await send('GET', `${notes}?continue=x`)).json).toMatchObject({ reason: 'Expired' });
  expect((await send('GET', `${notes}?labelSelector=%3D%3D`)).status).toBe(400);
});

it('deletes objects, those that a selector chooses, and what is in a namespace', async () => {
  const { send } = await serveCluster();
  for (const one of [note('a'), note('b'), note('c', 'other')]) await send('POST', notes, one);
  await send('POST', labApps, note('web'));
  const { json: done } = await send('DELETE', `${notes}/a`);
  expect(done).toMatchObject({ status: 'Success', details: { name: 'a', kind: 'notes' } });
  await send('DELETE', `${notes}?labelSelector=app%3Dother`);
  expect(namesIn((await send('GET', notes)).json)).toEqual(['b']);
  await send('DELETE', '/api/v1/namespaces/lab');
  expect((await send('GET', `${labApps}/web`)).status).toBe(404);
  expect((await send('GET', '/api/v1/notes')).json.items).toEqual([]);
});

it('patches lists by their keys, and creates what is applied', async () => {
  const { send } = await serveCluster();
  const containers = [
    { name: 'a', image: 'one' },
    { name: 'b', image: 'two' },
  ];
  await send('POST', labApps, { metadata: { name: 'web' }, spec: { replicas: 1, containers } });
  const change = { spec: { containers: [{ name: 'b', image: 'three' }, { name: 'c' }] } };
  const strategic = 'application/strategic-merge-patch+json';
  const { json: patched } = await send('PATCH', `${labApps}/web`, change, strategic);
  expect(patched.spec).toEqual({
    replicas: 1,
    containers: [containers[0], { name: 'b', image: 'three' }, { name: 'c' }],
  });
  const gone = { spec: { containers: [{ name: 'a', $patch: 'delete' }] } };
  const { json: without } = await send('PATCH', `${labApps}/web`, gone, strategic);
  expect(without.spec.containers.map(({ name }: { name: string }) => name)).toEqual(['b', 'c']);
  const apply = 'application/apply-patch+yaml';
  const applied = await send('PATCH', `${labApps}/new`, { spec: { replicas: 2 } }, apply);
  expect([applied.status, applied.json.metadata.name]).toEqual([201, 'new']);
  const again = await send('PATCH', `${labApps}/new`, { spec: { replicas: 3 } }, apply);
  expect([again.status, again.json.spec.replicas]).toEqual([200, 3]);
});

it('shows and changes parts of an object below it', async () => {
  const { send } = await serveCluster();
  await send('POST', labApps, { metadata: { name: 'web' }, spec: { replicas: 1, containers: [] } });
  const merge = 'application/merge-patch+json';
  const { json: scale } = await send(
    'PATCH',
    `${labApps}/web/scale`,
    { spec: { replicas: 3 } },
    merge,
  );
  expect(scale).toMatchObject({ kind: 'Scale', apiVersion: 'scaling/v1', spec: { replicas: 3 } });
  const { json: web } = await send('GET', `${labApps}/web`);
  expect(web).toMatchObject({ kind: 'App', spec: { replicas: 3, containers: [] } });
  await send('PUT', `${labApps}/web/status`, { ...web, spec: {}, status: { replicas: 2 } });
  const { json: after } = await send('GET', `${labApps}/web/status`);
  expect(after).toMatchObject({ spec: { replicas: 3 }, status: { replicas: 2 } });
  const changes = [{ op: 'replace', path: '/spec/replicas', value: 5 }];
  await send('PATCH', `${labApps}/web/scale`, changes, 'application/json-patch+json');
  expect((await send('GET', `${labApps}/web/scale`)).json.spec).toEqual({ replicas: 5 });
  expect((await send('GET', `${labApps}/none/scale`)).status).toBe(404);
});
