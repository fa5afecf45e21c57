import { expect, it } from 'vitest';
import { toByteText } from '../../../mock/json/exact-json.ts';
import {
  addCounted,
  type Collections,
  endOfNumbers,
  OutOfRoomError,
  type Store,
  type StoredItem,
} from '../../../mock/state/store.ts';
import { everything, type Stores } from './compared-at-close.ts';

function pet(id: number | string, status = 'new'): StoredItem {
  return {
    id: String(id),
    json: toByteText(JSON.stringify({ id, status })),
    filters: { status, size: String(id).length > 1 ? 'large' : 'small' },
  };
}

/** Five items, of which the odd ones are sold. */
function seeds(): Collections {
  const items = [1, 2, 3, 4, 5].map((n) => pet(n, n % 2 ? 'sold' : 'new'));
  return { pets: { items, next: 6 } };
}

/** The tests of what stores change and remove, which every adapter of the port passes. */
export function testChanges(name: string, { open, bytesOf }: Stores): void {
  const test = (behaviour: string, run: (store: Store) => Promise<void>) =>
    it(`${name} ${behaviour}`, async () => {
      const store = open(seeds());
      await run(store).finally(() => store.close());
    });
  const ids = async (store: Store, filters = {}) =>
    (await store.list('pets', { ...everything, filters })).map((json) => JSON.parse(json).id);

  test('gives no number from the end of numbers on', async (store) => {
    await store.put('pets', pet(endOfNumbers), { number: endOfNumbers });
    await store.put('pets', pet(endOfNumbers - 1), { number: endOfNumbers - 1 });
    const adding = addCounted(store, 'pets', (n) => pet(n));
    await expect(adding).rejects.toThrow(OutOfRoomError);
    await expect(adding).rejects.toThrow('No id is left for a new item of pets');
    expect(await store.count('pets')).toBe(7);
    await store.remove('pets', String(endOfNumbers - 1));
    await expect(addCounted(store, 'pets', (n) => pet(n))).rejects.toThrow(OutOfRoomError);
  });

  test('shows a check what is stored, and what others have', async (store) => {
    const seen: unknown[] = [];
    const has = (
      hasOther: (isMatch: (json: StoredItem['json']) => boolean) => boolean,
      id: number,
    ) => hasOther((json) => JSON.parse(json).id === id);
    await store.put('pets', pet(2, 'old'), {
      ensure: (items, hasOther) =>
        seen.push(
          items.map(({ id }) => id),
          has(hasOther, 2),
          has(hasOther, 3),
        ),
    });
    await store.addAll('pets', [{ toItem: (n) => pet(n) }], (items, hasOther) =>
      seen.push(
        items.map(({ id }) => id),
        has(hasOther, 6),
        has(hasOther, 1),
      ),
    );
    expect(seen).toEqual([['2'], false, true, ['6'], false, true]);
  });

  test('counts by several filters, lists none of a limit of none, and knows no other collection', async (store) => {
    expect(await store.count('pets', { status: 'sold', size: 'small' })).toBe(3);
    expect(await store.count('pets', { status: 'sold', size: 'large' })).toBe(0);
    expect(await store.list('pets', { filters: {}, limit: 0 })).toEqual([]);
    expect(await store.listSerial('pets', { filters: {}, limit: 0 })).toEqual([]);
    expect(await store.get('orders', '1')).toBeUndefined();
    expect(await store.count('orders', { a: '1', b: '2' })).toBe(0);
  });

  test('counts past ids that exist, and gives up where a number changes no id', async (store) => {
    await store.put('pets', pet(300), { number: 3e14 });
    const { pets } = await store.save();
    await store.load({ pets: { items: pets?.items ?? [], next: 1 } });
    expect((await addCounted(store, 'pets', (n) => pet(n))).id).toBe('6');
    await expect(addCounted(store, 'pets', () => pet(2))).rejects.toThrow(OutOfRoomError);
  });

  it(`${name} adds none of several items that are not all admitted`, async () => {
    let left = 600;
    const admit = (bytes: number) => {
      if (bytes > left) throw new OutOfRoomError('full');
      left -= bytes;
    };
    const store = open(seeds(), admit);
    const several = Array.from({ length: 50 }, () => ({ toItem: (n: number) => pet(n) }));
    await expect(store.addAll('pets', several)).rejects.toThrow(OutOfRoomError);
    expect(await ids(store)).toEqual([1, 2, 3, 4, 5]);
    await store.close();
  });

  it(`${name} changes nothing that is not admitted, and removes without being asked`, async () => {
    let isFull = false;
    const store = open(seeds(), () => {
      if (isFull) throw new OutOfRoomError('full');
    });
    isFull = true;
    await expect(store.put('pets', pet(2, 'sold'))).rejects.toThrow('full');
    await expect(store.put('pets', pet(9), { number: 9 })).rejects.toThrow('full');
    await expect(store.change('pets', '2', () => pet(2, 'sold'))).rejects.toThrow('full');
    expect(await ids(store)).toEqual([1, 2, 3, 4, 5]);
    expect(await ids(store, { status: 'new' })).toEqual([2, 4]);
    expect(await store.remove('pets', '2')).toBe(true);
    expect(await store.removeAll('pets')).toBe(4);
    isFull = false;
    expect((await addCounted(store, 'pets', (n) => pet(n))).id).toBe('6');
    await store.close();
  });

  test('makes concurrent changes of an item one after another', async (store) => {
    await Promise.all(
      Array.from({ length: 50 }, () =>
        store.change('pets', '2', (json) => pet(2, `${JSON.parse(json).status}+`)),
      ),
    );
    expect(await ids(store, { status: `new${'+'.repeat(50)}` })).toEqual([2]);
  });

  it(`${name} counts what it changed as memory, and no longer once all is removed`, async () => {
    const collections = seeds();
    const store = open(collections);
    const own = () => bytesOf([store], [collections]);
    const unit = bytesOf([{ pets: { items: [pet(1)], next: 2 } }]);
    await store.put('pets', pet(2));
    // Items elsewhere take no memory here.
    const inMemory = own() > 0;
    if (inMemory) expect(own()).toBeGreaterThanOrEqual(unit);
    for (let turn = 0; turn < 20; turn++) await store.put('pets', pet(2));
    expect(own()).toBeLessThan(2 * unit);
    for (let turn = 0; turn < 100; turn++) {
      const { id } = await addCounted(store, 'pets', (n) => pet(n));
      await store.remove('pets', id);
    }
    expect(own()).toBeLessThan(3 * unit);
    await store.removeAll('pets');
    expect(own()).toBe(0);
    await store.close();
  });
}
