/** The kinds of operations; what each does is bound to it, so no name of the document matters. */
export const kinds = [
  'list',
  'create',
  'createMany',
  'read',
  'replace',
  'update',
  'delete',
] as const;

/** What an operation does with a collection, or with an item of it. */
export type Kind = (typeof kinds)[number];

/** Whether an operation of a kind works on a whole collection, not on one item. */
export function isOnCollection(kind: Kind | 'none'): kind is 'list' | 'create' | 'createMany' {
  return kind === 'list' || kind === 'create' || kind === 'createMany';
}
