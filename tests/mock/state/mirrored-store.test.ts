import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toByteText } from '../../../mock/json/exact-json.ts';
import { createMemoryStores } from '../../../mock/state/memory-store.ts';
import { createMirroredStore, type MirroredStore } from '../../../mock/state/mirrored-store.ts';
import type { ChangeLog } from '../../../mock/state/round.ts';
import {
  type Collections,
  type OpenStore,
  type StoredItem,
  StoreUnavailableError,
} from '../../../mock/state/store.ts';
import { createRowsLog, type RowsLog } from './rows-log.ts';
import { testStores } from './store-conformance.ts';

const everything = { filters: {}, limit: Number.POSITIVE_INFINITY };

function toPet(id: number | string, status = 'new'): StoredItem {
  const json = toByteText(JSON.stringify({ id, status }));
  return { id: String(id), json, filters: { status } };
}

function toPets(count: number): Collections {
  const items = Array.from({ length: count }, (_, index) => toPet(index + 1));
  return { pets: { items, next: count + 1 } };
}

for (const [name, { waits, isWhole }] of [
  ['a mirrored store that does not wait', { waits: false, isWhole: false }],
  ['a mirrored store that waits', { waits: true, isWhole: false }],
  ['a mirrored store with all items in its log', { waits: false, isWhole: true }],
] as const) {
  const memory = createMemoryStores();
  const open: OpenStore = (seeds, admit) =>
    createMirroredStore({ memory, seeds, admit, isWhole, log: createRowsLog(seeds, { waits }) });
  testStores(name, { open, bytesOf: memory.bytesOf });
}

it('can be read with other seeds once anything was changed, where its log has all items', async () => {
  const log = createRowsLog(toPets(3), { waits: false });
  const memory = createMemoryStores();
  const store = createMirroredStore({ memory, log, seeds: toPets(3), isWhole: true });
  const reread = async () => {
    const differences = log.differences();
    const again = createMirroredStore({ memory, log, seeds: toPets(9), differences });
    return ids(again);
  };
  expect(await reread()).toHaveLength(9);
  const early = await store.save();
  await store.remove('pets', '2');
  expect(await reread()).toEqual([1, 3]);
  await store.load(early);
  await store.add('pets', (n) => toPet(n));
  expect(await reread()).toEqual([1, 2, 3, 4]);
  const seeds = toPets(5);
  await store.begin(seeds, seeds);
  expect(await reread()).toHaveLength(9);
  await store.begin(await store.save(), seeds);
  expect(await reread()).toEqual([1, 2, 3, 4, 5]);
});

/** Opens mirrors of one log, each in a memory of its own, as processes have. */
function createCase({ waits = true, seeds = toPets(3) } = {}) {
  const log = createRowsLog(seeds, { waits });
  const openMirror = () =>
    createMirroredStore({
      memory: createMemoryStores(),
      log,
      seeds: log.seeds,
      differences: log.differences(),
      version: log.version,
    });
  return { log, openMirror };
}

const ids = async (store: MirroredStore) =>
  (await store.list('pets', everything)).map((json) => JSON.parse(json).id);

it('stores what comes together in one round', async () => {
  const { log, openMirror } = createCase({ waits: false });
  const store = openMirror();
  await Promise.all(Array.from({ length: 32 }, () => store.add('pets', (n) => toPet(n))));
  await Promise.all([store.remove('pets', '1'), store.add('pets', (n) => toPet(n))]);
  expect(log.asked).toBe(2);
  expect(await ids(store)).toEqual(Array.from({ length: 35 }, (_, index) => index + 2));
});

it('asks the log for nothing where nothing changes', async () => {
  const { log, openMirror } = createCase();
  const store = openMirror();
  expect(await store.remove('pets', '9')).toBe(false);
  expect(await store.put('pets', toPet(1), { ifFree: true })).toBe('taken');
  expect(await store.change('pets', '9', () => toPet(9))).toBeUndefined();
  expect(await store.removeAll('pets', { status: 'none' })).toBe(0);
  expect(log.asked).toBe(0);
});

it.each([true, false])('shows nothing that is not stored, be it waited for: %s', async (waits) => {
  const { log, openMirror } = createCase({ waits });
  const store = openMirror();
  log.fail(true);
  const failing = [
    store.add('pets', (n) => toPet(n)),
    store.put('pets', toPet(1, 'sold')),
    store.remove('pets', '2'),
    store.removeAll('pets'),
    store.load({}),
  ];
  for (const outcome of await Promise.allSettled(failing))
    expect(outcome).toMatchObject({ reason: expect.any(StoreUnavailableError) });
  expect(await store.save()).toEqual(toPets(3));
  log.fail(false);
  expect((await store.add('pets', (n) => toPet(n))).id).toBe('4');
  expect(await ids(store)).toEqual([1, 2, 3, 4]);
});

