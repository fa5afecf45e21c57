import { expect, it, onTestFinished, vi } from 'vitest';
import { toByteText } from '../../../mock/json/exact-json.ts';
import { createLayer } from '../../../mock/state/layer.ts';
import { createLayerChanges } from '../../../mock/state/layer-changes.ts';
import { fillPage, type Page } from '../../../mock/state/read-layer.ts';

const toItem = (tag: string) => ({ id: '1', json: toByteText('{}'), filters: { tag } });

it('holds the filter values of the items that are there, and of none that were', () => {
  const changes = createLayerChanges();
  for (let n = 0; n < 100; n++) changes.set(0, toItem(`tag ${n}`));
  changes.set(1, toItem('tag 99'));
  expect(changes.indexes).toEqual(new Map([['tag', new Map([['tag 99', [0, 1]]])]]));
  changes.set(0, undefined);
  expect(changes.indexes).toEqual(new Map([['tag', new Map([['tag 99', [1]]])]]));
  changes.set(1, undefined);
  expect(changes.indexes).toEqual(new Map());
});

it('knows what was removed, of few and of many, in whatever order', () => {
  let changes = createLayerChanges();
  const removed = new Set<number>();
  const expectSame = (of: ReturnType<typeof createLayerChanges>, places: ReadonlySet<number>) => {
    const found = Array.from({ length: 9000 }, (_, place) => place).filter(
      (place) => of.has(place) && !of.get(place),
    );
    expect(found).toEqual([...places].sort((left, right) => left - right));
    expect(of.removed).toBe(places.size);
  };
  for (let turn = 0; turn < 20_000; turn++) {
    const place = (turn * 7919) % 8000;
    const isRemoved = turn % 5 !== 0;
    changes.set(place, isRemoved ? undefined : toItem('a'));
    if (isRemoved) removed.add(place);
    else removed.delete(place);
    if (turn % 2500 === 0) {
      const [before, places] = [changes, new Set(removed)];
      changes = changes.copy();
      changes.set(8500, undefined);
      expectSame(before, places);
      changes.set(8500, toItem('a'));
      expectSame(changes, removed);
    }
  }
  expectSame(changes, removed);
});

it.each([{}, { tag: 'a' }])('passes by removed items without a look-up each: %o', (filters) => {
  const layer = createLayer(
    Array.from({ length: 100_000 }, (_, n) => ({ ...toItem('a'), id: String(n) })),
  );
  const changes = createLayerChanges();
  for (let place = 0; place < 99_000; place++) changes.set(place, undefined);
  const page: Page = { skip: 0, limit: 10, found: [] };
  const spies = [vi.spyOn(Map.prototype, 'has'), vi.spyOn(Map.prototype, 'get')];
  onTestFinished(() => {
    vi.restoreAllMocks();
  });
  fillPage({ layer, changes }, Object.entries(filters), page);
  const lookUps = spies.reduce((sum, { mock }) => sum + mock.calls.length, 0);
  vi.restoreAllMocks();
  expect(page.found).toHaveLength(10);
  expect(lookUps).toBeLessThan(1000);
});
