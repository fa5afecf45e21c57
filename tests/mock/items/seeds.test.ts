import { expect, it } from 'vitest';
import { indexDocument } from '../../../contracts/description/document.ts';
import { createMakeSeeds } from '../../../mock/items/seeds.ts';
import { compilerOf } from '../../../mock/json/validator.ts';
import { countTurns } from '../../support/count-turns.ts';
import { jsonOf, toDocument } from '../../support/serve-document.ts';

const item = { type: 'object', properties: { id: { type: 'integer' }, name: { type: 'string' } } };
const responses = { 200: jsonOf({ type: 'array', items: item }) };

/** A document with this many collections. */
function documentOf(count: number) {
  const paths = Array.from({ length: count }, (_, index) => [`/c${index}`, { get: { responses } }]);
  return indexDocument(toDocument(Object.fromEntries(paths)));
}

it('makes the items of a collection in each turn of the event loop', async () => {
  const document = documentOf(9);
  const makeSeeds = createMakeSeeds(document, {}, compilerOf(document));
  const { turns, result } = await countTurns(() => makeSeeds({ seed: 1, items: 2 }));
  expect(turns).toBeGreaterThanOrEqual(8);
  expect(Object.keys(result)).toHaveLength(9);
});

it('makes the same items for the same seed, whatever else is made meanwhile', async () => {
  const document = documentOf(4);
  const makeSeeds = createMakeSeeds(document, {}, compilerOf(document));
  const settings = { seed: 1, items: 3 };
  const [first, other, second] = await Promise.all(
    [settings, { seed: 2, items: 3 }, settings].map(makeSeeds),
  );
  expect(second).toEqual(first);
  expect(other).not.toEqual(first);
});
