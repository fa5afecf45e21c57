import fc from 'fast-check';
import { expect, it } from 'vitest';
import { UsageError } from '../../../contracts/cli/usage-error.ts';
import { loadDocument } from '../../../contracts/description/document.ts';
import { withOpenLists } from '../../../contracts/description/open-lists.ts';
import { namesOfData, openData, readData } from '../../../mock/files/read-data.ts';
import { parseExact, toText } from '../../../mock/json/exact-json.ts';
import { projectFile } from '../../support/twin.ts';

const document = await loadDocument(projectFile('contracts/openapi.yaml'));

const id = fc.oneof(
  fc.integer({ min: 1, max: 12 }),
  fc.constantFrom('1', 'A', 2 ** 53, 2n ** 53n + 1n, 2n ** 63n - 1n, 2n ** 63n, -1, 1.5, null),
);
const pet = fc.record(
  {
    id,
    name: fc.oneof({ weight: 9, arbitrary: fc.string() }, fc.constantFrom(7, null)),
    categoryId: fc.oneof({ weight: 9, arbitrary: fc.bigInt({ min: -9n, max: 2n ** 62n }) }, id),
    status: fc.constantFrom('sold', 'pending', 'gone'),
  },
  { requiredKeys: ['name', 'categoryId'] },
);
const order = fc.oneof(
  { weight: 9, arbitrary: fc.record({ id, any: fc.jsonValue() }, { requiredKeys: [] }) },
  fc.jsonValue(),
);
const lists = fc.record(
  {
    pets: fc.array(pet, { maxLength: 6 }),
    'store/orders': fc.oneof({ weight: 9, arbitrary: fc.array(order) }, fc.jsonValue()),
    dogs: fc.constant([]),
  },
  { requiredKeys: ['pets'] },
);
const next = fc.constantFrom(1, 3, 20, 1e14, 1e15, 2n ** 60n, 'x', undefined);
const snapshot = fc.record({
  version: fc.constantFrom(1, 1, 1, 2, undefined),
  collections: fc.record({ pets: fc.record({ next, items: fc.array(pet, { maxLength: 3 }) }) }),
});

it('reads any data to the digit, or says what is wrong with it', async () => {
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(fc.oneof(lists, snapshot, fc.jsonValue()), async (given) => {
      try {
        const source = await openData(undefined, { given, files: new Set() });
        if (!source) throw new Error('no source');
        const { collections } = await readData(
          source,
          withOpenLists(document, await namesOfData(source)),
        );
        accepted += 1;
        for (const [name, { items, next }] of Object.entries(collections)) {
          const wanted = (given as Record<string, Record<string, unknown>[]>)[name] ?? [];
          if (!('collections' in (given as object))) expect(items).toHaveLength(wanted.length);
          expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
          for (const [index, item] of items.entries()) {
            const stored = parseExact(toText(item.json)).value as Record<string, unknown>;
            expect(String(stored.id)).toBe(item.id);
            expect(stored).toMatchObject(
              parseExact(JSON.stringify(wanted[index] ?? {}, bigAsRaw)).value as object,
            );
            if (/^\d{1,14}$/.test(item.id)) expect(next).toBeGreaterThan(Number(item.id));
          }
        }
      } catch (error) {
        if (!(error instanceof UsageError)) throw error;
        expect(error.message).toMatch(/^data /);
        expect(error.message).not.toMatch(/undefined|\[object/);
      }
    }),
    { numRuns: 400 },
  );
  expect(accepted).toBeGreaterThan(10);
});

function bigAsRaw(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? JSON.rawJSON(String(value)) : value;
}
