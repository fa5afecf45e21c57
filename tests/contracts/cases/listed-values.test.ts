import { expect, it } from 'vitest';
import { builtInDocument } from '../../../common/built-in-document.ts';
import { planBodies, takesListedValue } from '../../../contracts/cases/bodies.ts';
import { compile, type Resource } from '../../../openapi/index.ts';
import { documentOf } from '../../support/document-of.ts';

it('takes the category of a pet from a list, as the interface says which there are', async () => {
  const document = await compile(builtInDocument);
  expect(takesListedValue(planBodies(document, document.resources[0] as Resource))).toBe(true);
});

it.each([
  ['text!', false],
  ['text!, count!: [any]', true],
  ['text!, isDone!: bool', false],
  ['text!, state!: "open" | "done"', false],
])('tells from the document alone whether bodies with %s take listed values', (own, expected) => {
  const note = `{ readonly id: int, ${own} }`;
  const document = compile(
    documentOf(`GET /notes -> [${note}]\nPOST /notes ${note} -> 201 ${note}`),
  );
  const [notes] = document.resources;
  expect(takesListedValue(planBodies(document, notes as Resource))).toBe(expected);
});
