import {
  type ApiDocument,
  findResource,
  type Operation,
  type Resource,
} from '../description/document.ts';
import type { Report } from '../report/events.ts';
import { idOf } from '../transcript/ids.ts';
import type { Transcript } from '../transcript/transcript.ts';

/** Everything that a create answered with an id, asked for or not. */
export function toResidue({ target, exchanges, document }: Transcript): Report['residue'] {
  return exchanges.flatMap(({ case: { operation }, response }) => {
    const resource = findResource(document, operation);
    const isCreated = operation?.kind === 'create' && (response?.status ?? 0) < 300;
    const id = isCreated && resource ? idOf(response?.json, resource.idProperty) : undefined;
    if (id === undefined || !operation || !resource) return [];
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
