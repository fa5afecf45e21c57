import * as fc from 'fast-check';
import { load } from 'js-yaml';
import { expect, it } from 'vitest';
import {
  isWritable,
  toJsonParts,
  toYamlParts,
} from '../../../contracts/reference/document-files.ts';
import { isLarge } from '../../../contracts/reference/json-view.ts';

const members = fc
  .dictionary(fc.string(), fc.jsonValue({ maxDepth: 5 }), { maxKeys: 5 })
  .map((document) => JSON.parse(JSON.stringify(document)) as Record<string, unknown>);

it('writes any document as JSON and as YAML that read as the same', () => {
  fc.assert(
    fc.property(members, (document) => {
      expect(JSON.parse([...toJsonParts(document)].join(''))).toEqual(document);
      const yaml = [...toYamlParts(document)].join('');
      expect(yaml === '' ? {} : load(yaml)).toEqual(document);
    }),
    { numRuns: 300 },
  );
});

it('writes integers exactly', () => {
  const document = { a: { b: { c: { d: 9223372036854775807n } } }, e: -9223372036854775808n };
  expect([...toJsonParts(document)].join('')).toContain('"d": 9223372036854775807');
  expect([...toYamlParts(document)].join('')).toBe(
    'a:\n  b:\n    c:\n      d: 9223372036854775807\ne: -9223372036854775808\n',
  );
});

it('writes out no more than 20 MB, and 4 MB in one go, however short the document is', () => {
  const text = 'a'.repeat(1000);
  const times = (count: number, value: unknown) => Array.from({ length: count }, () => value);
  const million = times(1000, text);
  const parts = (count: number) =>
    Object.fromEntries(times(count, 0).map((_, index) => [`x-${index}`, times(3, million)]));
  expect(isWritable({ a: times(3, million) })).toBe(true);
  expect(isWritable({ a: times(4, million) })).toBe(false);
  expect(isWritable(parts(6))).toBe(true);
  expect(isWritable(parts(7))).toBe(false);
});

it('counts all that is written: the indent of each line, and signs that are longer in a file', () => {
  fc.assert(
    fc.property(members, (document) => {
      const { length } = [...toJsonParts(document)].join('');
      expect(isLarge(document, length - 10)).toBe(true);
    }),
  );
  let deep: unknown[] = [];
  for (let depth = 0; depth < 2000; depth++) deep = [deep];
  expect(isWritable({ a: deep })).toBe(false);
  expect(isWritable({ a: '\u0001'.repeat(700_000) })).toBe(false);
});
