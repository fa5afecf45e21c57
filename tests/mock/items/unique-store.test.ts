import { expect, it } from 'vitest';
import { toStoredItem } from '../../../mock/items/stored-item.ts';
import { toUniqueStore, ValueTakenError } from '../../../mock/items/unique-store.ts';
import { openMemoryStore } from '../../../mock/state/store-of-tables.ts';
import type { Resource } from '../../../openapi/index.ts';

const pods = {
  name: 'pods',
  path: '/namespaces/{namespace}/pods',
  idProperty: 'uid',
  idSchema: { type: 'string' },
  item: { properties: { uid: {}, ip: {}, metadata: {} }, required: [] },
  operations: {},
  scope: [{ parameter: 'namespace', property: 'metadata.namespace' }],
} as unknown as Resource;

it('lets items of two parents have one value where their parent lies in an object', async () => {
  const store = toUniqueStore(openMemoryStore({}), pods, ['ip']);
  const put = (uid: string, namespace: string) =>
    store.put('pods', toStoredItem(pods, { uid, ip: '10.0.0.1', metadata: { namespace } }));
  expect(await put('a', 'blue')).toBe('added');
  expect(await put('b', 'green')).toBe('added');
  await expect(put('c', 'blue')).rejects.toThrow(ValueTakenError);
});
