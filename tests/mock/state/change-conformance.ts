import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toByteText } from '../../../mock/json/exact-json.ts';
import {
  type Collections,
  endOfNumbers,
  OutOfRoomError,
  type Store,
  type StoredItem,
} from '../../../mock/state/store.ts';
import { everything, plain, type Stores } from './compared-at-close.ts';

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

  test('adds several items at one moment, with ids that are given or counted', async (store) => {
    const toItem = (n: number) => pet(n);
    const added = await store.addAll('pets', [
      { toItem },
      { given: { item: pet(9, 'sold'), number: 9 } },
      { given: { item: pet('a'), number: undefined } },
      { given: { item: pet(2, 'sold'), number: 2 }, toItem },
    ]);
    expect(added.items?.map(({ id }) => id)).toEqual(['6', '9', 'a', '10']);
    expect(await ids(store)).toEqual([1, 2, 3, 4, 5, 6, 9, 'a', 10]);
    expect(await ids(store, { status: 'sold' })).toEqual([1, 3, 5, 9]);
    expect((await store.add('pets', toItem)).id).toBe('11');
    expect(await store.addAll('pets', [])).toEqual({ items: [] });
  });

  test('adds none of several items where an id is taken, or one cannot be made', async (store) => {
    const toItem = (n: number) => pet(n);
    const fail = () => {
      throw new Error('no item');
    };
    const given = (id: string) => ({ given: { item: pet(id), number: undefined } });
    expect(await store.addAll('pets', [{ toItem }, given('a'), given('3')])).toEqual({
      taken: '3',
    });
    expect(await store.addAll('pets', [given('a'), given('a')])).toEqual({ taken: 'a' });
    await expect(store.addAll('pets', [{ toItem }, { toItem: fail }])).rejects.toThrow('no item');
    expect(await ids(store)).toEqual([1, 2, 3, 4, 5]);
    expect((await store.add('pets', toItem)).id).toBe('6');
  });

  test('counts on above a number that was given, and never below its own', async (store) => {
    await store.put('pets', pet(40), { number: 40 });
    await store.put('pets', pet(20), { number: 20 });
    await store.put('pets', pet(3), { number: 3 });
    expect((await store.add('pets', (n) => pet(n))).id).toBe('41');
    await store.put('pets', pet('300000000000000'), { number: 3e14 });
    expect((await store.add('pets', (n) => pet(n))).id).toBe('42');
  });

  test('counts past ids that exist, however they came there', async (store) => {
    await store.put('pets', pet(6));
    await store.addAll('pets', [{ given: { item: pet(7), number: undefined } }]);
    await store.transact(async (own) => {
      await own.remove('pets', '1');
      await own.put('pets', pet(8), { ifFree: true });
      expect((await own.add('pets', (n) => pet(n))).id).toBe('9');
    });
    const toItem = (n: number) => pet(n);
    const given = { item: pet(11), number: undefined };
    const added = await store.addAll('pets', [{ toItem }, { given }, { toItem }]);
    expect(added.items?.map(({ id }) => id)).toEqual(['10', '11', '12']);
    const { pets } = await store.save();
    await store.load({ pets: { items: pets?.items ?? [], next: 1 } });
    expect((await store.add('pets', toItem)).id).toBe('1');
    expect((await store.add('pets', toItem)).id).toBe('13');
    await expect(store.add('pets', () => pet(2))).rejects.toThrow(OutOfRoomError);
  });

  test('gives no number from the end of numbers on', async (store) => {
    await store.put('pets', pet(endOfNumbers), { number: endOfNumbers });
    await store.put('pets', pet(endOfNumbers - 1), { number: endOfNumbers - 1 });
    const adding = store.add('pets', (n) => pet(n));
    await expect(adding).rejects.toThrow(OutOfRoomError);
    await expect(adding).rejects.toThrow('No id is left for a new item of pets');
    expect(await store.count('pets')).toBe(7);
    await store.remove('pets', String(endOfNumbers - 1));
    await expect(store.add('pets', (n) => pet(n))).rejects.toThrow(OutOfRoomError);
  });

  test('changes an item by its JSON, and gives it', async (store) => {
    const seen: string[] = [];
    const item = await store.change('pets', '3', (json) => {
      seen.push(json);
      return pet(3, 'gone');
    });
    expect([item, seen]).toEqual([pet(3, 'gone'), [pet(3, 'sold').json]]);
    expect(await ids(store, { status: 'gone' })).toEqual([3]);
    expect(await ids(store, { status: 'sold' })).toEqual([1, 5]);
    const absent = () => expect.unreachable();
    expect(await store.change('pets', '7', absent)).toBeUndefined();
    expect(await store.change('toys', '3', absent)).toBeUndefined();
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
    expect((await store.add('pets', (n) => pet(n))).id).toBe('6');
    await store.close();
  });

  test('changes nothing when the other item cannot be made', async (store) => {
    const failing = store.change('pets', '2', () => {
      throw new Error('no item');
    });
    await expect(failing).rejects.toThrow('no item');
    expect(await store.get('pets', '2')).toBe(pet(2).json);
  });

  test('makes concurrent changes of an item one after another', async (store) => {
    await Promise.all(
      Array.from({ length: 50 }, () =>
        store.change('pets', '2', (json) => pet(2, `${JSON.parse(json).status}+`)),
      ),
    );
    expect(await ids(store, { status: `new${'+'.repeat(50)}` })).toEqual([2]);
  });

  it(`${name} changes nothing of what others hold over the same contents`, async () => {
    const collections = seeds();
    const [first, second] = [open(collections), open(collections)];
    await first.put('pets', pet(2, 'sold'));
    await first.remove('pets', '1');
    const saved = await first.save();
    await first.removeAll('pets');
    await second.change('pets', '4', () => pet(4, 'sold'));
    expect([await ids(first), await ids(second, { status: 'sold' })]).toEqual([[], [1, 3, 4, 5]]);
    await second.load(saved);
    await first.load(collections);
    expect(await ids(second, { status: 'sold' })).toEqual([2, 3, 5]);
    expect(await ids(first, { status: 'sold' })).toEqual([1, 3, 5]);
    await Promise.all([first.close(), second.close()]);
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
      const { id } = await store.add('pets', (n) => pet(n));
      await store.remove('pets', id);
    }
    expect(own()).toBeLessThan(3 * unit);
    await store.removeAll('pets');
    expect(own()).toBe(0);
    await store.close();
  });

  it(`${name} does as a plain list would, in whatever order it is used`, async () => {
    await fc.assert(
      fc.asyncProperty(steps, (all) => compareWithModel(open, all)),
      { numRuns: 150 },
    );
  }, 60_000);
}

