import * as fc from 'fast-check';
import { load } from 'js-yaml';
import { expect, it } from 'vitest';
import { toDocumentJson, toDocumentYaml } from '../../reference/document-files.ts';

const members = fc
  .dictionary(fc.string(), fc.jsonValue({ maxDepth: 5 }), { maxKeys: 5 })
  .map((document) => JSON.parse(JSON.stringify(document)) as Record<string, unknown>);

it('writes any document as JSON and as YAML that read as the same', () => {
  fc.assert(
    fc.property(members, (document) => {
      expect(JSON.parse(toDocumentJson(document) ?? '')).toEqual(document);
      expect(load(toDocumentYaml(document))).toEqual(document);
    }),
  );
});

it('writes integers exactly, and no more than 20 MB', () => {
  const document = { a: { d: 9223372036854775807n }, e: -9223372036854775808n };
  expect(toDocumentJson(document)).toContain('"d": 9223372036854775807');
  expect(toDocumentYaml(document)).toBe('a:\n  d: 9223372036854775807\ne: -9223372036854775808\n');
  expect(toDocumentJson({ a: 'a'.repeat(21_000_000) })).toBeUndefined();
});
