import { expect, it } from 'vitest';
import { singular } from '../../../contracts/description/collections/words.ts';

it.each([
  ['shelves', 'shelf'],
  ['bookshelves', 'bookshelf'],
  ['knives', 'knife'],
  ['leaves', 'leave'],
  ['heroes', 'hero'],
  ['shoes', 'shoe'],
  ['criteria', 'criterion'],
  ['archives', 'archive'],
  ['warehouses', 'warehouse'],
  ['databases', 'database'],
  ['women', 'woman'],
  ['statuses', 'status'],
  ['special-categories', 'special-category'],
])('takes one of %s for a %s', (many, one) => {
  expect(singular(many)).toBe(one);
});
