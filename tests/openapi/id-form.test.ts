import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toItemId, toItemNumber } from '../../mock/items/stored-item.ts';
import { isCounted } from '../../openapi/collections/id-schema.ts';
import type { Schema } from '../../openapi/index.ts';

it.each([
  [{ type: 'integer' }, 7],
  [{ type: 'integer', minimum: 1000 }, 1006],
  [{ type: 'integer', exclusiveMinimum: 0 }, 7],
  [{ type: 'integer', maximum: 9_999 }, 7],
  [{ type: 'string' }, '7'],
  [{ type: 'string', format: 'uuid' }, '00000000-0000-4000-8000-000000000007'],
  [
    { type: 'string', example: '4f6c2a1e-7d3b-4c8a-9e21-1b2c3d4e5f60' },
    '00000000-0000-4000-8000-000000000007',
  ],
  [{ type: 'string', example: 'cus_9s6XKzkNRiz8i3' }, 'cus_00000000000007'],
  [{ type: 'string', examples: ['ORD-0042'] }, 'ORD-0007'],
  [{ type: 'string', example: 'INV-1042' }, 'INV-7'],
  [{ type: 'string', example: '507f1f77bcf86cd799439011' }, '000000000000000000000007'],
  [{ type: 'string', example: 'my-first-post' }, 'my-first-post-7'],
  [{ type: 'string', pattern: '^[0-9]{13}$' }, '0000000000007'],
  [{ type: 'string', pattern: '^usr_[a-z0-9]{8}$' }, 'usr_00000007'],
  [{ type: 'string', pattern: '^[A-Z]{3}-\\d+$' }, 'AAA-7'],
  [{ type: 'string', pattern: '^INV-\\d{4}$' }, 'INV-0007'],
  [{ type: 'string', pattern: '^INV-\\d{4}-\\d{3}$' }, 'INV-0000-007'],
  [{ type: 'string', pattern: '^[1-9]\\d[A-Z]{2}-[a-f]$' }, '10AB-b'],
  [{ type: 'string', minLength: 4, maxLength: 4 }, '0007'],
  [{ type: 'string', minLength: 6 }, '000007'],
  [{ type: 'string', format: 'ulid' }, '01000000000000000000000007'],
  [{ type: 'string', format: 'path' }, '7'],
  [{ type: 'string', format: 'email' }, 'user-7@example.com'],
  [{ type: 'string', format: 'hostname' }, 'host-7.example.com'],
  [{ type: 'string', format: 'ipv4' }, '10.0.0.7'],
] as [Schema, unknown][])('counts ids of %j', (schema, id) => {
  expect(isCounted(schema)).toBe(true);
  expect(toItemId(7, schema)).toBe(id);
  expect(toItemNumber(String(id), schema)).toBe(7);
});

it.each([
  [{ enum: ['a', 'b'] }],
  [{ const: 1 }],
  [{ type: 'boolean' }],
  [{ type: 'integer', maximum: 9 }],
  [{ type: 'integer', maximum: 9_998 }],
  [{ type: 'string', maxLength: 3 }],
  [{ type: 'string', format: 'date-time' }],
  [{ type: 'string', pattern: '^(red|green)$' }],
  [{ type: 'string', pattern: '^[A-Z]{2}$' }],
])('counts no ids of %j', (schema) => {
  expect(isCounted(schema)).toBe(false);
});

const number = fc.integer({ min: 1, max: 999_999 });
const example = fc.oneof(
  fc.stringMatching(/^[A-Za-z]{2,6}[_-][A-Za-z0-9]{8,20}$/),
  fc.stringMatching(/^[a-z]+(-[a-z]+){0,3}$/),
  fc.stringMatching(/^[A-Z]{2,4}-?[0-9]{1,8}$/),
  fc.stringMatching(/^[0-9a-f]{24}$/),
  fc.uuid(),
  fc.string({ minLength: 1, maxLength: 20 }),
);
const pattern = fc.constantFrom(
  '^[0-9]{9}$',
  '^[a-f0-9]{12}$',
  '^ch_[A-Za-z0-9]{10,}$',
  '^[A-Z]{2}\\d{7}$',
  '^\\w+$',
  '^x-[1-9][0-9]*$',
);
const schemas = fc.oneof(
  example.map((one): Schema => ({ type: 'string', example: one })),
  pattern.map((one): Schema => ({ type: 'string', pattern: one })),
  fc.record({ example, pattern }).map((one): Schema => ({ type: 'string', ...one })),
  fc.integer({ min: -10, max: 5000 }).map((minimum): Schema => ({ type: 'integer', minimum })),
);

it('never gives an id twice, and none that does not fit', () => {
  fc.assert(
    fc.property(schemas, number, number, (schema, one, other) => {
      fc.pre(isCounted(schema));
      const ids = [one, other].map((n) => toItemId(n, schema));
      expect(ids[0] === ids[1]).toBe(one === other);
      for (const id of ids) {
        if (typeof schema.pattern === 'string')
          expect(String(id)).toMatch(new RegExp(schema.pattern, 'u'));
        if (typeof schema.minimum === 'number')
          expect(Number(id)).toBeGreaterThanOrEqual(schema.minimum);
      }
    }),
  );
});

it('reads the number of each id that it gave, and of no other text', () => {
  fc.assert(
    fc.property(schemas, number, fc.string(), (schema, n, text) => {
      fc.pre(isCounted(schema));
      expect(toItemNumber(String(toItemId(n, schema)), schema)).toBe(n);
      const read = toItemNumber(text, schema);
      if (read !== undefined) expect(String(toItemId(read, schema))).toBe(text);
    }),
  );
});
