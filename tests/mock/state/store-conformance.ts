import { expect, it } from 'vitest';
import { toByteText, toText } from '../../../mock/json/exact-json.ts';
import {
  type Collections,
  type Contents,
  OutOfRoomError,
  type Store,
  type StoredItem,
} from '../../../mock/state/store.ts';
import { testChanges } from './change-conformance.ts';
import { everything, plain, type Stores } from './compared-at-close.ts';
import { testEnsure } from './ensure-conformance.ts';
import { testSerials } from './serial-conformance.ts';
import { testTransact } from './transact-conformance.ts';

function pet(n: number, filters: Record<string, string> = {}): StoredItem {
  return { id: String(n), json: toByteText(`{"id":${n}}`), filters };
}

function pets(
  count: number,
  filtersOf: (n: number) => Record<string, string> = () => ({}),
): Contents {
  return {
    items: Array.from({ length: count }, (_, index) => pet(index + 1, filtersOf(index + 1))),
    next: count + 1,
  };
}

/** The tests that every adapter of the port passes. */
export function testStores(name: string, stores: Stores): void {
  testChanges(name, stores);
  testSerials(name, stores);
  testEnsure(name, stores);
  testTransact(name, stores);
  const { open, bytesOf } = stores;
  const test = (
    behaviour: string,
    run: (store: Store) => Promise<void>,
    collections: Collections = { pets: pets(3) },
  ) =>
    it(`${name} ${behaviour}`, async () => {
      const store = open(collections);
      await run(store).finally(() => store.close());
    });
  const ids = async (
    store: Store,
    query: Partial<Parameters<Store['list']>[1]> = {},
    collection = 'pets',
  ) =>
    (await store.list(collection, { ...everything, ...query })).map(
      (json) => JSON.parse(toText(json)).id,
    );

  test('keeps the order of creation when ids have another', async (store) => {
    for (const id of ['9', '10', '-1', 'a'])
      await store.add('pets', () => ({
        id,
        json: toByteText(`{"id":"${id}"}`),
        filters: { a: 'b' },
      }));
    expect(await ids(store)).toEqual([1, 2, 3, '9', '10', '-1', 'a']);
    expect(await ids(store, { filters: { a: 'b' } })).toEqual(['9', '10', '-1', 'a']);
  });

  it(`${name} adds nothing that is not admitted`, async () => {
    const asked: number[] = [];
    let isFull = true;
    const store = open({ pets: pets(3) }, (bytes) => {
      asked.push(bytes);
      if (isFull) throw new OutOfRoomError('full');
    });
    expect(asked).toEqual([]);
    await expect(store.add('pets', (n) => pet(n, { kind: 'a' }))).rejects.toThrow(OutOfRoomError);
    expect([await store.count('pets'), await ids(store, { filters: { kind: 'a' } })]).toEqual([
      3,
      [],
    ]);
    isFull = false;
    const { id } = await store.add('pets', (n) => pet(n));
    expect(await ids(store)).toEqual([1, 2, 3, Number(id)]);
    expect(asked).toHaveLength(2);
    await store.load({ pets: pets(2) });
    expect(asked).toHaveLength(2);
    await store.close();
  });

  test('gives an added item back and gets it by its id', async (store) => {
    const item = { id: '4', json: toByteText('{"id":4,"name":"x"}'), filters: { status: 'sold' } };
    expect(await store.add('pets', () => item)).toEqual(item);
    expect(await store.get('pets', '4')).toBe(item.json);
    expect(await store.count('pets')).toBe(4);
  });

  test('finds an id by its exact text alone', async (store) => {
    for (const id of ['01', '1.0', ' 1', '1 ', '+1', '', '4', 'null'])
      expect(await store.get('pets', id), id).toBeUndefined();
    expect(await store.get('pets', '1')).toBe('{"id":1}');
  });

  test('keeps ids apart that are one double, or one text in another case or normal form', async (store) => {
    const near = [
      '9007199254740992',
      '9007199254740993',
      '9223372036854775807',
      'a',
      'A',
      '\u00e9',
      'e\u0301',
    ];
    for (const id of near)
      await store.add('pets', () => ({
        id,
        json: toByteText(JSON.stringify({ id })),
        filters: { id },
      }));
    for (const id of near) {
      expect(await store.get('pets', id)).toBe(toByteText(JSON.stringify({ id })));
      expect(await ids(store, { filters: { id } })).toEqual([id]);
    }
  });

  const hostile = [
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    "'; DROP TABLE pets; --",
    '%',
    '_',
    '*',
    '\u0000',
    'a\u0000b',
    '🐕',
    '',
  ];
  test('takes hostile texts for plain ones', async (store) => {
    for (const id of hostile) expect(await store.get('pets', id), id).toBeUndefined();
    for (const text of hostile)
      expect(await ids(store, { filters: { [text]: text } }), text).toEqual([]);
    for (const text of hostile) expect(await store.list(text, everything), text).toEqual([]);
    for (const [index, id] of hostile.entries()) {
      const filters = Object.fromEntries([
        [id, id],
        ['index', String(index)],
      ]);
      await store.add(id, () => ({ id, json: toByteText(JSON.stringify({ id })), filters }));
      expect(await store.get(id, id)).toBe(toByteText(JSON.stringify({ id })));
      expect(await ids(store, { filters: Object.fromEntries([[id, id]]) }, id)).toEqual([id]);
      expect(await ids(store, { filters }, id)).toEqual([id]);
    }
    expect(await ids(store)).toEqual([1, 2, 3]);
  });

  test('keeps JSON to the byte', async (store) => {
    for (const json of [
      '{"id":4,"name":"é\\ud800 \ufffe🐕 \\u0000"}',
      '{ "id" : 9007199254740993.0 }',
      `{"id":"${'x'.repeat(1_000_000)}"}`,
    ]) {
      const { id } = await store.add('pets', (n) => ({ ...pet(n), json: toByteText(json) }));
      expect(await store.get('pets', id)).toBe(toByteText(json));
    }
  });

  const filtered = {
    pets: pets(60, (n) => ({
      status: n % 2 ? 'odd' : 'even',
      third: String(n % 3),
      ...(n > 50 && { late: 'yes' }),
    })),
  };

  test(
    'lists nothing where a value or a filter is unknown',
    async (store) => {
      expect(await ids(store, { filters: { status: 'none' } })).toEqual([]);
      expect(await ids(store, { filters: { status: 'Odd' } })).toEqual([]);
      expect(await ids(store, { filters: { nothing: 'odd' } })).toEqual([]);
      expect(await ids(store, { filters: { status: 'odd', nothing: '' } })).toEqual([]);
    },
    filtered,
  );

  test('gives concurrent adds distinct numbers and keeps them all', async (store) => {
    const added = await Promise.all(
      Array.from({ length: 200 }, () => store.add('pets', (n) => pet(n))),
    );
    expect(new Set(added.map(({ id }) => id)).size).toBe(200);
    expect(await store.count('pets')).toBe(203);
    expect(await ids(store)).toEqual(Array.from({ length: 203 }, (_, index) => index + 1));
  });

  test('stores nothing when the item cannot be made', async (store) => {
    const failing = store.add('pets', () => {
      throw new Error('no item');
    });
    await expect(failing).rejects.toThrow('no item');
    expect(await store.count('pets')).toBe(3);
    const { id } = await store.add('pets', (n) => pet(n));
    expect(Number(id)).toBeGreaterThan(3);
    expect(await ids(store)).toEqual([1, 2, 3, Number(id)]);
  });

  test('finds nothing in a collection that nobody named, and starts it at 1', async (store) => {
    expect([
      await store.get('toys', '1'),
      await store.list('toys', everything),
      await store.count('toys'),
    ]).toEqual([undefined, [], 0]);
    expect(await store.add('toys', (n) => pet(n))).toEqual(pet(1));
    expect(await ids(store, {}, 'toys')).toEqual([1]);
    expect(await ids(store)).toEqual([1, 2, 3]);
  });

  test('loads other contents instead of what it held', async (store) => {
    await store.add('pets', (n) => pet(n, { status: 'new' }));
    await store.add('toys', (n) => pet(n));
    await store.load({ pets: { items: [pet(7, { status: 'old' }), pet(2)], next: 9 } });
    expect(await ids(store)).toEqual([7, 2]);
    expect(await ids(store, { filters: { status: 'new' } })).toEqual([]);
    expect(await ids(store, { filters: { status: 'old' } })).toEqual([7]);
    expect([await store.get('pets', '1'), await store.get('pets', '7')]).toEqual([
      undefined,
      '{"id":7}',
    ]);
    expect([await store.count('pets'), await store.count('toys')]).toEqual([2, 0]);
    expect((await store.add('pets', (n) => pet(n))).id).toBe('9');
    expect((await store.add('toys', (n) => pet(n))).id).toBe('1');
    await store.load({});
    expect([await store.count('pets'), (await store.add('pets', (n) => pet(n))).id]).toEqual([
      0,
      '1',
    ]);
  });

  test('loads the same contents again and again', async (store) => {
    const contents = { pets: pets(2, () => ({ kind: 'a' })) };
    for (let turn = 0; turn < 3; turn++) {
      await store.load(contents);
      expect(await ids(store, { filters: { kind: 'a' } })).toEqual([1, 2]);
      expect((await store.add('pets', (n) => pet(n, { kind: 'a' }))).id).toBe('3');
    }
    expect(contents).toEqual({ pets: pets(2, () => ({ kind: 'a' })) });
  });

  test('saves all that it holds, each number included', async (store) => {
    expect(plain(await store.save())).toEqual({ pets: pets(3) });
    await store.add('pets', (n) => ({
      id: 'a',
      json: toByteText(`{"id":"a${n}"}`),
      filters: { status: 'sold', kind: 'b' },
    }));
    await store.add('toys', (n) => pet(n));
    const added = { id: 'a', json: '{"id":"a4"}', filters: { status: 'sold', kind: 'b' } };
    expect(plain(await store.save())).toEqual({
      pets: { items: [...pets(3).items, added], next: 5 },
      toys: pets(1),
    });
    await store.load({ toys: { items: [], next: 12 } });
    expect(plain(await store.save())).toEqual({ toys: { items: [], next: 12 } });
  });

  test('loads what it saved, and what another one did', async (store) => {
    await store.add('pets', (n) => pet(n, { status: 'new' }));
    await store.add('toys', (n) => pet(n));
    const saved = await store.save();
    await store.add('pets', (n) => pet(n, { status: 'new' }));
    await store.add('toys', (n) => pet(n));
    const other = open({});
    for (const loading of [store, other]) {
      await loading.load(saved);
      expect([await ids(loading), await ids(loading, {}, 'toys')]).toEqual([[1, 2, 3, 4], [1]]);
      expect(await ids(loading, { filters: { status: 'new' } })).toEqual([4]);
    }
    await other.add('pets', (n) => pet(n, { status: 'new' }));
    await other.add('pets', (n) => pet(n));
    expect([await ids(other), await ids(store)]).toEqual([
      [1, 2, 3, 4, 5, 6],
      [1, 2, 3, 4],
    ]);
    expect((await store.add('pets', (n) => pet(n))).id).toBe('5');
    expect(await other.get('pets', '6')).toBe('{"id":6}');
    expect(await store.get('pets', '6')).toBeUndefined();
    await store.load(saved);
    expect(await ids(store)).toEqual([1, 2, 3, 4]);
    await other.close();
  });

  it(`${name} counts the memory of stores and collections, what they share once`, async () => {
    const seeds = { pets: pets(3) };
    const [first, second] = [open(seeds), open(seeds)];
    const bytesOfSeeds = bytesOf([seeds]);
    expect(bytesOfSeeds).toBeGreaterThanOrEqual(3 * '{"id":1}'.length);
    expect([bytesOf([]), bytesOf([open({})])]).toEqual([0, 0]);
    expect(bytesOf([first, second, seeds, first])).toBe(bytesOfSeeds);
    expect(bytesOf([first, second], [seeds])).toBe(0);
    await first.add('pets', (n) => pet(n));
    const saved = await first.save();
    expect(bytesOf([saved])).toBeGreaterThanOrEqual(bytesOf([first]));
    expect(bytesOf([saved])).toBeGreaterThan(bytesOfSeeds);
    expect([bytesOf([second], [seeds]), bytesOf([first, saved], [saved])]).toEqual([0, 0]);
    await first.load({});
    expect(bytesOf([first])).toBe(0);
    const other = { pets: pets(2) };
    expect(bytesOf([seeds, other], [seeds])).toBe(bytesOf([other]));
    await Promise.all([first.close(), second.close()]);
  });

  it(`${name} shares nothing that changes with one over the same contents`, async () => {
    const collections = { pets: pets(3, () => ({ kind: 'a' })) };
    const [first, second] = [open(collections), open(collections)];
    await first.add('pets', (n) => pet(n, { kind: 'a', only: 'one' }));
    await first.add('pets', (n) => pet(n));
    await second.add('pets', (n) => pet(n, { kind: 'a', only: 'other' }));
    expect([await ids(first), await ids(second)]).toEqual([
      [1, 2, 3, 4, 5],
      [1, 2, 3, 4],
    ]);
    expect([
      await ids(first, { filters: { only: 'other' } }),
      await ids(second, { filters: { only: 'one' } }),
    ]).toEqual([[], []]);
    expect(await ids(second, { filters: { kind: 'a' } })).toEqual([1, 2, 3, 4]);
    await Promise.all([first.close(), second.close()]);
  });

  test('keeps hostile names and texts when it saves and loads', async (store) => {
    for (const id of hostile)
      await store.add(id, () => ({
        id,
        json: toByteText(JSON.stringify({ id })),
        filters: Object.fromEntries([[id, id]]),
      }));
    const saved = await store.save();
    expect(Object.keys(saved).toSorted()).toEqual([...hostile, 'pets'].toSorted());
    await store.load({});
    await store.load(saved);
    for (const id of hostile) {
      expect(await store.get(id, id)).toBe(toByteText(JSON.stringify({ id })));
      expect(await ids(store, { filters: Object.fromEntries([[id, id]]) }, id)).toEqual([id]);
    }
  });

  test('changes nothing when contents cannot be loaded', async (store) => {
    await store.add('pets', (n) => pet(n));
    const unreadable = {
      next: 1,
      get items(): StoredItem[] {
        throw new Error('no items');
      },
    };
    await expect(store.load({ pets: pets(1), toys: unreadable })).rejects.toThrow('no items');
    expect([await ids(store), await store.count('toys')]).toEqual([[1, 2, 3, 4], 0]);
    expect((await store.add('pets', (n) => pet(n))).id).toBe('5');
  });

  test('loads between calls that are under way, never within one', async (store) => {
    const busy = Array.from({ length: 50 }, () => store.add('pets', (n) => pet(n)));
    const loading = store.load({ pets: pets(10) });
    const later = Array.from({ length: 50 }, () => store.add('pets', (n) => pet(n)));
    await Promise.all([...busy, loading, ...later]);
    const { items, next } = (await store.save()).pets as Contents;
    const found = items.map(({ id }) => Number(id));
    expect(found).toEqual(Array.from({ length: next - 1 }, (_, index) => index + 1));
    expect([await ids(store), await store.count('pets')]).toEqual([found, found.length]);
    expect(found.length).toBeGreaterThanOrEqual(10);
  });

  it(`${name} is not changed by what its caller does with items, seeds and lists`, async () => {
    const items = [pet(1, { status: 'old' })];
    const store = open({ pets: { items, next: 2 } });
    items.push(pet(7));
    const filters: Record<string, string> = { status: 'new', kind: 'a' };
    const given: { -readonly [field in keyof StoredItem]: StoredItem[field] } = {
      id: '2',
      json: toByteText('{"id":2}'),
      filters,
    };
    const added: typeof given = await store.add('pets', () => given);
    filters.status = 'changed';
    for (const item of [given, added]) Object.assign(item, { id: '8', json: '{"id":8}' });
    (await store.list('pets', everything)).length = 0;
    expect(await ids(store)).toEqual([1, 2]);
    expect(await ids(store, { filters: { status: 'new', kind: 'a' } })).toEqual([2]);
    await store.add('pets', (n) => pet(n, { status: 'new', more: 'yes' }));
    expect(await ids(store, { filters: { status: 'new', more: 'yes' } })).toEqual([3]);
    const saved = await store.save();
    (saved.pets?.items as StoredItem[]).length = 0;
    await store.add('pets', (n) => pet(n));
    expect(await ids(store)).toEqual([1, 2, 3, 4]);
    const contents = { items: [pet(5)], next: 6 };
    await store.load({ pets: contents });
    contents.items.push(pet(6));
    expect(await ids(store)).toEqual([5]);
    await store.close();
  });

  test(
    'finds a rare value among 200,000',
    async (store) => {
      expect(await ids(store, { filters: { kind: 'rare' }, limit: 100 })).toEqual(
        Array.from({ length: 100 }, (_, index) => (index + 1) * 1000),
      );
      expect(await ids(store, { filters: { kind: 'rare', half: '2' } })).toHaveLength(100);
      expect(await store.count('pets')).toBe(200_000);
    },
    {
      pets: pets(200_000, (n) => ({
        kind: n % 1000 ? 'common' : 'rare',
        half: n > 100_000 ? '2' : '1',
      })),
    },
  );
}
