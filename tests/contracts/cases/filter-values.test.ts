import { expect, it } from 'vitest';
import { filterValues } from '../../../contracts/cases/list-cases.ts';
import { createPlan } from '../../../contracts/cases/plan.ts';
import { compile, type Resource } from '../../../openapi/index.ts';
import { documentOf, hintsOf } from '../../support/document-of.ts';

const made = '{ id: int, state: "open" | "done", text }';

it('asks for no values of filters where a collection is only listed below another', () => {
  const operations = hintsOf({
    'GET /boards/{board}/labels': { kind: 'list', collection: '/labels' },
  });
  const document = compile(
    documentOf(
      `
      GET /boards/{board}/labels?state:"open"|"done" -> [${made}]
      POST /labels ${made} -> 201 ${made}
      GET /labels/{id} -> ${made}
      `,
      {},
      { operations },
    ),
  );
  const labels = document.resources.find(({ path }) => path === '/labels') as Resource;
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
    const query = `limit:int(minimum=${minimum},maximum=${maximum})&state:"open"|"done"`;
    const document = compile(
      documentOf(`GET /tasks?${query} -> [Task]\nPOST /tasks Task -> 201 Task\nTask: ${made}`),
    );
    const selection = { readOnly: true, includes: () => true, isNeeded: () => false };
    const { stages } = createPlan(document, { seed: 1, selection });
    const cases = stages.flatMap((one) => one.cases);
    const asked = cases.map(({ purpose }) => (purpose.kind === 'list' ? purpose.limit : undefined));
    expect(new Set(asked)).toEqual(new Set([...sizes, undefined]));
    expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length);
  },
);
