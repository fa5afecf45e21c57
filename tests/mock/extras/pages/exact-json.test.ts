import { expect, it } from 'vitest';
import { indentJson } from '../../../../mock/extras/pages/browser/exact-json.ts';

it('indents JSON, and nothing else', () => {
  expect(indentJson('{"b":[],"id":9223372036854775807}')).toBe(
    '{\n  "b": [],\n  "id": 9223372036854775807\n}',
  );
  expect(indentJson('7')).toBe('7');
  expect(indentJson('{"cut":')).toBeUndefined();
  expect(indentJson('['.repeat(20_000) + ']'.repeat(20_000))).toBeUndefined();
});
