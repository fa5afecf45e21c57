import { expect, it } from 'vitest';
import { toScopedStore } from '../../../mock/items/scoped-store.ts';
import { toStoredItem } from '../../../mock/items/stored-item.ts';
import type { ItemStore } from '../../../mock/state/store.ts';
import { openMemoryStore } from '../../../mock/state/store-of-tables.ts';
import type { Resource } from '../../../openapi/index.ts';

const scope = [{ parameter: 'org' }];
const labels = {
  name: 'orgs/{org}/labels',
  path: '/orgs/{org}/labels',
  idProperty: 'name',
  idSchema: { type: 'string' },
  item: { properties: {}, required: [] },
  operations: {},
  givenId: 'always',
  scope,
} as unknown as Resource;

const open = () => openMemoryStore({ [labels.name]: { items: [], next: 1 } });
const labelOf = (name: string) => ({ item: toStoredItem(labels, { name }), number: undefined });
const of = (store: ItemStore, org: string) =>
  toScopedStore(store, labels, {
    values: [{ scope: { parameter: 'org' }, text: org }],
    members: { '{org}': org },
  });

const add = {
  one: (store: ItemStore) => store.put(labels.name, labelOf('bug').item, { ifFree: true }),
  several: async (store: ItemStore) => {
    const items = ['new', 'bug'].map((name) => ({ given: labelOf(name) }));
    const { taken } = await store.addAll(labels.name, items);
    return taken === undefined ? 'added' : 'taken';
  },
};

it.each(Object.entries(add))(
  'gives %s an id that another scope has, and none that its own has',
  async (_, put) => {
    const store = open();
    expect(await put(of(store, 'other'))).toBe('added');
    expect(await put(of(store, 'acme'))).toBe('added');
    for (const org of ['acme', 'other'])
      expect(await of(store, org).get(labels.name, 'bug')).toBeDefined();
    expect(await put(of(store, 'acme'))).toBe('taken');
  },
);

it('gives an id once in a scope, whatever becomes of the same one in another', async () => {
  const store = open();
  for (const org of ['acme', 'other']) await add.one(of(store, org));
  await of(store, 'acme').remove(labels.name, 'bug');
  for (const put of [add.one, add.several]) expect(await put(of(store, 'other'))).toBe('taken');
  const toOld = () => labelOf('old').item;
  await of(store, 'other').change(labels.name, 'bug', toOld);
  expect(await of(store, 'other').get(labels.name, 'old')).toBe(toOld().json);
  expect(await of(store, 'other').get(labels.name, 'bug')).toBeUndefined();
  expect(await add.one(of(store, 'acme'))).toBe('added');
});

it('gives several an id that another scope takes at once', async () => {
  const store = open();
  const scopes = ['acme', 'other'];
  const addAll = () => Promise.all(scopes.map((org) => add.several(of(store, org))));
  expect(await addAll()).toEqual(['added', 'added']);
  for (const org of scopes) expect(await of(store, org).get(labels.name, 'bug')).toBeDefined();
  expect(await addAll()).toEqual(['taken', 'taken']);
});

it('removes, counts and lists the items of its scope alone', async () => {
  const store = open();
  for (const org of ['acme', 'other']) await add.several(of(store, org));
  expect(await of(store, 'acme').removeAll(labels.name)).toBe(2);
  expect(await of(store, 'acme').count(labels.name)).toBe(0);
  expect(await of(store, 'other').count(labels.name)).toBe(2);
  expect(Object.keys(of(store, 'other'))).not.toContain('load');
});
