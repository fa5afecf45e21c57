import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it, vi } from 'vitest';
import { loadDocument } from '../../../contracts/description/document.ts';
import { createToExampleCall } from '../../../mock/documented/example-calls.ts';
import { createSchemaCompiler } from '../../../mock/json/validator.ts';
import { projectFile } from '../../support/twin.ts';

it('compiles nothing more for the second visit of a page', async () => {
  const document = await loadDocument(projectFile('contracts/openapi.yaml'));
  const compileSchema = createSchemaCompiler(document);
  const compile = vi.spyOn(Ajv2020.prototype, 'getSchema');
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
  compile.mockRestore();
});
