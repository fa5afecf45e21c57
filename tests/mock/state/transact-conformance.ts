import { expect, it } from 'vitest';
import { toByteText, toText } from '../../../mock/json/exact-json.ts';
import {
  addCounted,
  type Ensure,
  OutOfRoomError,
  type Store,
  type StoredItem,
  StoreUnavailableError,
} from '../../../mock/state/store.ts';
import { everything, type Stores } from './compared-at-close.ts';

const pet = (n: number, name = `pet ${n}`): StoredItem => ({
  id: String(n),
  json: toByteText(JSON.stringify({ id: n, name })),
  filters: { name },
});
const pets = { pets: { items: [1, 2, 3].map((n) => pet(n)), next: 4 } };
const nameOf = (json: StoredItem['json']): string => JSON.parse(toText(json)).name;

/** Refuses names that another item has, or that two of the items have. */
const ensureNames: Ensure = (items, hasOther) => {
  const names = new Set(items.map(({ json }) => nameOf(json)));
  if (names.size < items.length || hasOther((json) => names.has(nameOf(json))))
    throw new Error('taken');
};

/** The tests of changes that are stored together, which every adapter of the port passes. */
export function testTransact(name: string, { open }: Stores): void {
  const test = (behaviour: string, run: (store: Store) => Promise<void>) =>
    it(`${name} ${behaviour}`, async () => {
      const store = open(pets);
      await run(store).finally(() => store.close());
    });
  const namesIn = async (store: Store, collection = 'pets') =>
    (await store.list(collection, everything)).map(nameOf);

  test('lets one of several pass that are stored at the same time', async (store) => {
    const add = () => addCounted(store, 'pets', (n) => pet(n, 'new'), ensureNames);
    const put = (n: number) => store.put('pets', pet(n, 'new'), { ensure: ensureNames });
    const change = (n: number) => store.change('pets', String(n), () => pet(n, 'new'), ensureNames);
    const all = await Promise.allSettled([add(), put(8), change(1), add(), change(2), put(9)]);
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await namesIn(store)).filter((one) => one === 'new')).toHaveLength(1);
  });

  test('acts again where what was seen was changed meanwhile', async (store) => {
    const meanwhile: ((own: Store, other: Store) => Promise<unknown>)[] = [
      (own) => own.get('pets', '1'),
      (own) => own.list('pets', everything),
      (own) => own.count('pets'),
      (own) => own.change('pets', '1', (json) => ({ ...pet(1), json })),
    ];
    for (const see of meanwhile) {
      let acts = 0;
      await store.transact(async (own) => {
        await see(own, store);
        if (++acts === 1) await store.put('pets', pet(1, `changed ${meanwhile.indexOf(see)}`));
        await own.put('orders', pet(1, nameOf((await own.get('pets', '1')) as StoredItem['json'])));
      });
      expect([acts, await namesIn(store, 'orders')]).toEqual([
        2,
        [`changed ${meanwhile.indexOf(see)}`],
      ]);
    }
  });

  test('acts again where an item came that its own are held against', async (store) => {
    const given = { item: pet(7, 'given'), number: 7 };
    const adding: ((own: Store) => Promise<unknown>)[] = [
      (own) => addCounted(own, 'pets', (n) => pet(n, 'counted'), ensureNames),
      (own) => own.addAll('pets', [{ toItem: (n) => pet(n, 'any') }, { given }]),
      (own) => own.put('pets', pet(8, 'put'), { ensure: ensureNames }),
      (own) => own.change('pets', '1', () => pet(1, 'changed'), ensureNames),
      (own) => own.addAll('pets', [{ toItem: (n) => pet(n, 'alone') }]),
    ];
    const acts: number[] = [];
    for (const [index, add] of adding.entries()) {
      acts.push(0);
      await store.transact(async (own) => {
        await add(own);
        if (++(acts as [number])[index as 0] === 1) await store.put('pets', pet(20 + index));
      });
    }
    // A counted item that nothing is held against looks at no other.
    expect(acts).toEqual([2, 2, 2, 2, 1]);
  });

  test('acts within an act, and gives what that gave', async (store) => {
    const given = await store.transact((own) =>
      own.transact(async (inner) => {
        await inner.put('pets', pet(1, 'inner'));
        return 'given';
      }),
    );
    expect([given, (await namesIn(store))[0]]).toEqual(['given', 'inner']);
  });

  test('acts once where others change what its filters leave out', async (store) => {
    const filters = { name: 'pet 2' };
    for (const [name, attempts] of [
      ['pet 9', 1],
      ['pet 2', 2],
    ] as const) {
      let acts = 0;
      await store.transact(async (own) => {
        await own.count('pets', filters);
        await own.list('pets', { ...everything, filters });
        await own.removeAll('pets', { filters });
        await own.put('orders', pet(1));
        if (++acts === 1) await store.put('pets', pet(9, name));
      });
      expect([name, acts]).toEqual([name, attempts]);
    }
    expect(await namesIn(store)).toEqual(['pet 1', 'pet 3']);
  });

  test('goes on showing an act what there was when it began, in order', async (store) => {
    const pages: unknown[] = [];
    await store.transact(async (own) => {
      await own.put('pets', pet(2, 'own'));
      await addCounted(own, 'pets', (n) => pet(n, 'own'));
      if (pages.length > 0) return;
      await store.put('pets', pet(1, 'other'));
      await store.put('pets', pet(2, 'other'));
      await store.remove('pets', '3');
      await addCounted(store, 'pets', (n) => pet(n, 'other'));
      pages.push(await namesIn(own), nameOf((await own.get('pets', '1')) as StoredItem['json']));
      pages.push((await own.list('pets', { filters: {}, limit: 2, skip: 1 })).map(nameOf));
      pages.push(await own.list('pets', { filters: { name: 'other' }, limit: 9 }));
      pages.push((await own.list('pets', { filters: { name: 'own' }, limit: 9 })).map(nameOf));
    });
    expect(pages).toEqual([
      ['pet 1', 'own', 'pet 3', 'own'],
      'pet 1',
      ['own', 'pet 3'],
      [],
      ['own', 'own'],
    ]);
    expect(await namesIn(store)).toEqual(['other', 'own', 'other', 'own']);
  });

  test('acts again where all that it saw was replaced', async (store) => {
    let acts = 0;
    await store.transact(async (own) => {
      const name = nameOf((await own.get('pets', '1')) as StoredItem['json']);
      if (++acts === 1) await store.load({ pets: { items: [pet(1, 'loaded')], next: 2 } });
      await own.put('pets', pet(1, `${name}!`));
    });
    expect([acts, await namesIn(store)]).toEqual([2, ['loaded!']]);
  });

  test('gives no number that another gave meanwhile, though its item is gone', async (store) => {
    const given: string[] = [];
    const addAside = async (name: string) => {
      const { id } = await addCounted(store, name, (n) => pet(n));
      await store.remove(name, id);
      given.push(id);
    };
    for (const name of ['pets', 'orders']) {
      let acts = 0;
      const { id } = await store.transact(async (own) => {
        const added = await addCounted(own, name, (n) => pet(n));
        if (++acts === 1) await addAside(name);
        return added;
      });
      given.push(id);
    }
    expect(given).toEqual(['4', '5', '1', '2']);
  });

  test('acts once where others change what was not seen', async (store) => {
    let acts = 0;
    await store.transact(async (own) => {
      acts += 1;
      await own.get('pets', '1');
      await store.put('pets', pet(2, 'other'));
      await own.put('pets', pet(3, 'own'));
    });
    await store.transact(async (own) => {
      acts += 1;
      await own.list('pets', everything);
      await store.put('pets', pet(1, 'other'));
    });
    expect([acts, await namesIn(store)]).toEqual([2, ['other', 'other', 'own']]);
  });

  test('stores every one of many acts on the same item', async (store) => {
    const act = async (own: Store) => {
      const count = Number(nameOf((await own.get('pets', '1')) as StoredItem['json']));
      await new Promise((resolve) => setImmediate(resolve));
      await addCounted(own, 'orders', (n) => pet(n));
      await own.put('pets', pet(1, String(count + 1)));
    };
    await store.put('pets', pet(1, '0'));
    await Promise.all(Array.from({ length: 12 }, () => store.transact(act)));
    expect((await namesIn(store))[0]).toBe('12');
    expect(await store.count('orders')).toBe(12);
  });

  test('gives up where others change what it saw each time', async (store) => {
    const act = async (own: Store) => {
      await store.change('pets', '1', (json) => pet(1, `${nameOf(json)}!`));
      await own.list('pets', everything);
      await own.put('pets', pet(2, 'own'));
      await store.change('pets', '1', (json) => pet(1, `${nameOf(json)}!`));
    };
    await expect(store.transact(act)).rejects.toThrow(StoreUnavailableError);
    expect((await namesIn(store))[1]).toBe('pet 2');
  });

  it(`${name} stores nothing of an act that there is no room for`, async () => {
    let isFull = true;
    const store = open(pets, () => {
      if (isFull) throw new OutOfRoomError('full');
    });
    const act = async (own: Store) => {
      await own.remove('pets', '1');
      await addCounted(own, 'pets', (n) => pet(n, 'a longer name'));
    };
    await expect(store.transact(act)).rejects.toThrow(OutOfRoomError);
    expect(await namesIn(store)).toEqual(['pet 1', 'pet 2', 'pet 3']);
    isFull = false;
    await store.transact(act);
    expect(await namesIn(store)).toEqual(['pet 2', 'pet 3', 'a longer name']);
    await store.close();
  });
}
