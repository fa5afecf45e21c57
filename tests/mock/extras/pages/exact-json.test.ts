import { expect, it } from 'vitest';
import { stringifyExact } from '../../../../contracts/json-text.ts';
import { indentJson, parseJson } from '../../../../mock/extras/pages/browser/exact-json.ts';

it('reads and writes integers to the digit', () => {
  const text = '{"id":9223372036854775807,"price":1.5,"many":[12345678901234567890,1],"big":1e400}';
  const value = parseJson(text) as Record<string, unknown>;
  expect(value.id).toBe(9223372036854775807n);
  expect(value.price).toBe(1.5);
  expect(value.many).toEqual([12345678901234567890n, 1]);
  expect(stringifyExact({ id: value.id }, 2)).toBe('{\n  "id": 9223372036854775807\n}');
});

it('indents JSON, and nothing else', () => {
  expect(indentJson('{"b":[],"id":9223372036854775807}')).toBe(
    '{\n  "b": [],\n  "id": 9223372036854775807\n}',
  );
  expect(indentJson('7')).toBe('7');
  expect(indentJson('{"cut":')).toBeUndefined();
});
