import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it, onTestFinished, vi } from 'vitest';
import { jsonOf, serveDocument, toDocument } from '../../support/serve-document.ts';

/** A document with this many operations, each of its own path. */
function documentOf(count: number): object {
  const paths = Array.from({ length: count }, (_, index) => {
    const schema = { type: 'object', properties: { text: { type: 'string' } } };
    const responses = { 200: jsonOf(schema) };
    const parameters = [{ name: 'limit', in: 'query', schema: { type: 'integer' } }];
    const operation = { operationId: `put${index}`, parameters, requestBody: jsonOf(schema) };
    return [`/${index}`, { put: { ...operation, responses } }];
  });
  return toDocument(Object.fromEntries(paths));
}

const put = { method: 'PUT', headers: { 'Content-Type': 'application/json' }, body: '{}' };

it('compiles no schema before the first call that needs it', async () => {
  const compile = vi.spyOn(Ajv2020.prototype, 'getSchema');
  onTestFinished(() => compile.mockRestore());
  const { call } = await serveDocument(documentOf(200));
  expect(compile).not.toHaveBeenCalled();
  // What plainly fits needs none.
  expect((await call('/7', put)).status).toBe(200);
  expect(compile).not.toHaveBeenCalled();
  const wrong = { ...put, body: '{"text":1}' };
  expect((await call('/7', wrong)).status).toBe(400);
  const needed = compile.mock.calls.length;
  expect(needed).toBeGreaterThan(0);
  await call('/7', wrong);
  expect(compile).toHaveBeenCalledTimes(needed);
});
