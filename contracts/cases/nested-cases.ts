import { type ApiDocument, collectionsOf, type Resource } from '../description/document.ts';

/**
 * Whether a run can try a nested collection: it can create its items, read or list them, and create
 * a parent for each of its path parameters that names one.
 */
export function isTriedNested(
  document: ApiDocument,
  { operations, scope = [] }: Resource,
): boolean {
  const { create, read, list } = operations;
  const isOfForm = create !== undefined && (read ?? list) !== undefined;
  const parents = scope.map(({ parent }) => parent);
  return (
    isOfForm && parents.at(-1) !== undefined && parents.every((one) => canCreate(document, one))
  );
}

/** Whether items of a collection can be created; any text will do for what is none. */
function canCreate(document: ApiDocument, name: string | undefined): boolean {
  if (name === undefined) return true;
  const parent = collectionsOf(document).find((one) => one.name === name);
  return parent?.operations.create !== undefined;
}
