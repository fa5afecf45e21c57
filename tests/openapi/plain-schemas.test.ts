import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Places } from '../../openapi/reading/places.ts';
import { isPlainSchema } from '../../openapi/reading/plain-schemas.ts';
import { createRepair } from '../../openapi/reading/repairs.ts';
import { findSchemaFaults } from '../../openapi/reading/schema-faults.ts';
import { convertPart } from '../../openapi/reading/swagger.ts';
import { createUpgrade } from '../../openapi/reading/upgrade-to-3-1.ts';

const values = ['a', '1', 'true', '', 1, -1, 2.5, 2n ** 60n, true, false, null, [], ['a'], [1], {}];
const types = ['string', 'integer', 'number', 'boolean', 'array', 'object', 'file', 'null', 'int'];
const keywords =
  'type Type format maxLength minLength enum default example title description uniqueItems deprecated readOnly writeOnly nullable';
const keyword = fc.tuple(
  fc.constantFrom(...keywords.split(' ')),
  fc.constantFrom(...values, 'int-or-string'),
);
const schemas = fc
  .tuple(fc.constantFrom(...types, undefined), fc.array(keyword, { maxLength: 2 }))
  .map(([type, given]) => ({ ...(type && { type }), ...Object.fromEntries(given) }));

it('leaves out of its walks only schemas that no reading of a document changes or warns of', () => {
  let plain = 0;
  fc.assert(
    fc.property(schemas, (schema) => {
      if (!isPlainSchema(schema)) return;
      plain += 1;
      const before = structuredClone(schema);
      const root = { openapi: '3.0.0', components: { schemas: { Pet: schema } } };
      const place = {
        ...({ kind: 'schema', pointer: '/components/schemas/Pet' } as const),
        ...{ holder: root.components.schemas, key: 'Pet', field: '/schemas', root },
      };
      const warned: unknown[] = [];
      convertPart(schema, place);
      createRepair(new Places(), (fault) => warned.push(fault))(schema, place);
      createUpgrade(new Places())(schema, place);
      expect([...warned, ...findSchemaFaults(schema, place, new Places())]).toEqual([]);
      expect(schema).toEqual(before);
    }),
    { numRuns: 3000 },
  );
  expect(plain).toBeGreaterThan(100);
});

it('visits what leads to another schema, or is no schema', () => {
  for (const one of [
    { $ref: '#/a' },
    { items: {} },
    { type: 'file' },
    { enum: [1], type: 'string' },
    true,
    null,
    [],
  ])
    expect(isPlainSchema(one), JSON.stringify(one)).toBe(false);
});