const id = fc.integer({ min: 1, max: 14 });
const status = fc.constantFrom('new', 'sold', 'gone');
const steps = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ act: fc.constant('add' as const), status }) },
    { weight: 3, arbitrary: fc.record({ act: fc.constant('put' as const), id, status }) },
    { weight: 2, arbitrary: fc.record({ act: fc.constant('put uncounted' as const), id, status }) },
    { weight: 1, arbitrary: fc.record({ act: fc.constant('put free' as const), id, status }) },
    { weight: 3, arbitrary: fc.record({ act: fc.constant('change' as const), id, status }) },
    { weight: 4, arbitrary: fc.record({ act: fc.constant('remove' as const), id }) },
    { weight: 1, arbitrary: fc.record({ act: fc.constant('remove all' as const), status }) },
    { weight: 1, arbitrary: fc.record({ act: fc.constant('remove meant' as const), id }) },
    { weight: 1, arbitrary: fc.record({ act: fc.constant('clear' as const) }) },
    { weight: 2, arbitrary: fc.record({ act: fc.constant('save' as const) }) },
    {
      weight: 2,
      arbitrary: fc.record({ act: fc.constant('load' as const), at: fc.nat({ max: 4 }) }),
    },
  ),
  { maxLength: 40 },
);

type Step = typeof steps extends fc.Arbitrary<(infer T)[]> ? T : never;

/** What a store should hold: items in order, and the number of the next one. */
type Model = { items: StoredItem[]; next: number };

