import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toByteText, toText } from '../../../mock/json/exact-json.ts';
import { IdTakenError, type Store, type StoredItem } from '../../../mock/state/store.ts';
import { everything, type Stores } from './compared-at-close.ts';

function pet(id: number | string): StoredItem {
  const kind = Number(id) % 2 ? 'odd' : 'even';
  return { id: String(id), json: toByteText(JSON.stringify({ id, kind })), filters: { kind } };
}

/** The tests of serial numbers, which every adapter of the port passes. */
export function testSerials(name: string, { open }: Stores): void {
  const openSeeds = () => open({ pets: { items: [1, 2, 3, 4, 5].map(pet), next: 6 } });
  const test = (behaviour: string, run: (store: Store) => Promise<void>) =>
    it(`${name} ${behaviour}`, async () => {
      const store = openSeeds();
      await run(store).finally(() => store.close());
    });
  const idsOf = async (store: Store, query: Partial<Parameters<Store['listSerial']>[1]> = {}) =>
    (await store.listSerial('pets', { ...everything, ...query })).map(
      ({ json }) => JSON.parse(toText(json)).id,
    );
  const serialOf = async (store: Store, id: string) =>
    (await store.listSerial('pets', everything)).find(
      ({ json }) => String(JSON.parse(toText(json)).id) === id,
    )?.serial;

  test('gives items numbers that grow in order of creation', async (store) => {
    await store.add('pets', pet);
    await store.put('pets', pet(40));
    const listed = await store.listSerial('pets', everything);
    expect(listed.map(({ json }) => json)).toEqual(await store.list('pets', everything));
    const serials = listed.map(({ serial }) => serial);
    expect(serials).toEqual([...new Set(serials)].toSorted((left, right) => left - right));
    expect(await store.listSerial('toys', everything)).toEqual([]);
  });

  test('lists the first items that fit all that is asked for', async (store) => {
    for (let turn = 0; turn < 5; turn++) await store.add('pets', pet);
    await store.put('pets', { ...pet(3), filters: { kind: 'even' } });
    expect(await idsOf(store, { limit: 3 })).toEqual([1, 2, 3]);
    expect(await idsOf(store, { limit: 0 })).toEqual([]);
    expect(await idsOf(store, { filters: { kind: 'even' } })).toEqual([2, 3, 4, 6, 8, 10]);
    expect(await idsOf(store, { filters: { kind: 'none' } })).toEqual([]);
    const isMatch = (json: string) => JSON.parse(json).id > 6;
    expect(await idsOf(store, { isMatch, limit: 2 })).toEqual([7, 8]);
  });

  test('gives an item that was removed and put again a new number', async (store) => {
    const before = await serialOf(store, '5');
    await store.remove('pets', '2');
    await store.put('pets', pet(2));
    expect(await serialOf(store, '2')).toBeGreaterThan(before as number);
    expect(await idsOf(store)).toEqual([1, 3, 4, 5, 2]);
  });

  test('keeps the number of an item that gets another id, unless that is taken', async (store) => {
    const before = await serialOf(store, '2');
    const rename = (own: Store, id: number, number?: number) =>
      own.change('pets', '2', () => ({ ...pet(id), number }));
    await expect(rename(store, 3)).rejects.toThrow(IdTakenError);
    expect((await store.list('pets', everything)).length).toBe(5);
    await store.transact((own) => rename(own, 7, 7));
    expect(await serialOf(store, '7')).toBe(before);
    expect(await idsOf(store)).toEqual([1, 7, 3, 4, 5]);
    expect(await idsOf(store, { filters: { kind: 'even' } })).toEqual([4]);
    expect(await store.get('pets', '2')).toBeUndefined();
    await store.remove('pets', '7');
    expect((await store.add('pets', pet)).id).toBe('8');
  });

  test('goes on counting where all were removed', async (store) => {
    const before = await serialOf(store, '5');
    await store.removeAll('pets');
    await store.add('pets', pet);
    expect(await serialOf(store, '6')).toBeGreaterThan(before as number);
  });

  it(`${name} shows each item once on pages, whatever is created and removed meanwhile`, async () => {
    const step = fc.record({
      limit: fc.integer({ min: 1, max: 4 }),
      changes: fc.array(
        fc.oneof(
          fc.constant({ act: 'add' as const }),
          fc.record({ act: fc.constant('remove' as const), at: fc.nat(40) }),
          fc.record({ act: fc.constant('replace' as const), at: fc.nat(40) }),
        ),
        { maxLength: 12 },
      ),
    });
    const histories = fc.array(step, { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(histories, fc.nat(20), async (steps, count) => {
        const store = openSeeds();
        for (let turn = 0; turn < count; turn++) await store.add('pets', pet);
        const start = new Set(await idsOf(store));
        const removed = new Set<number>();
        const seen: number[] = [];
        let after: number | undefined;
        for (let isLast = false, turn = 0; !isLast; turn++) {
          const { limit, changes } = steps[turn % steps.length] as (typeof steps)[number];
          const all = await store.listSerial('pets', everything);
          const page = all.filter(({ serial }) => serial > (after ?? 0)).slice(0, limit);
          seen.push(...page.map(({ json }) => JSON.parse(json).id));
          after = page.at(-1)?.serial ?? after;
          isLast = page.length === 0;
          for (const change of turn < 12 ? changes : []) {
            const ids: number[] = await idsOf(store);
            const id = 'at' in change ? ids[change.at % (ids.length || 1)] : undefined;
            if (change.act === 'add') await store.add('pets', pet);
            else if (id === undefined) continue;
            else if (change.act === 'replace') await store.put('pets', pet(id));
            else if (await store.remove('pets', String(id))) removed.add(id);
          }
        }
        await store.close();
        expect(seen).toEqual([...new Set(seen)]);
        for (const id of start) if (!removed.has(id)) expect(seen).toContain(id);
      }),
      { numRuns: 40 },
    );
  });
}
