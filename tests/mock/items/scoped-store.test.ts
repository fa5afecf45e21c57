import { expect, it } from 'vitest';
import type { Resource } from '../../../contracts/description/document.ts';
import { toScopedStore } from '../../../mock/items/scoped-store.ts';
import { toStoredItem } from '../../../mock/items/stored-item.ts';
import { createMemoryStores } from '../../../mock/state/memory-store.ts';
import type { Store } from '../../../mock/state/store.ts';

const scope = [{ parameter: 'org' }];
const labels = {
  name: 'orgs/{org}/labels',
  path: '/orgs/{org}/labels',
  idProperty: 'name',
  idSchema: { type: 'string' },
  item: { properties: {}, required: [] },
  filters: [],
  operations: {},
  givenId: 'always',
  scope,
} as unknown as Resource;

const open = () => createMemoryStores().open({ [labels.name]: { items: [], next: 1 } });
const labelOf = (name: string) => ({ item: toStoredItem(labels, { name }), number: undefined });
const of = (store: Store, org: string) =>
  toScopedStore(store, labels, {
    values: [{ scope: { parameter: 'org' }, text: org }],
    members: { '{org}': org },
  });

/** A store in which another process adds the label "bug" to an organisation before a change. */
function withRival(store: Store, org: string): Store {
  let isDue = true;
  const first = async () => {
    if (!isDue) return;
    isDue = false;
    await of(store, org).put(labels.name, labelOf('bug').item, { ifFree: true });
  };
  return {
    ...store,
    put: async (...given) => {
      await first();
      return store.put(...given);
    },
    addAll: async (...given) => {
      await first();
      return store.addAll(...given);
    },
  };
}

const add = {
  one: (store: Store) => store.put(labels.name, labelOf('bug').item, { ifFree: true }),
  several: async (store: Store) => {
    const items = ['new', 'bug'].map((name) => ({ given: labelOf(name) }));
    const { taken } = await store.addAll(labels.name, items);
    return taken === undefined ? 'added' : 'taken';
  },
};

it.each(Object.entries(add))(
  'gives %s an id that another scope gets meanwhile, and none that its own gets',
  async (_, put) => {
    const elsewhere = open();
    expect(await put(of(withRival(elsewhere, 'other'), 'acme'))).toBe('added');
    expect(await of(elsewhere, 'acme').get(labels.name, 'bug')).toBeDefined();
    expect(await of(elsewhere, 'other').get(labels.name, 'bug')).toBeDefined();

    const here = open();
    expect(await put(of(withRival(here, 'acme'), 'acme'))).toBe('taken');
    expect(await here.count(labels.name)).toBe(1);
  },
);
