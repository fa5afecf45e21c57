import { expect, it } from 'vitest';
import { UsageError } from '../../../common/cli/usage-error.ts';
import { createMakeSeeds } from '../../../mock/items/seeds.ts';
import { compilerOf } from '../../../mock/json/validator.ts';
import { areMade, lateContents, OutOfRoomError } from '../../../mock/state/store.ts';
import { openMemoryStore } from '../../../mock/state/store-of-tables.ts';
import { bytesOf } from '../../../mock/state/tables.ts';
import { compile } from '../../../openapi/index.ts';
import { countTurns } from '../../support/count-turns.ts';
import { jsonOf, serveDocument, toDocument } from '../../support/serve-document.ts';
import { startTwin } from '../../support/twin.ts';
import { writeJson } from '../../support/write-json.ts';

const item = { type: 'object', properties: { id: { type: 'integer' }, name: { type: 'string' } } };
const responses = { 200: jsonOf({ type: 'array', items: item }) };

/** A document with this many collections. */
function documentOf(count: number) {
  const paths = Array.from({ length: count }, (_, index) => [`/c${index}`, { get: { responses } }]);
  return compile(toDocument(Object.fromEntries(paths)));
}

it('makes many items of a collection in each turn of the event loop', async () => {
  const document = documentOf(9);
  const makeSeeds = createMakeSeeds(document, {}, compilerOf(document));
  const { turns, result } = await countTurns(() => makeSeeds({ seed: 1, items: 201 }));
  expect(turns).toBeGreaterThanOrEqual(8);
  expect(Object.keys(result)).toHaveLength(9);
});

it('makes few items of a collection when they are first asked for', async () => {
  const document = documentOf(3);
  const makeSeeds = createMakeSeeds(document, {}, compilerOf(document));
  const seeds = await makeSeeds({ seed: 1, items: 2 });
  const store = openMemoryStore(seeds);
  expect(bytesOf([seeds, store])).toBe(0);
  expect(await store.count('c1')).toBe(2);
  expect(Object.values(seeds).map(areMade)).toEqual([false, true, false]);
  expect(bytesOf([seeds, store])).toBeGreaterThan(0);
});

it('makes the same items for the same seed, whatever else is made meanwhile', async () => {
  const document = documentOf(4);
  const makeSeeds = createMakeSeeds(document, {}, compilerOf(document));
  const settings = { seed: 1, items: 3 };
  const [first, other, second] = await Promise.all(
    [settings, { seed: 2, items: 3 }, settings].map((one) => makeSeeds(one)),
  );
  expect(second).toEqual(first);
  expect(other).not.toEqual(first);
});

it.each([
  ['one collection', 1, 1e9],
  ['many collections', 300, 400],
])(
  'refuses items of %s that take too much memory, before they are made',
  async (_, collections, items) => {
    const document = documentOf(collections);
    const makeSeeds = createMakeSeeds(document, {}, compilerOf(document));
    const refused = makeSeeds({ seed: 1, items, maxBytes: 30_000_000 });
    await expect(refused).rejects.toThrow(
      / items of c\d+, .* and may take 30 MB\. Begin with fewer /,
    );
    await expect(makeSeeds({ seed: 1, items: 5, maxBytes: 30_000_000 })).resolves.toBeDefined();
    const own = await makeSeeds({ seed: 2, items: 5, maxBytes: 30_000_000 });
    expect(Object.values(own).every(areMade)).toBe(true);
    await expect(makeSeeds({ seed: 2, items: 5, maxBytes: 10 })).rejects.toThrow(OutOfRoomError);
  },
);

it('starts with no more items than memory has room for, whoever asks for them', async () => {
  const paths = { '/things': { get: { responses } } };
  const document = toDocument(paths, { 'x-twin': { items: 1e9 } });
  await expect(startTwin({ spec: await writeJson(document) })).rejects.toThrow(UsageError);
  const { origin } = await serveDocument(toDocument(paths));
  const body = JSON.stringify({ items: 100_000, seed: 3 });
  const init = { method: 'PUT', headers: { 'Content-Type': 'application/json' }, body };
  expect((await fetch(`${origin}/__admin/sandboxes/many`, init)).status).toBe(201);
});

it('takes contents that cannot be made for unmade, each time that they are read', () => {
  const contents = lateContents(() => {
    throw new OutOfRoomError('full');
  });
  for (let n = 0; n < 2; n++) {
    expect(() => contents.items).toThrow('full');
    expect(areMade(contents)).toBe(false);
  }
});
