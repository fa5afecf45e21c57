import { expect, it } from 'vitest';
import { toByteText, toText } from '../../../mock/json/exact-json.ts';
import type { Ensure, Store, StoredItem } from '../../../mock/state/store.ts';
import { everything, type Stores } from './compared-at-close.ts';

const pet = (n: number, name = `pet ${n}`): StoredItem => ({
  id: String(n),
  json: toByteText(JSON.stringify({ id: n, name })),
  filters: {},
});
const nameOf = (json: StoredItem['json']): string => JSON.parse(toText(json)).name;

/** Refuses names that another item has, or that two of the items have. */
const ensureNames: Ensure = (items, hasOther) => {
  const names = new Set(items.map(({ json }) => nameOf(json)));
  if (names.size < items.length || hasOther((json) => names.has(nameOf(json))))
    throw new Error('taken');
};

/** The tests of what callers make sure of as they store items, which every adapter of the port passes. */
export function testEnsure(name: string, { open }: Stores): void {
  const test = (behaviour: string, run: (store: Store) => Promise<void>) =>
    it(`${name} ${behaviour}`, async () => {
      const store = open({ pets: { items: [1, 2, 3].map((n) => pet(n)), next: 4 } });
      await run(store).finally(() => store.close());
    });
  const namesIn = async (store: Store) => (await store.list('pets', everything)).map(nameOf);

  test('stores nothing that its caller does not let pass', async (store) => {
    const settled = await Promise.allSettled([
      store.add('pets', (n) => pet(n, 'pet 1'), ensureNames),
      store.addAll(
        'pets',
        [{ toItem: (n) => pet(n, 'a') }, { toItem: (n) => pet(n, 'a') }],
        ensureNames,
      ),
      store.addAll(
        'pets',
        [{ toItem: (n) => pet(n, 'a') }, { toItem: (n) => pet(n, 'pet 3') }],
        ensureNames,
      ),
      store.put('pets', pet(9, 'pet 2'), { ensure: ensureNames }),
      store.put('pets', pet(1, 'pet 2'), { ensure: ensureNames }),
      store.change('pets', '1', () => pet(1, 'pet 2'), ensureNames),
    ]);
    const reasons = settled.map((one) => one.status === 'rejected' && String(one.reason));
    expect(reasons).toEqual(reasons.map(() => 'Error: taken'));
    expect(await namesIn(store)).toEqual(['pet 1', 'pet 2', 'pet 3']);
    expect(await store.get('pets', '9')).toBeUndefined();
  });

  test('does not hold an item against the one that it replaces', async (store) => {
    expect(await store.put('pets', pet(1), { ensure: ensureNames })).toBe('replaced');
    expect(await store.change('pets', '2', () => pet(2), ensureNames)).toBeDefined();
    expect(await store.remove('pets', '3')).toBe(true);
    expect((await store.add('pets', (n) => pet(n, 'pet 3'), ensureNames)).id).toBe('4');
    expect(await namesIn(store)).toEqual(['pet 1', 'pet 2', 'pet 3']);
  });

  test('lets one of several pass that are stored at the same time', async (store) => {
    const add = () => store.add('pets', (n) => pet(n, 'new'), ensureNames);
    const put = (n: number) => store.put('pets', pet(n, 'new'), { ensure: ensureNames });
    const change = (n: number) => store.change('pets', String(n), () => pet(n, 'new'), ensureNames);
    const all = await Promise.allSettled([add(), put(8), change(1), add(), change(2), put(9)]);
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await namesIn(store)).filter((one) => one === 'new')).toHaveLength(1);
  });
}
