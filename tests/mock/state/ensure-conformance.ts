import { expect, it } from 'vitest';
import { toByteText, toText } from '../../../mock/json/exact-json.ts';
import { addCounted, type Ensure, type Store, type StoredItem } from '../../../mock/state/store.ts';
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

  test('lets one of several pass that are stored at the same time', async (store) => {
    const add = () => addCounted(store, 'pets', (n) => pet(n, 'new'), ensureNames);
    const put = (n: number) => store.put('pets', pet(n, 'new'), { ensure: ensureNames });
    const change = (n: number) => store.change('pets', String(n), () => pet(n, 'new'), ensureNames);
    const all = await Promise.allSettled([add(), put(8), change(1), add(), change(2), put(9)]);
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await namesIn(store)).filter((one) => one === 'new')).toHaveLength(1);
  });
}
