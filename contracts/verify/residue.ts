import {
  type ApiDocument,
  findResource,
  type Operation,
  type Resource,
} from '../description/document.ts';
import type { Report } from '../report/events.ts';
import { createdIds, deletedIds } from '../transcript/leftovers.ts';
import type { Transcript } from '../transcript/transcript.ts';

/** Everything that a create answered with an id, asked for or not, and that was not deleted. */
export function toResidue(transcript: Transcript): Report['residue'] {
  const { target, document } = transcript;
  const deleted = deletedIds(transcript);
  return createdIds(transcript).flatMap(({ operation, id }) => {
    const resource = findResource(document, operation);
    if (!resource || deleted.has(`${resource.name} ${id}`)) return [];
    const deletedBy = findDelete(document, resource)?.id;
    const left = { target: target.name, operation: operation.id, id };
    return [deletedBy === undefined ? left : { ...left, deletedBy }];
  });
}

/** The operation that deletes an item of a resource, where the document describes one. */
function findDelete({ operations }: ApiDocument, resource: Resource): Operation | undefined {
  const item = new RegExp(`^${RegExp.escape(resource.path)}/\\{[^/{}]+\\}$`);
  return operations.find(({ method, path }) => method === 'DELETE' && item.test(path));
}
