import { expect, it } from 'vitest';
import { unlike } from '../../../contracts/run/remember.ts';
import { createValues } from '../../../contracts/run/values.ts';

it('makes texts of the same form, with other digits or letters', () => {
  const sku = { type: 'string', pattern: '^[A-Z]{3}-[0-9]{4}$' };
  expect(unlike('ABC-1000', sku, 7)).toBe('ABC-0007');
  expect(unlike('ABC-1000', sku, 123_456)).toBe('ABC-3456');
  expect(unlike('somebody', { type: 'string' }, 1)).toBe('aaaaaaab');
  expect(unlike('u100@x.example', { type: 'string', format: 'email' }, 5)).toBe('u005@x.example');
});

it('makes none of what may be a code, has another format, or would not fit', () => {
  expect(unlike('USD', { type: 'string' }, 1)).toBeUndefined();
  expect(unlike('2030-12-05', { type: 'string', format: 'date' }, 1)).toBeUndefined();
  expect(unlike('1000', { type: 'string', pattern: '^1000$' }, 1)).toBeUndefined();
});

it('fills in another value each time once it varies', () => {
  const values = createValues('a1');
  values.set('known.things.code', 'seen');
  expect(values.fill('{{known.things.code}}').text).toBe('"seen"');
  values.vary('known.things.code', (number) => `code ${number}`);
  const [first, second] = [0, 1].map(() => values.fill('{{known.things.code}}').text);
  expect(first).toMatch(/^"code \d+"$/);
  expect(second).not.toBe(first);
});
