import fc from 'fast-check';
import { expect, it } from 'vitest';
import { BoundedMap, Budget } from '../../../mock/state/budget.ts';

type Step = ['set' | 'delete', list: number, key: number, bytes: number] | ['clear', list: number];

const list = fc.nat(2);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(fc.constantFrom('set' as const, 'delete' as const), list, fc.nat(9), fc.nat(3000)),
  fc.tuple(fc.constant('clear' as const), list),
);

it('takes no more than its maximum, and counts what its lists hold, whatever is kept and dropped', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const budget = new Budget(5000);
      const lists = Array.from({ length: 3 }, () => new BoundedMap<number>(budget, { max: 8 }));
      const expected = lists.map(() => new Map<number, number>());
      for (const [act, at, key = 0, bytes = 0] of steps) {
        const kept = lists[at] as BoundedMap<number>;
        const all = expected[at] as Map<number, number>;
        if (act === 'set') kept.set(String(key), bytes, bytes);
        else if (act === 'delete') kept.delete(String(key));
        else kept.clear();
        if (act === 'set') all.set(key, bytes);
        else if (act === 'delete') all.delete(key);
        else all.clear();
        expect(budget.bytes).toBeLessThanOrEqual(5000);
        for (const [index, one] of lists.entries()) {
          const values = one.values();
          const known = expected[index] as Map<number, number>;
          const [...keys] = known.keys();
          for (const dropped of keys.slice(0, known.size - values.length)) known.delete(dropped);
          expect(values).toEqual([...known.values()]);
          const bytesOfAll = values.reduce((sum, own) => sum + own + 258, 0);
          expect([one.bytes, one.size <= 8]).toEqual([bytesOfAll, true]);
        }
        expect(budget.bytes).toBe(lists.reduce((sum, one) => sum + one.bytes, 0));
      }
    }),
  );
});

it('drops the oldest of the list that holds most, and says which', () => {
  const budget = new Budget(10_000);
  const dropped: string[] = [];
  const onDrop = (value: string) => void dropped.push(value);
  const [large, small] = [
    new BoundedMap<string>(budget, { onDrop }),
    new BoundedMap<string>(budget),
  ];
  small.set('a', 'a', 1000);
  for (const key of ['b', 'c', 'd']) large.set(key, key, 3000);
  expect([dropped, large.values(), small.values()]).toEqual([['b'], ['c', 'd'], ['a']]);
  large.close();
  large.set('e', 'e', 1);
  expect([dropped, large.size]).toEqual([['b', 'c', 'd'], 0]);
});

it('makes room for a large value among many small ones', () => {
  const budget = new Budget(8_000_000);
  const [small, large] = [new BoundedMap<number>(budget), new BoundedMap<number>(budget)];
  for (let at = 0; at < 30_000; at += 1) small.set(String(at), at, 0);
  large.set('one', 1, 3_000_000);
  expect(large.size).toBe(1);
  expect(budget.bytes).toBeLessThanOrEqual(8_000_000);
  expect(small.get('29999')).toBe(29_999);
});
