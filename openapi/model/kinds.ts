/** A kind of operation: whether it works on a collection, its effects, and the evidence for it. */
type Row = {
  onCollection?: true;
  adds?: true;
  stores?: true;
  /** The kinds that it applies to each of many items, in this order. */
  each?: readonly ('read' | 'replace' | 'update' | 'delete')[];
  evidence: string;
};

const creates = { onCollection: true, adds: true, stores: true } as const;
const changes = { onCollection: true, stores: true } as const;
const rows = {
  list: { onCollection: true, evidence: 'its success response has the items' },
  create: { ...creates, evidence: 'its success response has the created item' },
  createMany: { ...creates, evidence: 'its body is a list of items' },
  replaceMany: {
    ...changes,
    each: ['replace', 'read'],
    evidence: 'its body is a list of items with ids',
  },
  updateMany: { ...changes, each: ['update'], evidence: 'its body is a list of changes with ids' },
  deleteMany: {
    onCollection: true,
    each: ['read', 'delete'],
    evidence: 'its query has a list of ids',
  },
  read: { evidence: 'its success response has the item' },
  replace: { stores: true, evidence: 'its body replaces the item in the path' },
  update: { stores: true, evidence: 'its body changes the item in the path' },
  delete: { evidence: 'its path names the item' },
} satisfies Record<string, Row>;

/** The effect of an operation on a collection, or on an item of it. */
export type Kind = keyof typeof rows;

type KindOfMany = {
  [One in Kind]: (typeof rows)[One] extends { each: unknown } ? One : never;
}[Kind];

/** The kinds with a behaviour of their own; a kind of many items uses these. */
export type BoundKind = Exclude<Kind, KindOfMany>;

/** The kinds of operations. Behaviour is bound to a kind, never to an operation's name. */
export const kinds = Object.keys(rows) as readonly Kind[];

/** Returns the properties of a kind; an empty object without a kind. */
export function rowOf(kind: Kind | 'none' | undefined): Partial<Row> {
  return kind === undefined || kind === 'none' ? {} : rows[kind];
}

/** Whether an operation of a kind works on a whole collection, not on one item. */
export function isOnCollection(kind: Kind | 'none' | undefined): boolean {
  return rowOf(kind).onCollection === true;
}

/** Whether one of the operations of a collection adds items. */
export function addsItems(operations: Partial<Record<Kind, unknown>>): boolean {
  return Object.keys(operations).some((kind) => rowOf(kind as Kind).adds);
}