it('shows no change before the log has it', async () => {
  const { openMirror } = createCase();
  const store = openMirror();
  const adding = store.add('pets', (n) => toPet(n));
  await nextTurn();
  expect(await store.count('pets')).toBe(3);
  await adding;
  expect(await store.count('pets')).toBe(4);
});

it('refuses one change of a round alone', async () => {
  const { log, openMirror } = createCase();
  const store = openMirror();
  const outcomes = await Promise.allSettled([
    store.add('pets', (n) => toPet(n)),
    store.add('pets', () => {
      throw new Error('no item');
    }),
    store.change('pets', '4', () => toPet(4, 'sold')),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(await store.get('pets', '4')).toBe(toPet(4, 'sold').json);
  expect(log.asked).toBe(1);
});

it('computes a round again where another process came first', async () => {
  const { log, openMirror } = createCase();
  const [first, second] = [openMirror(), openMirror()];
  const tried: number[] = [];
  const add = (store: MirroredStore) =>
    store.add('pets', (n) => {
      tried.push(n);
      return toPet(n);
    });
  const added = await Promise.all([add(first), add(second), add(first)]);
  expect(added.map(({ id }) => id).toSorted()).toEqual(['4', '5', '6']);
  expect(tried.length).toBeGreaterThan(3);
  first.follow(log.since(first.version()));
  expect(await ids(first)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(await second.change('pets', '4', (json) => toPet(4, `${JSON.parse(json).status}!`)));
  await first.change('pets', '4', (json) => toPet(4, `${JSON.parse(json).status}?`));
  expect(await first.get('pets', '4')).toBe(toPet(4, 'new!?').json);
});

it('passes over what it knows, also its own round whose answer comes after later ones', async () => {
  const { log, openMirror } = createCase({ waits: false });
  const gate = Promise.withResolvers<void>();
  const late: ChangeLog = {
    append: (version, changes) => {
      const appended = log.append(version, changes);
      return gate.promise.then(() => appended);
    },
    replace: log.replace,
  };
  const store = createMirroredStore({ memory: createMemoryStores(), log: late, seeds: log.seeds });
  const adding = store.add('pets', (n) => toPet(n));
  while (log.version === 0) await nextTurn();
  const other = openMirror();
  await other.put('pets', toPet(4, 'sold'));
  await other.add('pets', (n) => toPet(n));
  store.follow(log.since(0));
  const shown = await store.save();
  expect(shown).toEqual(await other.save());
  gate.resolve();
  await adding;
  expect([await store.save(), store.version()]).toEqual([shown, 3]);
});

it('passes over a whole that is older than what it has', async () => {
  const { log, openMirror } = createCase({ waits: false });
  const store = openMirror();
  await store.load({});
  const older = log.since(0);
  await store.add('pets', (n) => toPet(n));
  store.follow(older);
  expect(await ids(store)).toEqual([1]);
});

it('says what differs about each id once, whatever contents are loaded', async () => {
  const contents = fc.uniqueArray(fc.integer({ min: 1, max: 9 })).map((list) => ({
    pets: { items: list.map((n) => toPet(n, n % 2 ? 'new' : 'sold')), next: 10 },
  }));
  await fc.assert(
    fc.asyncProperty(contents, contents, contents, async (seeds, first, second) => {
      const { log, openMirror } = createCase({ waits: false, seeds });
      const store = openMirror();
      for (const loaded of [first, second]) {
        await store.load(loaded);
        const found = log.written.pets?.items.map((item) => item.id) ?? [];
        expect(new Set(found).size).toBe(found.length);
        expect(await openMirror().save()).toEqual(loaded);
        expect(await store.save()).toEqual(loaded);
      }
      await store.rebase(first);
      expect(await openMirror().save()).toEqual(second);
    }),
  );
});

it('follows a replacement by another process, be it of other seeds', async () => {
  const { log, openMirror } = createCase();
  const [first, second] = [openMirror(), openMirror()];
  await second.add('pets', (n) => toPet(n));
  const seeds = toPets(2);
  await first.begin(seeds, seeds);
  expect(log.differences()).toEqual({});
  expect((await second.add('pets', (n) => toPet(n))).id).toBe('3');
  expect(await ids(second)).toEqual([1, 2, 3]);
  await second.remove('pets', '1');
  expect(log.differences().pets?.items).toEqual([
    { id: '3', item: toPet(3), place: 1 },
    { id: '1' },
  ]);
});

it('holds what differs from other seeds once it is to begin with those, and shows the same', async () => {
  const { log, openMirror } = createCase();
  const store = openMirror();
  await store.remove('pets', '2');
  await store.add('pets', (n) => toPet(n));
  const before = await store.save();
  const pets = [toPet(1, 'other'), toPet(3), toPet(9)];
  await store.rebase({ pets: { items: pets, next: 10 } });
  expect(await store.save()).toEqual(before);
  expect(log.differences().pets?.items).toEqual([
    { id: '1', item: toPet(1) },
    { id: '9' },
    { id: '4', item: toPet(4), place: 1 },
  ]);
  expect(await openMirror().save()).toEqual(before);
});

const id = fc.integer({ min: 1, max: 9 });
const mirror = fc.nat({ max: 2 });
const status = fc.constantFrom('sold', 'gone');
const step = fc.oneof(
  fc.record({ act: fc.constant('add' as const), mirror }),
  fc.record({ act: fc.constant('put' as const), mirror, id, status }),
  fc.record({ act: fc.constant('put free' as const), mirror, id, status }),
  fc.record({ act: fc.constant('change' as const), mirror, id, status }),
  fc.record({ act: fc.constant('remove' as const), mirror, id }),
  fc.record({ act: fc.constant('clear' as const), mirror }),
  fc.record({ act: fc.constant('remove all' as const), mirror, status }),
  fc.record({ act: fc.constant('load' as const), mirror, ids: fc.uniqueArray(id) }),
  fc.record({ act: fc.constant('begin' as const), mirror, count: fc.nat({ max: 4 }) }),
  fc.record({ act: fc.constant('follow' as const), mirror }),
  fc.record({ act: fc.constant('wait' as const) }),
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function perform(store: MirroredStore, todo: Step, log: RowsLog): Promise<unknown> {
  switch (todo.act) {
    case 'add':
      return store.add('pets', (n) => toPet(n));
    case 'put':
      return store.put('pets', toPet(todo.id, todo.status), { number: todo.id });
    case 'put free':
      return store.put('pets', toPet(todo.id, todo.status), { number: todo.id, ifFree: true });
    case 'change':
      return store.change('pets', String(todo.id), () => toPet(todo.id, todo.status));
    case 'remove':
      return store.remove('pets', String(todo.id));
    case 'clear':
      return store.removeAll('pets');
    case 'remove all':
      return store.removeAll('pets', { status: todo.status });
    case 'load':
      return store.load({ pets: { items: todo.ids.map((one) => toPet(one)), next: 10 } });
    case 'begin':
      return store.begin(toPets(todo.count), toPets(todo.count));
    case 'follow':
      return Promise.resolve(store.follow(log.since(store.version())));
    case 'wait':
      return nextTurn();
  }
}

it('has three processes agree on items, their order and the next number, whatever they do at once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), fc.boolean(), async (steps, waits) => {
      const { log, openMirror } = createCase({ waits });
      const stores = [openMirror(), openMirror(), openMirror()];
      const given: string[] = [];
      let isCountedOn = true;
      const underWay: Promise<unknown>[] = [];
      for (const todo of steps) {
        const store = stores['mirror' in todo ? todo.mirror : 0] as MirroredStore;
        const doing = perform(store, todo, log);
        if (todo.act === 'wait') await doing;
        if (todo.act === 'load' || todo.act === 'begin') isCountedOn = false;
        if (todo.act === 'add')
          underWay.push(doing.then((item) => given.push((item as StoredItem).id)));
        else underWay.push(doing);
      }
      await Promise.all(underWay);
      if (isCountedOn) expect(new Set(given).size).toBe(given.length);
      for (const store of stores) store.follow(log.since(store.version()));
      const held = await openMirror().save();
      for (const store of stores) {
        expect(await store.save()).toEqual(held);
        expect(await store.list('pets', { filters: { status: 'sold' }, limit: 99 })).toEqual(
          held.pets?.items
            .filter(({ filters }) => filters.status === 'sold')
            .map(({ json }) => json),
        );
      }
    }),
    { numRuns: 300 },
  );
}, 60_000);

it.each([true, false])(
  'gives the same serial numbers later and elsewhere, whole: %s',
  async (isWhole) => {
    const seeds = toPets(3);
    const log = createRowsLog(seeds, { waits: false });
    const open = (memory = createMemoryStores()) =>
      createMirroredStore({
        memory,
        log,
        seeds,
        isWhole,
        differences: log.differences(),
        version: log.version,
      });
    const store = open();
    for (let turn = 0; turn < 9; turn++) await store.add('pets', (n) => toPet(n));
    for (const id of ['2', '5', '6', '12']) await store.remove('pets', id);
    await store.put('pets', toPet('a'));
    const serials = async (mirror: MirroredStore) =>
      (await mirror.listSerial('pets', everything)).map(({ serial }) => serial);
    const later = open();
    expect(await serials(later)).toEqual(await serials(store));
    await later.put('pets', toPet(5));
    await store.put('pets', toPet('b'));
    expect(await ids(store)).toEqual([1, 3, 4, 7, 8, 9, 10, 11, 'a', 5, 'b']);
    expect(await serials(open())).toEqual(await serials(store));
  },
);
