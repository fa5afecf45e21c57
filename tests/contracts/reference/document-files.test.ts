import * as fc from 'fast-check';
import { load } from 'js-yaml';
import { expect, it } from 'vitest';
import { toJsonParts, toYamlParts } from '../../../contracts/reference/document-files.ts';

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
