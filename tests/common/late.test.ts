import { expect, it, vi } from 'vitest';
import { addLate, copyLate } from '../../common/late.ts';

type Animal = { name: string; age?: number; legs?: number };

it('makes members once, when one of them is first read', () => {
  const make = vi.fn(() => ({ age: 3 }));
  const rex: Animal = { name: 'Rex' };
  addLate(rex, ['age', 'legs'], make);
  expect(make).not.toHaveBeenCalled();
  expect(rex.legs).toBeUndefined();
  expect({ ...rex }).toEqual({ name: 'Rex', age: 3 });
  rex.age = 4;
  expect(rex.age).toBe(4);
  expect(make).toHaveBeenCalledOnce();
});

it('makes members once for an object and its copies', () => {
  const make = vi.fn(() => ({ age: 3 }));
  const rex: Animal = { name: 'Rex' };
  addLate(rex, ['age', 'legs'], make);
  const copy = copyLate(rex, ['name', 'legs']);
  expect(make).not.toHaveBeenCalled();
  expect([copy.age, copy.age, rex.age]).toEqual([3, 3, 3]);
  expect(copy).toEqual({ age: 3 });
  expect(make).toHaveBeenCalledOnce();
});
