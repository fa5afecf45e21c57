import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { createCounters } from '../../../mock/limits/decide.ts';

it('knows the calls of each window, the most recently used one last', () => {
  const begin = [
    [1, 10],
    [2, 20],
  ] as const;
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(5), fc.nat(100)), { maxLength: 30 }), (uses) => {
      const counters = createCounters(new Map(begin));
      const expected = new Map<number, number>(begin);
      for (const [index, calls] of uses) {
        counters.set(index, calls);
        expected.delete(index);
        expected.set(index, calls);
        expect([...counters.calls]).toEqual([...expected]);
        expect(counters.of(index)).toBe(calls);
      }
      expect(counters.of(9)).toBe(0);
    }),
  );
});

it('forgets the least recently used window beyond a hundred', () => {
  const counters = createCounters();
  for (let index = 0; index < 100; index++) counters.set(index, 1);
  counters.set(0, 2);
  counters.set(100, 1);
  expect([counters.of(0), counters.of(1), counters.of(2), counters.calls.size]).toEqual([
    2, 0, 1, 100,
  ]);
});

it('begins with the hundred windows that were used last', () => {
  const day = Array.from({ length: 1440 }, (_, index) => [index, 1] as const);
  const { calls } = createCounters(new Map(day));
  expect([...calls]).toEqual(day.slice(-100));
});

it('leaves the window that was used last in its place, as taking it out costs each call', () => {
  const counters = createCounters();
  counters.set(1, 1);
  const taken = vi.spyOn(Map.prototype, 'delete');
  for (let calls = 2; calls < 10; calls++) counters.set(1, calls);
  expect(taken).not.toHaveBeenCalled();
  taken.mockRestore();
  expect(counters.of(1)).toBe(9);
});
