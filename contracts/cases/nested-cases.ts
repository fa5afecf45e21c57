import type { Api, Resource } from '../../openapi/index.ts';
import { collectionsOf } from '../../openapi/model/api.ts';

/** The collection below whose items a nested one is; undefined where that lies deeper. */
export function parentOf(document: Api, { scope = [] }: Resource): Resource | undefined {
  const [only, ...more] = scope;
  const parent = collectionsOf(document).find(({ name }) => name === only?.parent);
  return more.length === 0 && !parent?.scope ? parent : undefined;
}

/** Whether a run can try a nested collection: create a parent and items, and read or list these. */
export function isTriedNested(document: Api, resource: Resource): boolean {
  const { create, read, list } = resource.operations;
  const isOfForm = create !== undefined && (read ?? list) !== undefined;
  return isOfForm && parentOf(document, resource)?.operations.create !== undefined;
}
