import { expect, it, vi } from 'vitest';
import { loadDocument } from '../../../contracts/description/document.ts';
import { createToExampleCall } from '../../../mock/documented/example-calls.ts';
import { compileOnce } from '../../../mock/json/compile-once.ts';
import { createSchemaCompiler } from '../../../mock/json/validator.ts';
import { projectFile } from '../../support/twin.ts';

it('compiles nothing more for the second visit of a page', async () => {
  const document = await loadDocument(projectFile('contracts/openapi.yaml'));
  const compile = vi.fn(createSchemaCompiler(document));
  const compileSchema = compileOnce(compile);
  const store = {
    get: async () => undefined,
    list: async () => [],
    listSerial: async () => [],
  };
  const visit = async () => {
    const toExampleCall = createToExampleCall(document, { store, compileSchema });
    for (const operation of document.operations) await toExampleCall(operation);
    return compile.mock.calls.length;
  };
  const first = await visit();
  expect(first).toBeGreaterThan(0);
  expect(await visit()).toBe(first);
});

it('fails again without another try', () => {
  const compile = vi.fn(() => {
    throw new Error('unusable');
  });
  const compileSchema = compileOnce(compile);
  const schema = {};
  for (let call = 0; call < 2; call++) expect(() => compileSchema(schema)).toThrow('unusable');
  expect(compile).toHaveBeenCalledOnce();
});
