import { expect, it } from 'vitest';
import { statesDeletion } from '../../contracts/checks/deleted.ts';
import { compile } from '../../openapi/index.ts';
import { jsonOf, toDocument } from '../support/serve-document.ts';

function findStated(path: string, remove: object): boolean {
  const item = { type: 'object', properties: { id: { type: 'integer' }, name: {} } };
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
  const document = compile(
    toDocument({
      [path]: { get: { responses: { 200: jsonOf({ type: 'array', items: item }) } } },
      [`${path}/{id}`]: {
        parameters: [id],
        get: { responses: { 200: jsonOf(item) } },
        delete: { responses: { 204: { description: 'done' } }, ...remove },
      },
    }),
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
