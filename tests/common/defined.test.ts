import { expect, it } from 'vitest';
import { defined } from '../../common/defined.ts';

it('leaves out what is undefined, and nothing else', () => {
  const fields = { a: undefined, b: null, c: 0, d: '', e: [undefined] };
  const left = defined(fields);
  expect(Object.keys(left)).toEqual(['b', 'c', 'd', 'e']);
  expect(left.e).toBe(fields.e);
});
