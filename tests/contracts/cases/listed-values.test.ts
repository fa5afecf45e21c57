import { expect, it } from 'vitest';
import { builtInDocument } from '../../../common/built-in-document.ts';
import { planBodies, takesListedValue } from '../../../contracts/cases/bodies.ts';
import { compile, type Resource } from '../../../openapi/index.ts';
import { jsonOf, toDocument } from '../../support/serve-document.ts';

it('takes the category of a pet from a list, as the interface says which there are', async () => {
  const document = await compile(builtInDocument);
  expect(takesListedValue(planBodies(document, document.resources[0] as Resource))).toBe(true);
});

it.each([
  [{ text: { type: 'string' } }, false],
  [{ text: { type: 'string' }, count: { type: 'array' } }, true],
  [{ text: { type: 'string' }, isDone: { type: 'boolean' } }, false],
  [{ text: { type: 'string' }, state: { enum: ['open', 'done'] } }, false],
])('tells from the document alone whether bodies with %j take listed values', (own, expected) => {
  const id = { type: 'integer', readOnly: true };
  const schema = { type: 'object', required: Object.keys(own), properties: { id, ...own } };
  const requestBody = { content: { 'application/json': { schema } } };
  const document = compile(
    toDocument({
      '/notes': {
        get: { responses: { 200: jsonOf({ type: 'array', items: schema }) } },
        post: { requestBody, responses: { 201: jsonOf(schema) } },
      },
    }),
  );
  const [notes] = document.resources;
  expect(takesListedValue(planBodies(document, notes as Resource))).toBe(expected);
});