async function compareWithModel(open: Stores['open'], all: readonly Step[]): Promise<void> {
  const store = open(seeds());
  const first = seeds().pets as Model;
  let model: Model = { items: [...first.items], next: first.next };
  const saved: { held: Collections; model: Model }[] = [
    { held: await store.save(), model: structuredClone(model) },
  ];
  for (const step of all) {
    if (step.act === 'save')
      saved.push({ held: await store.save(), model: structuredClone(model) });
    else if (step.act === 'load') {
      const { held, model: before } = saved[step.at % saved.length] as (typeof saved)[number];
      await store.load(held);
      model = structuredClone(before);
    } else expect(await act(store, step)).toEqual(actOnModel(model, step));
    await expectSame(store, model);
  }
  for (const { held, model: before } of saved)
    expect(plain(held).pets).toEqual({ items: before.items, next: before.next });
  await store.close();
}

async function act(store: Store, step: Exclude<Step, { act: 'save' | 'load' }>): Promise<unknown> {
  switch (step.act) {
    case 'add':
      return (await store.add('pets', (n) => pet(n, step.status))).id;
    case 'put':
      return store.put('pets', pet(step.id, step.status), { number: step.id });
    case 'put uncounted':
      return store.put('pets', pet(step.id, step.status));
    case 'put free':
      return store.put('pets', pet(step.id, step.status), { number: step.id, ifFree: true });
    case 'change':
      return store.change('pets', String(step.id), () => pet(step.id, step.status));
    case 'remove':
      return store.remove('pets', String(step.id));
    case 'remove all':
      return store.removeAll('pets', { status: step.status });
    case 'remove meant':
      return store.removeAll('pets', {}, (json) => JSON.parse(json).id >= step.id);
    case 'clear':
      return store.removeAll('pets');
  }
}

function actOnModel(model: Model, step: Exclude<Step, { act: 'save' | 'load' }>): unknown {
  const at = 'id' in step ? model.items.findIndex((one) => one.id === String(step.id)) : -1;
  const removeWhere = (isMatch: (item: StoredItem) => boolean) => {
    const count = model.items.length;
    model.items = model.items.filter((item) => !isMatch(item));
    return count - model.items.length;
  };
  switch (step.act) {
    case 'add':
      while (model.items.some(({ id }) => id === String(model.next))) model.next++;
      model.items.push(pet(model.next, step.status));
      return String(model.next++);
    case 'put':
    case 'put uncounted':
    case 'put free':
      if (step.act === 'put free' && at !== -1) return 'taken';
      if (step.act !== 'put uncounted') model.next = Math.max(model.next, step.id + 1);
      model.items.splice(at === -1 ? model.items.length : at, 1, pet(step.id, step.status));
      return at === -1 ? 'added' : 'replaced';
    case 'change':
      if (at === -1) return undefined;
      model.items[at] = pet(step.id, step.status);
      return model.items[at];
    case 'remove':
      if (at !== -1) model.items.splice(at, 1);
      return at !== -1;
    case 'remove all':
      return removeWhere(({ filters }) => filters.status === step.status);
    case 'remove meant':
      return removeWhere((item) => Number(item.id) >= step.id);
    case 'clear':
      return removeWhere(() => true);
  }
}

async function expectSame(store: Store, { items, next }: Model): Promise<void> {
  for (const filters of [
    {},
    { status: 'sold' },
    { status: 'new', size: 'large' },
    { size: 'small' },
  ]) {
    const same = items.filter((item) =>
      Object.entries(filters).every(([name, value]) => item.filters[name] === value),
    );
    const texts = same.map(({ json }) => json);
    expect(await store.list('pets', { ...everything, filters })).toEqual(texts);
    expect(await store.list('pets', { filters, skip: 2, limit: 3 })).toEqual(texts.slice(2, 5));
    expect(await store.count('pets', filters)).toBe(same.length);
  }
  for (let n = 1; n <= 16; n++)
    expect(await store.get('pets', String(n))).toBe(items.find((one) => one.id === `${n}`)?.json);
  expect(plain(await store.save()).pets).toEqual({ items, next });
}
