import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createRing } from '../../../mock/journal/journals.ts';

type Item = { id: number; size: number };

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

it('holds what a list would hold', () => {
  const step = fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({ does: fc.constant('push' as const), size: fc.nat(9), gap: fc.nat(2) }),
    },
    { weight: 5, arbitrary: fc.record({ does: fc.constant('drop' as const) }) },
    { weight: 1, arbitrary: fc.record({ does: fc.constant('clear' as const) }) },
  );
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 9 }),
      fc.array(step, { maxLength: 80 }),
      (capacity, steps) => {
        const ring = createRing<Item>(capacity);
        let list: Item[] = [];
        let gone: Item[] = [];
        let id = 0;
        for (const one of steps) {
          if (one.does === 'clear') {
            ring.clear();
            [list, gone] = [[], []];
          } else if (one.does === 'drop') {
            ring.drop();
            gone.push(...list.splice(0, 1));
          } else {
            id += 1 + one.gap;
            const item = { id, size: one.size };
            ring.push(item);
            list.push(item);
            if (list.length > capacity) gone.push(...list.splice(0, 1));
          }
          expect(Array.from({ length: ring.length }, (_, place) => ring.at(place))).toEqual(list);
          expect(ring.bytes).toBe(list.reduce((sum, { size }) => sum + size, 0));
          expect([ring.dropped, ring.lastDropped]).toEqual([gone.length, gone.at(-1)?.id ?? 0]);
          for (let after = 0; after <= id + 1; after++)
            expect(ring.placeAfter(after)).toBe(list.filter((item) => item.id <= after).length);
        }
      },
    ),
  );
});

it('lets go of an item that is dropped', () => {
  const ring = createRing<Item>(10);
  const items = Array.from({ length: 8 }, (_, at) => ({ id: at + 1, size: 1 }));
  const first = new WeakRef(items[0] as Item);
  for (const item of items) ring.push(item);
  items.length = 0;
  ring.drop();
  expect(ring.length).toBe(7);
  return new Promise((resolve) => setTimeout(resolve)).then(() => {
    collect();
    expect(first.deref()).toBeUndefined();
    expect(ring.at(0).id).toBe(2);
  });
});

it('takes no room once it is empty again, nor much when few are left', () => {
  const bytes = () => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const rings = Array.from({ length: 20 }, () => createRing<Item>(100_000));
  const item = { id: 1, size: 1 };
  const before = bytes();
  for (const ring of rings) for (let count = 0; count < 100_000; count++) ring.push(item);
  const full = bytes() - before;
  for (const ring of rings) while (ring.length > 10) ring.drop();
  expect(bytes() - before).toBeLessThan(full / 100);
  for (const ring of rings) expect(ring.length).toBe(10);
});
