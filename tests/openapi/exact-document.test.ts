import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { builtInDocument } from '../../common/built-in-document.ts';
import { createMakeFitting } from '../../mock/json/make-fitting.ts';
import { compile } from '../../openapi/index.ts';
import { makeFolder } from '../support/make-folder.ts';

const schema = { type: 'integer', format: 'int64', maximum: 0 };
const document = {
  openapi: '3.1.0',
  info: { title: 'Large', version: '1' },
  paths: { '/a': { get: { responses: {} } } },
  components: { schemas: { Id: schema, Short: { type: 'integer', maximum: 12 } } },
};
const json = JSON.stringify(document).replace('"maximum":0', '"maximum":9223372036854775807');
const yaml = `openapi: 3.1.0
info: { title: Large, version: "1" }
paths: { /a: { get: { responses: {} } } }
components:
  schemas:
    Id: { type: integer, format: int64, maximum: +9223372036854775807 }
    Short: { type: integer, maximum: 12 }
    Text: { const: "9223372036854775807" }
    Float: { const: 9223372036854775807.5 }
    Safe: { const: 0000000000000000007 }
`;

it.each([
  ['a.json', json],
  ['with a byte order mark.json', `\ufeff${json}`],
  ['a.yaml', yaml],
])('reads large integers exactly, and as doubles for validators: %s', async (name, text) => {
  const file = join(makeFolder(), name);
  writeFileSync(file, text);
  const read = await compile(file);
  const [exact, raw] = [read.exact.asOpenApi(), read.asOpenApi()];
  expect(exact.components.schemas).toMatchObject({
    Id: { maximum: 9223372036854775807n },
    Short: { maximum: 12 },
    ...(name === 'a.yaml' && { Text: { const: '9223372036854775807' }, Safe: { const: 7 } }),
  });
  expect(raw.components.schemas).toMatchObject({
    Id: { maximum: 2 ** 63 },
    Short: { maximum: 12 },
  });
});

it('has one document where all of its numbers are doubles', async () => {
  const file = join(makeFolder(), 'a.json');
  writeFileSync(file, JSON.stringify({ ...document, 'x-card': '4242424242424242' }));
  const read = await compile(file);
  const [exact, raw] = [read.exact.asOpenApi(), read.asOpenApi()];
  expect(exact).toBe(raw);
});

it.each([
  ['bounds of a single value', 'minimum: 9007199254740993, maximum: 9007199254740993'],
  ['an example, beside one that does not fit', 'format: int64, example: 9007199254740993'],
])('makes integers exactly by %s', async (_, keywords) => {
  const file = join(makeFolder(), 'a.yaml');
  writeFileSync(file, `${yaml}    Made: { type: integer, ${keywords} }\n`);
  const properties = {
    a: { $ref: '#/components/schemas/Made' },
    b: { type: 'integer', example: 'b' },
  };
  const make = createMakeFitting(await compile(file), 'writeOnly');
  expect(make({ type: 'object', properties }, { seed: 1 })?.text).toMatch(
    /^\{"a":9007199254740993,/,
  );
});

it('loads the built-in document once, and says each time which file it read', async () => {
  const files = new Set<string>();
  const loaded = await compile(builtInDocument);
  expect(await compile(builtInDocument, { files })).toBe(loaded);
  expect([...files]).toEqual([builtInDocument]);
});
