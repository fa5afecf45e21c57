import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it, vi } from 'vitest';
import { builtInDocument } from '../../../common/built-in-document.ts';
import { createSchemaCompiler } from '../../../mock/json/validator.ts';
import { compile } from '../../../openapi/index.ts';

it('compiles nothing more for who asks for the same schemas again', async () => {
  const document = await compile(builtInDocument);
  const compileSchema = createSchemaCompiler(document);
  const getSchema = vi.spyOn(Ajv2020.prototype, 'getSchema');
  const ask = () => {
    for (const { body } of document.operations)
      if (body) expect(compileSchema(body.schema)('no item')).toBeDefined();
    return getSchema.mock.calls.length;
  };
  const first = ask();
  expect(first).toBeGreaterThan(0);
  expect(ask()).toBe(first);
  getSchema.mockRestore();
});
