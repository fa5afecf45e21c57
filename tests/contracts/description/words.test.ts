import { expect, it } from 'vitest';
import { singular } from '../../../contracts/description/collections/words.ts';

it.each([
  ['shelves', 'shelf'],
  ['bookshelves', 'bookshelf'],
  ['knives', 'knife'],
  ['leaves', 'leaf'],
  ['heroes', 'hero'],
  ['shoes', 'shoe'],
  ['criteria', 'criterion'],
  ['archives', 'archive'],
  ['warehouses', 'warehouse'],
  ['databases', 'database'],
  ['women', 'woman'],
  ['statuses', 'status'],
  ['special-categories', 'special-category'],
  ...['caches', 'appcaches', 'cookies', 'movies', 'causes', 'uses', 'houses', 'releases'].map(
    (many) => [many, many.slice(0, -1)],
  ),
  ['diagnoses', 'diagnosis'],
  ['people', 'person'],
  ['aliases', 'alias'],
  ['branches', 'branch'],
  ['boxes', 'box'],
  ...['series', 'news', 'species', 'status', 'address', 'analysis', 'data', 'metadata', 'x'].map(
    (one) => [one, one],
  ),
])('takes one of %s for a %s', (many, one) => {
  expect(singular(many)).toBe(one);
});
