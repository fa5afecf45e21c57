import { itemOf, itemsOf } from '../../contracts/description/collections/success.ts';
import type { ApiDocument, Resource } from '../../contracts/description/document.ts';

/**
 * The collections that a collection with nothing but a list may show the items of, as both refer to
 * the same schema; none where it has other operations.
 */
export function findAlike({ raw, resources }: ApiDocument, resource: Resource): Resource[] {
  const { list, ...others } = resource.operations;
  const $ref = list && itemsOf(raw, list)?.$ref;
  if (typeof $ref !== 'string' || Object.keys(others).length > 0 || resource.views) return [];
  return resources.filter(({ operations, scope, path }) => {
    const changes = Object.entries(operations).filter(([kind]) => kind !== 'list');
    const isPart = scope !== undefined && resource.path.startsWith(`${path}/`);
    return (
      !isPart && changes.some(([, one]) => (itemOf(raw, one) ?? itemsOf(raw, one))?.$ref === $ref)
    );
  });
}
