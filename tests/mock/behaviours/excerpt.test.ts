import { expect, it, vi } from 'vitest';
import { indexDocument, type Operation } from '../../../contracts/description/document.ts';
import { createAnswerWithPrism, toExcerpt } from '../../../mock/documented/answer-with-prism.ts';
import { createLog } from '../../../mock/log.ts';

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
  return indexDocument({
    openapi: '3.1.0',
    info: { title: 'Chain', version: '1' },
    paths: { '/a': { get: { operationId: 'a', responses } }, '/b': { get: { responses: {} } } },
    components: { schemas: { ...schemas, Other: {} } },
  });
}

it('takes of a document what one operation answers, and what that refers to', () => {
  const document = chainOf(3);
  const excerpt = toExcerpt(document, document.operations[0] as Operation);
  expect(Object.keys(excerpt?.paths)).toEqual(['/a']);
  expect(Object.keys(excerpt?.components.schemas)).toEqual(['S0', 'S1', 'S2']);
  expect(excerpt?.components.schemas.S2).toEqual(document.raw.components.schemas.S2);
});

it('asks prism-http for no answer that refers to much', async () => {
  const log = createLog('silent');
  const load = vi.fn(() => Promise.reject(new Error('not there')));
  for (const count of [3, 60]) {
    const document = chainOf(count);
    const answer = createAnswerWithPrism(document, log, load);
    expect(await answer(document.operations[0] as Operation)).toBeUndefined();
  }
  expect(load).toHaveBeenCalledOnce();
});
