import { expect, it } from 'vitest';
import { operationsWithoutCases } from '../../../contracts/cases/other-cases.ts';
import { builtInDocument, loadDocument } from '../../../contracts/description/document.ts';

it('lists an operation as not called whose kind has no cases', async () => {
  const document = await loadDocument(builtInDocument);
  expect(operationsWithoutCases(document)).toEqual([]);
  const [list] = document.operations;
  const remove = { ...list, id: 'removePet', method: 'DELETE', kind: 'remove' as 'read' };
  const operations = [...document.operations, remove] as typeof document.operations;
  expect(operationsWithoutCases({ ...document, operations }).map(({ id }) => id)).toEqual([
    'removePet',
  ]);
});
