import { expect, it } from 'vitest';
import { statesDeletion } from '../../contracts/checks/deleted.ts';
import { compile } from '../../openapi/index.ts';
import { documentOf } from '../support/document-of.ts';

function findStated(path: string, remove: object): boolean {
  const document = compile(
    documentOf(
      `
      GET ${path} -> [{ id: int, name: any }]
      GET ${path}/{id} -> { id: int, name: any }
      DELETE ${path}/{id} -> 204
      `,
      {},
      { operations: { [`DELETE ${path}/{id}`]: remove } },
    ),
  );
  const [resource] = document.resources;
  return resource !== undefined && statesDeletion(document, resource);
}

it.each([
  ['/queues', { summary: 'Deletes a queue' }, true],
  ['/notes', { summary: 'Queues the deletion of a note' }, false],
  ['/queues', { summary: 'Marks a queue as deleted' }, false],
  ['/notes', { responses: { 202: { description: 'accepted' } } }, false],
  ['/notes', { responses: { default: { description: 'whatever' } } }, false],
])('says of a deletion at %s with %j whether it is stated: %s', (path, remove, isStated) => {
  expect(findStated(path, remove)).toBe(isStated);
});
