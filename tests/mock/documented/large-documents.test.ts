import { expect, it, vi } from 'vitest';
import { createAnswerWithPrism } from '../../../mock/documented/answer-with-prism.ts';
import { createLog } from '../../../mock/log.ts';
import { compile, type Operation } from '../../../openapi/index.ts';

/** A document whose `GET /a` refers to a schema that refers to the next, and so on. */
function chainOf(count: number) {
  const schemas = Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `S${index}`,
      { properties: { next: { $ref: `#/components/schemas/S${(index + 1) % count}` } } },
    ]),
  );
  const responses = {
    200: {
      description: 'Fine.',
      content: { 'text/x': { schema: { $ref: '#/components/schemas/S0' } } },
    },
  };
  return compile({
    openapi: '3.1.0',
    info: { title: 'Chain', version: '1' },
    paths: { '/a': { get: { operationId: 'a', responses } }, '/b': { get: { responses: {} } } },
    components: { schemas: { ...schemas, Other: {} } },
  });
}

it('asks prism-http for no answer that is of a large document', async () => {
  const log = createLog('silent');
  const load = vi.fn(() => Promise.reject(new Error('not there')));
  for (const count of [3, 160]) {
    const document = chainOf(count);
    const answer = createAnswerWithPrism(document, log, load);
    expect(await answer(document.operations[0] as Operation)).toBeUndefined();
  }
  expect(load).toHaveBeenCalledOnce();
});
