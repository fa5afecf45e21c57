import { expect, it } from 'vitest';
import { serveCluster } from './cluster-twin.ts';

it('tells groups, versions and resources', async () => {
  const { send } = await serveCluster();
  expect((await send('GET', '/api/')).json).toMatchObject({
    kind: 'APIVersions',
    versions: ['v1'],
  });
  const version = { groupVersion: 'apps/v1', version: 'v1' };
  const group = { name: 'apps', versions: [version], preferredVersion: version };
  expect((await send('GET', '/apis/')).json.groups).toEqual([group]);
  expect((await send('GET', '/apis/apps/')).json).toMatchObject(group);
  const { json: own } = await send('GET', '/api/v1/');
  expect(own.groupVersion).toBe('v1');
  expect(own.resources.map(({ name, namespaced }: never) => [name, namespaced])).toEqual([
    ['namespaces', false],
    ['notes', true],
  ]);
  const { json: apps } = await send('GET', '/apis/apps/v1/');
  const all = ['list', 'watch', 'create', 'deletecollection', 'get', 'update', 'patch', 'delete'];
  expect(apps.resources).toMatchObject([
    { name: 'apps', kind: 'App', singularName: 'app', verbs: expect.arrayContaining(all) },
    { name: 'apps/status', kind: 'App', verbs: ['get', 'update', 'patch'] },
    { name: 'apps/scale', kind: 'Scale', group: 'scaling', version: 'v1' },
  ]);
});

it('has the document in parts, one for each version of a group', async () => {
  const { send } = await serveCluster();
  const { json: index } = await send('GET', '/openapi/v3');
  expect(Object.keys(index.paths)).toEqual(['api/v1', 'apis/apps/v1']);
  const { json: part } = await send('GET', index.paths['apis/apps/v1'].serverRelativeURL);
  expect(Object.keys(part.paths).every((path) => path.startsWith('/apis/apps/v1/'))).toBe(true);
  expect((await send('GET', '/openapi/v3/other')).status).toBe(404);
});
