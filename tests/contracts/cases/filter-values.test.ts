import { expect, it } from 'vitest';
import { filterValues } from '../../../contracts/cases/list-cases.ts';
import { createPlan } from '../../../contracts/cases/plan.ts';
import { compile, type Resource } from '../../../openapi/index.ts';
import { documentOf } from '../../support/document-of.ts';
import { jsonOf, pathParameter, toDocument } from '../../support/serve-document.ts';

const state = { enum: ['open', 'done'] };
const made = {
  type: 'object',
  properties: { id: { type: 'integer' }, state, text: { type: 'string' } },
};

it('asks for no values of filters where a collection is only listed below another', () => {
  const list = {
    'x-twin': { kind: 'list', collection: '/labels' },
    parameters: [{ name: 'state', in: 'query', schema: state }],
    responses: { 200: jsonOf({ type: 'array', items: made }) },
  };
  const document = compile(
    toDocument({
      '/boards/{board}/labels': { parameters: [pathParameter('board')], get: list },
      '/labels': { post: { requestBody: jsonOf(made), responses: { 201: jsonOf(made) } } },
      '/labels/{id}': {
        parameters: [pathParameter('id')],
        get: { responses: { 200: jsonOf(made) } },
      },
    }),
  );
  const labels = document.resources.find(({ path }) => path === '/labels') as Resource;
  expect(labels.filters).toEqual(['state']);
  expect(labels.operations.list).toBeUndefined();
  expect(filterValues({ document, resource: labels })).toEqual([]);
});

it.each([
  [1, 3, [1, 2, 3]],
  [1, 1, [1]],
  [20, 24, [20, 21, 23, 24]],
])(
  'asks once for each filtered page that the document allows: %i to %i',
  (minimum, maximum, sizes) => {
    const limit = { name: 'limit', in: 'query', schema: { type: 'integer', minimum, maximum } };
    const parameters = [limit, { name: 'state', in: 'query', schema: state }];
    const schemas = { Task: made };
    const operations = { 'GET /tasks': { parameters } };
    const document = compile(
      documentOf('GET /tasks -> [Task]\nPOST /tasks Task -> 201 Task', schemas, { operations }),
    );
    const selection = { readOnly: true, includes: () => true, isNeeded: () => false };
    const { stages } = createPlan(document, { seed: 1, selection });
    const cases = stages.flatMap((one) => one.cases);
    const asked = cases.map(({ purpose }) => (purpose.kind === 'list' ? purpose.limit : undefined));
    expect(new Set(asked)).toEqual(new Set([...sizes, undefined]));
    expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length);
  },
);
