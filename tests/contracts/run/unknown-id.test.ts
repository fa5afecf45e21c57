import { expect, it } from 'vitest';
import { unknownId } from '../../../contracts/run/values.ts';

it('gives an id that fits the schema, the same for the same text', () => {
  expect(unknownId({ type: 'integer', format: 'int64' }, 'a')).toMatch(/^[1-9]\d{14}$/);
  expect(unknownId({ type: 'string', format: 'uuid' }, 'a')).toMatch(
    /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/,
  );
  expect(Number(unknownId({ type: 'integer', format: 'int32' }, 'a'))).toBeLessThan(2 ** 31);
  expect(Number(unknownId({ type: 'integer', maximum: 2_000_000 }, 'a'))).toBeLessThanOrEqual(
    2_000_000,
  );
  expect(unknownId({ type: 'string' }, 'a')).toBe(unknownId({ type: 'string' }, 'a'));
  expect(unknownId({ type: 'string' }, 'a')).not.toBe(unknownId({ type: 'string' }, 'b'));
});
