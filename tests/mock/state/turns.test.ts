import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { toByteText } from '../../../mock/json/exact-json.ts';
import { findDifferences, findDifferencesInTurns } from '../../../mock/state/differences.ts';
import { createMemoryStores } from '../../../mock/state/memory-store.ts';
import { createMirroredStore } from '../../../mock/state/mirrored-store.ts';
import type { Collections, StoredItem } from '../../../mock/state/store.ts';
import { createRowsLog } from './rows-log.ts';

const count = 45_000;

function toItem(id: number, text = 'a'): StoredItem {
  return { id: String(id), json: toByteText(`"${text}"`), filters: { text } };
}

function toCollections(ids: readonly number[], text?: string): Collections {
  return { pets: { items: ids.map((id) => toItem(id, text)), next: count * 2 } };
}

const allIds = Array.from({ length: count }, (_, index) => index + 1);

/** How many turns of the event loop others have until something is done. */
async function countTurns(doing: Promise<unknown>): Promise<number> {
  let isDone = false;
  let turns = 0;
  const done = doing.then(() => (isDone = true));
  while (!isDone) {
    await nextTurn();
    turns += 1;
  }
  await done;
  return turns;
}

it.each([
  ['added items', {}, toCollections(allIds)],
  ['changed items', toCollections(allIds, 'b'), toCollections(allIds)],
  ['removed items', toCollections(allIds), toCollections([7, 30_000])],
  [
    'items that were added again',
    toCollections(allIds),
    toCollections([...allIds.slice(2), count + 1, 1, 2]),
  ],
])('finds the differences of very many %s in turns, the same as at once', async (_, seeds, now) => {
  const { placeOf } = createMemoryStores();
  const finding = findDifferencesInTurns(now, seeds, placeOf);
  expect(await countTurns(Promise.resolve(finding))).toBeGreaterThan(3);
  expect(await finding).toEqual(findDifferences(now, seeds, placeOf));
});

it('finds few differences at once', () => {
  const { placeOf } = createMemoryStores();
  const now = toCollections([1, 2, 3]);
  expect(findDifferencesInTurns(now, {}, placeOf)).toEqual(findDifferences(now, {}, placeOf));
});

it('loads very many items in turns, and shows all of them at one moment', async () => {
  const stores = createMemoryStores();
  const store = stores.open(toCollections([1], 'before'));
  const seen = new Set<number>();
  const loading = store.load(toCollections(allIds));
  const turns = countTurns(loading);
  for (let isDone = false; !isDone; ) {
    seen.add(await store.count('pets'));
    isDone = await Promise.race([loading.then(() => true), nextTurn(false)]);
  }
  seen.add(await store.count('pets'));
  expect(await turns).toBeGreaterThan(3);
  expect([...seen]).toEqual([1, count]);
  expect(await store.count('pets', { text: 'a' })).toBe(count);
});

it('loses nothing that others stored while it found what differs', async () => {
  const seeds = toCollections(allIds);
  const log = createRowsLog(seeds, { waits: true });
  const open = () => createMirroredStore({ memory: createMemoryStores(), log, seeds });
  const [first, second] = [open(), open()];
  const rebasing = first.rebase({});
  await nextTurn();
  await nextTurn();
  await second.add('pets', (n) => toItem(n, 'other'));
  first.follow(log.since(first.version()));
  await rebasing;
  expect(await first.count('pets')).toBe(count + 1);
  expect(await first.count('pets', { text: 'other' })).toBe(1);
  expect(log.differences().pets?.items).toHaveLength(count + 1);
});
