/** How an operation of a kind is recognized: by its path, its method and its schemas. */
export type KindRule = {
  method: string;
  /** Whether its path is that of a collection, or of one item below it. */
  on: 'collection' | 'item';
  takesBody?: true;
  /** What its success holds, where that matters: an array of objects, or one object. */
  gives?: 'items' | 'item';
};

/** The kinds of operations; what each does is bound to it, so no name of the document matters. */
export const kindRules = {
  list: { method: 'GET', on: 'collection', gives: 'items' },
  create: { method: 'POST', on: 'collection', takesBody: true, gives: 'item' },
  read: { method: 'GET', on: 'item', gives: 'item' },
  replace: { method: 'PUT', on: 'item', takesBody: true },
  update: { method: 'PATCH', on: 'item', takesBody: true },
  delete: { method: 'DELETE', on: 'item' },
} as const satisfies Record<string, KindRule>;

/** What an operation does with a collection, or with an item of it. */
export type Kind = keyof typeof kindRules;
